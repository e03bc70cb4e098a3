// Asking an organisation's index: only where a service is set, with answers out of a clone and of a forge.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { check, equal, matches } from "../lib/assert.mjs";
import { configure } from "../lib/configure.mjs";
import { picture } from "../lib/picture.mjs";
import { chooseTheme, THEMES } from "../lib/theme.mjs";
import { clickUntil, until } from "../lib/wait.mjs";

const question = "How is a failed payment retried?";
const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
const COMMAND = "Scope: Ask the Organisation";

// A server with two repositories, of which one is cloned here; ended with its standard input.
async function organisation({ e2e }) {
  const folder = path.join(e2e, "organisation");
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder);
  const python = path.join(repository, ".venv/bin/python");
  const server = spawn(python, ["-m", "tests.e2e.servers.organisation", folder], { cwd: repository });
  let said = "";
  server.stdout.on("data", (data) => (said += data));
  server.stderr.on("data", (data) => (said += data));
  await until(120_000, "the organisation's server", () => {
    if (server.exitCode !== null) throw new Error(said);
    return said.includes("ready");
  });
  fs.copyFileSync(path.join(folder, "pg_service.conf"), path.join(e2e, "pg_service.conf"));
  return { server, clones: path.join(folder, "clones") };
}

// The rows that the palette has for the command.
async function offered(w) {
  await w.page.keyboard.press("Escape");
  await w.page.keyboard.press("F1");
  const input = w.page.locator(".quick-input-widget input[type=text]").first();
  await input.fill(`>${COMMAND}`);
  await w.page.locator(".quick-input-widget .monaco-list-row").first().waitFor();
  const rows = await w.page.locator(".quick-input-widget .monaco-list-row").allInnerTexts();
  await w.page.keyboard.press("Escape");
  return rows.filter((text) => text.startsWith(COMMAND)).length;
}

async function asksEverywhere(w, places) {
  const { server, clones } = await organisation(places);
  try {
    await w.showFolder(path.join(places.ws, "shop"));
    await w.closeAll();
    equal(await offered(w), 0, "commands without a service");
    await configure(w, { "scope.organisation.service": "acme", "scope.organisation.clones": [clones] });
    await w.command(COMMAND);
    await w.answerQuickInput(`${COMMAND} (acme)`, question);
    const turn = await w.turn(question, "done");
    matches(await turn.locator(".mode-why").innerText(), /^Asked the organisation's index at this machine\/acme/, "who was asked");
    equal(await turn.locator(".mode-choices").count(), 0, "other ways to answer");
    matches(await turn.locator(".stats").innerText(), /(\d+) of \1 references verified · [\d.]+\ss · no model$/, "the stats line");
    matches(await turn.locator(".about").innerText(), /all repositories of acme/, "what it is about");

    const inClone = async () => (await w.turnNow(question)).locator("a.reference", { hasText: /acme\/payments\/payments\/retry\.py:\d+/ }).first();
    await clickUntil("the clone's file", inClone, () => w.isInFront("retry.py"));
    const atForge = async () => (await w.turnNow(question)).locator("a.external", { hasText: /acme\/jobs\/jobs\/queue\.py:\d+/ }).first();
    const dialog = w.page.locator(".monaco-dialog-box", { hasText: "github.com" });
    await clickUntil("the editor's question", atForge, () => dialog.isVisible());
    await w.shot("organisation-leaves");
    await w.page.keyboard.press("Escape");
    check(w.foreign.length === 0, `requests went to ${w.foreign}`);

    for (const theme of THEMES.slice(0, 2)) {
      await chooseTheme(w, theme);
      await w.turn(question, "done");
      await picture(w, `organisation-${theme[0]}`);
    }
    await w.command("Scope: Focus on Answers View");
    const item = w.page.locator(".part.sidebar .monaco-list-row", { hasText: question }).first();
    await item.waitFor();
    matches(await item.innerText(), /organisation, /, "the side bar's row");
    await w.shot("organisation-history");
  } finally {
    await configure(w, { "scope.organisation.service": undefined, "scope.organisation.clones": undefined });
    server.stdin.end();
  }
}

export const scenarios = {
  "an organisation is asked where a service is set": asksEverywhere,
};
