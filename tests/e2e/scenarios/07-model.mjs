// The editor's own model: chosen, allowed, streaming, stopped, out of quota, gone; its key; and what would be sent.
import fs from "node:fs";
import path from "node:path";
import { check, equal, matches } from "../lib/assert.mjs";
import { configure } from "../lib/configure.mjs";
import { serverPids } from "../lib/editor.mjs";
import { chooseModel, DOCUMENT, ENOUGH, FIRST, ScriptedModel } from "../lib/model.mjs";
import { clickUntil, until } from "../lib/wait.mjs";

// Asks for a place, so that the mode is the pipeline wherever it is chosen.
const question = "Where is the password of a user checked?";
const notes = (turn) => turn.locator(".notes").innerText();

async function openShop(w, { ws }) {
  await w.showFolder(path.join(ws, "shop"));
  await w.closeAll();
}

async function noModel(w, places) {
  const model = new ScriptedModel(places.e2e);
  model.script([]);
  await openShop(w, places);
  await w.command("Scope: Choose Model");
  const widget = w.page.locator(".quick-input-widget", { hasText: "Scope: Choose Model" });
  await widget.locator(".monaco-list-row", { hasText: "No model (offline)" }).waitFor();
  equal(await widget.locator(".monaco-list-row", { hasText: "Scripted" }).count(), 0, "models in the list");
  await w.shot("no-model-to-choose");
  await w.page.keyboard.press("Escape");
  model.script([FIRST]);
  await chooseModel(w, FIRST.name);
  model.script([]);
  await w.ask(question);
  const turn = await w.turn(question, "done");
  matches(await notes(turn), /is not there now/, "the note");
  matches(await turn.locator(".answer").innerText(), /login\.py/, "the answer without the model");
  await w.shot("model-gone");
}

async function consent(w, places) {
  const model = new ScriptedModel(places.e2e);
  const careful = { id: "careful", name: "Careful Model", needsConsent: true };
  model.script([careful], ENOUGH, DOCUMENT);
  await openShop(w, places);
  await chooseModel(w, careful.name);
  const dialog = w.page.locator(".monaco-dialog-box");
  await w.ask(question);
  await dialog.waitFor({ timeout: 60_000 });
  matches(await dialog.innerText(), /Scope/, "the dialog");
  await w.shot("consent");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  const refused = await w.turn(question, "done");
  matches(await notes(refused), /you did not allow it/, "the note");
  equal(model.requests.length, 0, "requests without leave");
  await w.ask(question);
  await dialog.waitFor({ timeout: 60_000 });
  await dialog.getByRole("button", { name: "Allow" }).click();
  const turn = await w.turn(question, "done");
  matches(await turn.locator(".stats").innerText(), /Careful Model · 2 calls/, "the stats");
}

async function streams(w, places) {
  const model = new ScriptedModel(places.e2e);
  const long = { text: `${DOCUMENT.text}\n${"The password is never stored. ".repeat(30)}\n` };
  model.script([FIRST], { ...ENOUGH, gated: true }, long);
  await openShop(w, places);
  await chooseModel(w, FIRST.name);
  await w.ask(question);
  const panel = await w.panel(question);
  await panel.evaluate(() => {
    window.pieces = 0;
    window.totals = new Set();
    window.addEventListener("message", ({ data }) => {
      window.pieces += data.type === "text" ? 1 : 0;
      window.totals.add(document.querySelector(".totals")?.textContent ?? "");
    });
  });
  model.release();
  const turn = await w.turn(question, "done");
  const { pieces, totals } = await panel.evaluate(() => ({ pieces: window.pieces, totals: [...window.totals] }));
  check(pieces >= 5, `the text came in ${pieces} pieces`);
  check(totals.some((text) => /1 call · [\d,]+ of 100,000 tokens/.test(text)), `running totals: ${totals.join(" | ")}`);
  matches(await turn.locator(".stats").innerText(), /First Model · 2 calls · [\d,]+ of 100,000 tokens/, "the stats");
  matches(await turn.locator(".mode").innerText(), /Mode: pipeline, chosen because[\s\S]*Answer again with/, "the mode");
  check((await turn.locator("a.reference", { hasText: "login.py:19-28" }).count()) > 0, "the citation is no link");
  equal(model.requests.length, 2, "requests");
  await w.shot("model-answer");
}

async function cancels(w, places) {
  const model = new ScriptedModel(places.e2e);
  model.script([FIRST], ENOUGH, { text: "## Summary\n\nPasswords are", waits: true });
  await openShop(w, places);
  await chooseModel(w, FIRST.name);
  await w.ask(question);
  await w.turn(question, "running");
  await until(60_000, "the second request", () => model.requests.length === 2);
  const stop = async () => (await w.turnNow(question)).getByRole("button", { name: "Stop" });
  const turn = await clickUntil("the stop", stop, () => w.turn(question, "cancelled", 7_000));
  matches(await turn.locator(".note.problem").innerText(), /Stopped on your request/, "the note");
  await until(30_000, "the provider to be told", () => model.log.some((entry) => entry.cancelled));
}

async function quota(w, places) {
  const model = new ScriptedModel(places.e2e);
  model.script([FIRST], { fault: "quota" });
  await openShop(w, places);
  await chooseModel(w, FIRST.name);
  await w.ask(question);
  const turn = await w.turn(question, "done");
  matches(await notes(turn), /quota is used up/, "the note");
  matches(await turn.locator(".answer").innerText(), /login\.py/, "the answer without the model");
  await w.shot("quota");
}

async function previews(w, places) {
  const model = new ScriptedModel(places.e2e);
  model.script([FIRST], ENOUGH, DOCUMENT);
  await openShop(w, places);
  await chooseModel(w, FIRST.name);
  await w.command("Scope: Preview What Would Be Sent");
  await w.answerQuickInput("Preview What Would Be Sent", question);
  const page = await w.frame((frame) => frame.locator("h1", { hasText: "What would be sent" }));
  const text = await page.locator("body").innerText();
  for (const words of [/no model was called/, /First Model/, /the editor's model/, /shop\/login\.py/, /lines \d+/, /synthesis/, /at most [\d,]+/]) {
    matches(text, words, "the page");
  }
  equal(model.requests.length, 0, "requests of a preview");
  await w.shot("preview-what-would-be-sent");
}

// Of every server: one of a window that was closed a moment ago may still be there.
function environments(w) {
  return serverPids(w.editor).map((pid) => {
    try {
      return fs.readFileSync(`/proc/${pid}/environ`, "utf8");
    } catch {
      return ""; // it has just ended
    }
  });
}

async function typesKey(w, key) {
  await w.command("Scope: Set Model Key");
  const input = w.page.locator(".quick-input-widget input[type=password]");
  await input.waitFor();
  await input.fill(key);
  await w.shot("set-model-key");
  await w.page.keyboard.press("Enter");
}

async function keepsKey(w, places) {
  const key = "secret-e2e-4711-key";
  await openShop(w, places);
  const hasKey = () => environments(w).some((text) => text.includes(`SCOPE_API_KEY=${key}`));
  await w.command("Scope: Remove Model Key");
  await until(60_000, "a server without a key", () => environments(w).length > 0 && !hasKey());
  await typesKey(w, key);
  await until(60_000, "a server with the key", hasKey);
  for (const name of ["User/settings.json", "Machine/settings.json"]) {
    check(!fs.readFileSync(path.join(w.editor.data, name), "utf8").includes(key), `the key is in ${name}`);
  }
  await w.command("Scope: Show Log");
  await w.page.locator(".output-view, .monaco-editor[data-uri^='output']").first().waitFor();
  check(!(await w.page.locator(".monaco-workbench").innerText()).includes(key), "the key is on the screen");
  await w.command("View: Hide Panel");
  await w.command("Scope: Remove Model Key");
  await until(60_000, "a server without the key", () => environments(w).length > 0 && !hasKey());
}

// Two calls of one turn through the editor's API: each result comes back under the call's own id.
async function callsTools(w, places) {
  const model = new ScriptedModel(places.e2e);
  const concluded = { question, relevant_file_paths: ["shop/login.py"], insights: "authenticate() compares hashes.", code_references: [] };
  model.script(
    [FIRST],
    {
      text: "I read both.",
      calls: [
        { id: "first", name: "read_symbols", input: { names: ["authenticate"] } },
        { id: "second", name: "grep_in_files", input: { pattern: "open_session" } },
      ],
    },
    { calls: [{ id: "third", name: "generate_scoped_context", input: concluded }] },
    DOCUMENT,
  );
  await openShop(w, places);
  await configure(w, { "scope.answer.mode": "agent" }, "workspace");
  await chooseModel(w, FIRST.name);
  await w.ask(question);
  const turn = await w.turn(question, "done");
  await configure(w, { "scope.answer.mode": undefined }, "workspace");
  check((await turn.locator("a.reference", { hasText: "login.py:19-28" }).count()) > 0, "the citation is no link");
  equal(model.requests.length, 3, "requests");
  const [asked, answered] = model.requests;
  check(["read_symbols", "grep_in_files", "generate_scoped_context"].every((name) => asked.tools.includes(name)), `tools: ${asked.tools}`);
  const made = answered.messages.flatMap((message) => message.calls);
  equal(made.map((call) => call.callId).join(" "), "first second", "the calls that the model is reminded of");
  const results = new Map(answered.messages.flatMap((message) => message.results).map((result) => [result.callId, result.text]));
  matches(results.get("first"), /def authenticate/, "the first result");
  matches(results.get("second"), /open_session/, "the second result");
}

export const scenarios = {
  "no model is a list without one, and an answer without one": noModel,
  "the user is asked before the model is": consent,
  "the editor's model streams, and the totals run": streams,
  "the editor's model calls tools through the editor": callsTools,
  "a stop reaches the editor's model": cancels,
  "a used-up quota is said in words": quota,
  "what would be sent is shown without a call": previews,
  "a key reaches the server and nothing else": keepsKey,
};
