// The first question in a fresh profile: the private environment is made, after the user agreed.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { check, equal, matches } from "../lib/assert.mjs";
import { configure } from "../lib/configure.mjs";
import { serverPids } from "../lib/editor.mjs";
import { until } from "../lib/wait.mjs";

const question = "How does authentication work?";

const storage = (w) => path.join(w.editor.data, "User/globalStorage/scope-lsp.scope");
const environments = (w) => fs.readdirSync(storage(w)).filter((name) => name.startsWith("env-"));

async function agrees(w) {
  const dialog = w.page.locator(".monaco-dialog-box");
  const text = await dialog.innerText();
  matches(text, /package index[\s\S]*only step that needs a network/, "what the dialog says");
  await dialog.getByRole("button", { name: "Set Up" }).click();
  return text;
}

// The newest turn with the question, once its note reads so, with the names of the buttons on it.
async function note(w, wanted, limitMs = 60_000) {
  return until(limitMs, `a note with ${wanted}`, async () => {
    const shown = (await w.turnNow(question)).locator(".note.problem");
    const text = await shown.innerText({ timeout: 2_000 });
    return wanted.test(text) && { text, buttons: await shown.getByRole("button").allInnerTexts(), shown };
  });
}

// Asks, and does not agree to the set-up.
async function refuses(w) {
  await w.ask(question);
  await w.shot("setup-asks");
  await w.page.locator(".monaco-dialog-box").getByRole("button", { name: "Cancel" }).click();
  return note(w, /was not set up, so nothing was read/);
}

async function declines(w, { ws }) {
  await w.open(path.join(ws, "shop"));
  await w.page.locator("#scope-lsp\\.scope\\.scope\\.status", { hasText: "Set Up" }).waitFor();
  check(serverPids(w.editor).length === 0, "a server ran before the user agreed");
  const { buttons } = await refuses(w);
  equal(buttons.join(), "Set Up Scope", "the next step");
  await w.shot("setup-declined");
}

async function cancels(w) {
  await setUpAgain(w);
  const progress = w.notification("Setting up Scope");
  await progress.waitFor();
  await until(60_000, "the environment to be begun", () => environments(w).length === 1);
  await w.shot("setup-progress");
  await progress.getByRole("button", { name: "Cancel" }).click();
  await note(w, /set-up was cancelled; what it had downloaded was removed/);
  equal(environments(w).length, 0, "environments that are left");
  await w.shot("setup-cancelled");
}

// Sets up with another Python, and returns what the panel says of it.
async function fails(w, interpreter, wanted) {
  await configure(w, { "scope.server.interpreter": interpreter || undefined });
  await setUpAgain(w);
  const said = await note(w, wanted, 120_000);
  equal(environments(w).length, 0, "environments that are left");
  return said;
}

// By the button of the last failure, or after another refusal where a failed try left none.
async function setUpAgain(w) {
  const left = await note(w, /./, 2_000).catch(() => refuses(w));
  await left.shown.getByRole("button", { name: "Set Up Scope" }).click();
  return agrees(w);
}

// A stand-in for a Python: it answers what it is, and what it says when it is to make an environment.
function standIn({ e2e }, name, answer, trouble) {
  const file = path.join(e2e, name);
  const script = `#!/bin/sh\ncase "$*" in *ensurepip*) echo '${answer}|${file}';; *) echo '${trouble}' >&2; exit 1;; esac\n`;
  fs.writeFileSync(file, script, { mode: 0o755 });
  return file;
}

async function lacksPython(w) {
  const { text, buttons } = await fails(w, "/nowhere/python3", /\/nowhere\/python3: not found/);
  matches(text, /No Python 3\.11 or newer was found/, "what was tried");
  equal(buttons.join(), "Choose Python,Set Up Scope", "the next steps");
  await w.shot("setup-no-python");
}

async function hasOldPython(w, places) {
  const old = standIn(places, "python3.9", "3.9.2", "");
  const { text, buttons } = await fails(w, old, /python3\.9: version 3\.9\.2 is too old/);
  matches(text, /No Python 3\.11 or newer was found/, "what was tried");
  equal(buttons.join(), "Choose Python,Set Up Scope", "the next steps");
  await w.shot("setup-old-python");
}

async function hasFullDisk(w, places) {
  const full = standIn(places, "python-full", "3.12.1", "OSError: [Errno 28] No space left on device");
  const { buttons } = await fails(w, full, /The set-up failed\. The disk is full\./);
  equal(buttons.join(), "Set Up Scope,Show Log", "the next steps");
  await w.shot("setup-full-disk");
}

async function hasNoNetwork(w, places) {
  const file = path.join(places.e2e, "pip.conf");
  fs.writeFileSync(file, "[global]\nindex-url = http://127.0.0.1:9/simple\nextra-index-url =\nretries = 1\n");
  const { buttons } = await fails(w, "", /The set-up failed\. The Python package index could not be reached\./);
  equal(buttons.join(), "Set Up Scope,Show Log", "the next steps");
  await w.shot("setup-no-network");
  fs.rmSync(file);
}

async function setsUp(w) {
  await configure(w, { "scope.server.interpreter": undefined });
  const before = Date.now();
  const told = Number(/about (\d+) MB/.exec(await setUpAgain(w))?.[1]);
  await w.notification("Setting up Scope").waitFor();
  await w.turn(question, "done", 240_000);
  const seconds = (Date.now() - before) / 1_000;
  await w.shot("setup-answered");
  equal(environments(w).length, 1, "environments");
  const folder = path.join(storage(w), environments(w)[0]);
  const taken = Number(/^\d+/.exec(execFileSync("du", ["-sm", folder], { encoding: "utf8" }))?.[0]);
  console.log(`     set up and answered in ${seconds.toFixed(0)} s; ${taken} MB on the disk, ${told} MB told`);
  check(taken <= 180 && Math.abs(taken - told) <= 25, `${taken} MB on the disk, ${told} MB told`);
  const [pid] = await until(5_000, "the server's process", () => serverPids(w.editor).length > 0 && serverPids(w.editor));
  matches(fs.readlinkSync(`/proc/${pid}/cwd`), /globalStorage/, "the server's working directory");
}

// With E2E_SERVER given, there is nothing to set up.
export const scenarios = process.env.E2E_SERVER
  ? {}
  : {
      "who does not agree is told the next step": declines,
      "a cancelled set-up leaves nothing behind and is said in the panel": cancels,
      "a set-up without Python says what was tried": lacksPython,
      "a set-up with an old Python says so": hasOldPython,
      "a set-up on a full disk says so": hasFullDisk,
      "a set-up without a network says so": hasNoNetwork,
      "the panel's button sets up a private environment": setsUp,
    };
