// What goes wrong in real life: impatience, crashes, hostile code, folders that are not trusted.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { check, equal, matches } from "../lib/assert.mjs";
import { openCold } from "../lib/cold.mjs";
import { Editor, serverPids } from "../lib/editor.mjs";
import { chooseModel, DOCUMENT, ENOUGH, FIRST, ScriptedModel } from "../lib/model.mjs";
import { clickUntil, until } from "../lib/wait.mjs";

async function cancels(w, places) {
  await openCold(w, places, "django");
  const question = "How does the ORM build a query?";
  await w.ask(question);
  const running = await w.turn(question, "running");
  await running.locator(".phase", { hasText: /Reading|Looking|Writing/ }).waitFor();
  await w.shot("cancel-running");
  const before = Date.now();
  const stop = async () => (await w.turnNow(question)).getByRole("button", { name: "Stop" });
  const turn = await clickUntil("the stop", stop, () => w.turn(question, "cancelled", 7_000));
  check(Date.now() - before < 10_000, `stopping took ${Date.now() - before} ms`);
  matches(await turn.locator(".note.problem").innerText(), /Stopped on your request/, "the note");
  await w.shot("cancelled");
  equal(serverPids(w.editor).length, 1, "servers after a cancel");
}

async function crashes(w, places) {
  await openCold(w, places, "django");
  const question = "How does the cache framework choose a backend?";
  await w.ask(question);
  const running = await w.turn(question, "running");
  await running.locator(".phase", { hasText: /Reading|Looking|Writing/ }).waitFor();
  const [pid] = serverPids(w.editor);
  process.kill(pid, "SIGKILL");
  const turn = await w.turn(question, "interrupted", 20_000);
  matches(await turn.locator(".note.problem").innerText(), /stopped while it was answering/, "the message");
  await w.shot("crashed");
  await until(30_000, "another server", () => serverPids(w.editor).some((item) => item !== pid));
  const again = async () => (await w.turnNow(question)).getByRole("button", { name: "Ask Again" });
  const isAsked = async () => (await (await w.turnNow(question)).getAttribute("data-state")) !== "interrupted";
  await clickUntil("the question to be asked again", again, isAsked);
  await w.turn(question, "done", 240_000);
  equal(serverPids(w.editor).length, 1, "servers after the restart");
  await w.shot("answered-after-crash");
}

async function hostile(w, { ws }) {
  await w.open(path.join(ws, "hostile"));
  await w.closeAll();
  const question = "How is a widget rendered? <img src=x onerror=alert(1)> [x](command:workbench.action.terminal.new)";
  await w.ask(question);
  const turn = await w.turn(question, "done");
  const panel = await w.panel(question);
  const forbidden = "img,iframe,object,embed,form:not(#composer),#thread script,#thread style:not(.diagram style),#thread input,#thread link";
  equal(await panel.locator(forbidden).count(), 0, "elements that hostile code made");
  const links = await turn.locator("a").evaluateAll((all) => all.map((a) => [a.getAttribute("href"), a.dataset.href]));
  for (const [href, target] of links) {
    equal(href, "#", "a link's own target");
    check(!/^\s*(command|javascript|data|vscode):/i.test(target ?? ""), `a link to ${target}`);
  }
  check(!/sk-test-0123456789/.test(await turn.innerText()), "a secret is in the answer");
  await w.shot("hostile");
  for (const link of await turn.locator("a.external").all()) {
    check(!/e\.test/.test((await link.getAttribute("data-href")) ?? ""), "a link to the attacker");
  }
}

// A pipe and an endless device in the places of files that the server opens: each is told or passed over, and nothing waits.
async function oddPlaces(w, places) {
  const root = path.join(places.ws, "odd");
  fs.rmSync(root, { recursive: true, force: true });
  fs.cpSync(path.join(places.ws, "shop"), root, { recursive: true });
  fs.rmSync(path.join(root, ".scope"), { recursive: true, force: true });
  fs.mkdirSync(path.join(root, ".scope"));
  for (const name of ["audit.jsonl", "scope-pipe-1.md"]) execFileSync("mkfifo", [path.join(root, ".scope", name)]);
  fs.symlinkSync("/dev/zero", path.join(root, ".scope/scope-endless-1.md"));
  execFileSync("mkfifo", [path.join(root, ".gitignore")]);
  const model = new ScriptedModel(places.e2e);
  model.script([FIRST], ENOUGH, DOCUMENT);
  await w.open(root);
  await w.closeAll();
  await chooseModel(w, FIRST.name);
  const question = "Where is the password of a user checked?";
  await w.ask(question);
  const turn = await w.turn(question, "done", 60_000);
  check((await turn.locator("a.reference", { hasText: "login.py:19-28" }).count()) > 0, "the citation is no link");
  await w.shot("odd-places");
  equal(serverPids(w.editor).length, 1, "servers");
}

// What a model writes becomes text, in the panel, in the saved file and in the editor's own preview of it.
async function hostileModel(w, places) {
  const model = new ScriptedModel(places.e2e);
  const lines = [
    "a\r![x](http://e.test/?q=1)\r<img src=http://e.test/2>\r\rb",
    "| a ` | ![x](http://e.test/?q=3) ` |\n|---|---|\n| b ` | <img src=http://e.test/4> ` |",
    "\u001b[2J\u202eMARK\u0000\u009b2J",
  ];
  model.script([FIRST], ENOUGH, { text: `${DOCUMENT.text}\n${lines.join("\n\n")}\n` });
  await w.showFolder(path.join(places.ws, "shop"));
  await w.closeAll();
  await chooseModel(w, FIRST.name);
  const question = "Where is the hash of a password compared?";
  await w.ask(question);
  const turn = await w.turn(question, "done");
  equal(await (await w.panel(question)).locator("#thread img").count(), 0, "images in the panel");
  check((await turn.locator("a.reference", { hasText: "login.py:19-28" }).count()) > 0, "the citation is no link");
  const folder = path.join(places.ws, "shop/.scope");
  const [name] = fs.readdirSync(folder).filter((item) => item.includes("hash-of-a-password"));
  const text = fs.readFileSync(path.join(folder, name), "utf8");
  matches(text, /\u241b\[2J\ufffdMARK\u2400\ufffd2J/, "the saved document");
  // eslint-disable-next-line no-control-regex
  check(!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(text), "the saved document steers");
  const open = async () => (await w.turnNow(question)).getByRole("button", { name: "Open as Document" });
  const mark = async () => (await w.frame((frame) => frame.locator("body.vscode-body", { hasText: "MARK" }), 5_000)).locator("body");
  await clickUntil("the preview", open, mark);
  equal(await (await mark()).locator("img").count(), 0, "images in the preview");
  await w.shot("hostile-model");
  equal(w.foreign.join(" "), "", "requests that left the machine");
}

// In an editor of its own, with the extensions of the other.
async function limited(w, { ws, machineSettings }) {
  const trusting = w.editor;
  const asking = new Editor(trusting.root, trusting.port + 1, { data: "data-asking", asksForTrust: true });
  fs.rmSync(asking.data, { recursive: true, force: true });
  asking.profile(machineSettings, { "security.workspace.trust.startupPrompt": "never" });
  await asking.start();
  w.editor = asking;
  try {
    await w.open(path.join(ws, "hostile"));
    await w.page.locator("#scope-lsp\\.scope\\.scope\\.status .codicon-shield").waitFor();
    await until(30_000, "no server", () => serverPids(asking).length === 0);
    await w.command("Scope: Ask");
    await w.notification("not trusted").waitFor();
    await w.shot("not-trusted");
  } finally {
    w.editor = trusting;
    await w.page.goto("about:blank");
    await asking.stop();
  }
}

async function wrongPath(w, { ws, machineSettings }) {
  w.editor.machineSettings({ ...machineSettings, "scope.server.path": "/nowhere/scope-lsp" });
  try {
    await w.open(path.join(ws, "shop"));
    await w.notification("is not a program that can be run").waitFor();
    await w.shot("wrong-path");
  } finally {
    w.editor.machineSettings(machineSettings);
  }
  await until(30_000, "the server to start again", () => serverPids(w.editor).length === 1);
}

async function quiet(w) {
  equal(w.foreign.join(" "), "", "requests that left the machine");
}

export const scenarios = {
  "a running answer is stopped": cancels,
  "a killed server is started again and the answer says so": crashes,
  "hostile code stays text": hostile,
  "pipes and devices in the places of files hang nothing": oddPlaces,
  "nothing that a model writes acts": hostileModel,
  "a folder that is not trusted is left alone": limited,
  "a wrong server path is explained": wrongPath,
  "nothing was asked of the network": quiet,
};
