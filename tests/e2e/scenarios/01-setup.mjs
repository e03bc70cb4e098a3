// The first question in a fresh profile: the private environment is made, after the user agreed.
import fs from "node:fs";
import path from "node:path";
import { check, matches } from "../lib/assert.mjs";
import { serverPids } from "../lib/editor.mjs";
import { until } from "../lib/wait.mjs";

const question = "How does authentication work?";

async function setsUp(w, { ws }) {
  await w.open(path.join(ws, "shop"));
  await w.page.locator("#scope-lsp\\.scope\\.scope\\.status", { hasText: "Set Up" }).waitFor();
  check(serverPids(w.editor).length === 0, "a server ran before the user agreed");
  await w.ask(question);
  const dialog = w.page.locator(".monaco-dialog-box");
  matches(await dialog.innerText(), /package index[\s\S]*only step that needs a network/, "what the dialog says");
  await w.shot("setup-asks");
  await dialog.getByRole("button", { name: "Set Up" }).click();
  await w.notification("Setting up Scope").waitFor();
  await w.shot("setup-progress");
  await w.turn(question, "done", 240_000);
  await w.shot("setup-answered");
  const storage = path.join(w.editor.data, "User/globalStorage/scope-lsp.scope");
  const made = fs.readdirSync(storage).filter((name) => name.startsWith("env-"));
  check(made.length === 1, `environments: ${made.join(" ")}`);
  const [pid] = await until(5_000, "the server's process", () => serverPids(w.editor).length > 0 && serverPids(w.editor));
  matches(fs.readlinkSync(`/proc/${pid}/cwd`), /globalStorage/, "the server's working directory");
}

// With E2E_SERVER given, there is nothing to set up.
export const scenarios = process.env.E2E_SERVER ? {} : { "the first question sets up a private environment": setsUp };
