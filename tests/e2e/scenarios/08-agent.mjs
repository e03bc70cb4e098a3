// A model that looks around by itself: each step is seen, stopped in the middle, followed up; other modes; leave; tools.
import path from "node:path";
import { check, equal, matches } from "../lib/assert.mjs";
import { configure } from "../lib/configure.mjs";
import { chooseModel, DOCUMENT, ENOUGH, FIRST, ScriptedModel, toolCall } from "../lib/model.mjs";
import { clickUntil, until } from "../lib/wait.mjs";

const question = "Where is the password of a user checked?";
const CONCLUDED = toolCall("generate_scoped_context", {
  question,
  relevant_file_paths: ["shop/login.py"],
  insights: "authenticate() compares hashes.",
  code_references: [],
});

async function open(w, { ws }, name, mode) {
  await w.showFolder(path.join(ws, name));
  await w.closeAll();
  await configure(w, { "scope.answer.mode": mode }, "workspace");
  await chooseModel(w, FIRST.name);
}

async function showsSteps(w, places) {
  const model = new ScriptedModel(places.e2e);
  model.script(
    [FIRST],
    toolCall("search_for_files", { query: "password" }, "I look at the names of files first."),
    toolCall("read_symbol", { name: "authenticate" }),
    toolCall("read_symbol", { name: "nowhere_to_be_found" }),
    CONCLUDED,
    DOCUMENT,
  );
  await open(w, places, "shop", "agent");
  await w.ask(question);
  const turn = await w.turn(question, "done");
  const steps = turn.locator(".step.tool");
  equal(await steps.count(), 4, "calls");
  equal(await steps.evaluateAll((all) => all.map((step) => step.dataset.state).join(" ")), "ok ok failed ok", "their states");
  check(!(await turn.locator(".steps").evaluate((steps) => steps.open)), "the steps do not fold away");
  await turn.locator(".steps > summary").click();
  const read = steps.nth(1);
  matches(await read.locator("summary").innerText(), /read_symbol[\s\S]*authenticate[\s\S]*\d+ characters · .* s/, "a step");
  await read.locator("summary").click();
  matches(await read.locator("pre").innerText(), /name: authenticate/, "its arguments");
  matches(await turn.locator(".step.decision").first().innerText(), /call search_for_files[\s\S]*names of files first/, "a decision with its reason");
  matches(await turn.locator(".stats").innerText(), /First Model · 5 calls · [\d,]+ of 200,000 tokens/, "the totals");
  check((await turn.locator("a.reference", { hasText: "login.py:19-28" }).count()) > 0, "the citation is no link");
  await w.shot("agent-steps");
}

async function followsUp(w, places) {
  const model = new ScriptedModel(places.e2e);
  model.script([FIRST], CONCLUDED, DOCUMENT);
  const before = await w.turn(question, "done");
  const panel = await w.panel(question);
  const asked = "And where is the hash compared?";
  await panel.locator("#question").fill(asked);
  await w.page.keyboard.press("Enter");
  await w.turn(asked, "done");
  equal(await panel.locator(".turn").count(), 2, "turns in the panel");
  check(await before.isVisible(), "the first answer is gone");
  const sent = model.requests[0].messages.map((message) => message.text).join("\n");
  check(sent.includes(question), "the model was not told the question before");
  await w.shot("agent-follow-up");
}

async function stops(w, places) {
  const model = new ScriptedModel(places.e2e);
  const slow = "Which text ends with the letter a?";
  // Takes half a second in each of a hundred files, but for the tool's own limit.
  model.script([FIRST], toolCall("grep_in_files", { pattern: "(a|aa)+$" }), CONCLUDED, DOCUMENT);
  await open(w, places, "slow", "agent");
  await w.ask(slow);
  const turn = await w.turn(slow, "running");
  await turn.locator('.step.tool[data-state="running"]', { hasText: "grep_in_files" }).waitFor();
  await w.shot("agent-running");
  const stop = async () => (await w.turnNow(slow)).getByRole("button", { name: "Stop" });
  await clickUntil("the stop", stop, () => w.turn(slow, "cancelled", 7_000));
  const step = turn.locator(".step.tool", { hasText: "grep_in_files" });
  check(/stopped|failed|ok/.test(await step.getAttribute("data-state")), "the step goes on");
  equal(model.requests.length, 1, "requests after the stop");
  matches(await turn.locator(".note.problem").innerText(), /Stopped on your request/, "the note");
  matches(await turn.locator(".stats").innerText(), /Stopped after [\d.]+\ss · 1 call · [\d,]+ of 200,000 tokens/, "the totals");
  await w.shot("agent-stopped");
}

async function answersAgain(w, places) {
  const model = new ScriptedModel(places.e2e);
  model.script([FIRST], ENOUGH, DOCUMENT);
  await open(w, places, "shop", "auto");
  await w.ask(question);
  let turn = await w.turn(question, "done");
  matches(await turn.locator(".mode").innerText(), /Mode: pipeline, chosen because it asks for a place/, "the mode");
  const choices = turn.locator(".mode-choices button");
  equal((await choices.allInnerTexts()).join(" "), "offline agent plan iterative", "the other modes");
  model.script([FIRST], CONCLUDED, DOCUMENT);
  const choice = (name) => async () => (await w.turnNow(question)).locator(".mode-choices button", { hasText: name });
  await clickUntil("the agent's request", choice("agent"), () => model.requests.length > 0);
  turn = await w.turn(question, "done");
  matches(await turn.locator(".mode").innerText(), /Mode: agent/, "the mode that was picked");
  await clickUntil("the answer without a model", choice("offline"), async () => {
    turn = await w.turn(question, "done", 7_000);
    return /offline, no model/.test(await turn.locator(".stats").innerText());
  });
  await w.shot("answered-again");
}

const round = (confidence, reasoning, keep, ...calls) => ({
  text: JSON.stringify({ confidence, reasoning, keep_files: keep, tool_calls: calls }),
});

async function showsRounds(w, places) {
  const model = new ScriptedModel(places.e2e);
  model.script(
    [FIRST],
    round(40, "Where the hash is made is not seen yet.", ["shop/login.py"], { tool: "search_codebase", term: "hash_password" }),
    round(97, "Both ends are seen.", ["shop/login.py", "shop/sessions.py"]),
    DOCUMENT,
  );
  await open(w, places, "shop", "iterative");
  await w.ask(question);
  const turn = await w.turn(question, "done");
  await turn.locator(".steps > summary").click();
  const steps = await turn.locator(".steps").innerText();
  for (const words of [/confidence 40, \d+ needed\s+Where the hash is made is not seen yet/, /search_codebase[\s\S]*hash_password/, /keep \d+ files/, /stop: confidence_threshold_reached/]) {
    matches(steps, words, "the rounds");
  }
  equal(await turn.locator(".note.problem").count(), 0, "problems after a good end");
  await w.shot("iterative-rounds");
}

async function asksLeave(w, { ws, e2e }) {
  const model = new ScriptedModel(e2e);
  model.script([FIRST], ENOUGH, DOCUMENT);
  await open(w, { ws }, "shop", "pipeline");
  await configure(w, { "scope.approval": "always" });
  const dialog = w.page.locator(".monaco-dialog-box");
  await w.ask(question);
  await dialog.waitFor({ timeout: 60_000 });
  const text = await dialog.innerText();
  for (const words of [/May this request be sent to scripted\/First Model\?/, /Sees: .*input.*workspace/, /about [\d,]+ tokens/, /the editor's model/, /shop\/login\.py/]) {
    matches(text, words, "the dialog");
  }
  for (const name of ["Once", "This Session", "Always", "Deny"]) {
    check(await dialog.getByRole("button", { name }).isVisible(), `there is no button ${name}`);
  }
  await w.shot("approval");
  await dialog.getByRole("button", { name: "Deny" }).click();
  const refused = await w.turn(question, "done");
  equal(model.requests.length, 0, "requests without leave");
  matches(await refused.locator(".answer").innerText(), /login\.py/, "the answer without the model");
  await w.ask(question);
  await dialog.waitFor({ timeout: 60_000 });
  await dialog.getByRole("button", { name: "This Session" }).click();
  const turn = await w.turn(question, "done");
  matches(await turn.locator(".stats").innerText(), /First Model · 2 calls/, "the stats");
  await configure(w, { "scope.approval": undefined });
}

const TOOLS = [
  ["scope_analyze", { query: "check a password" }, /authenticate/],
  ["scope_outline", { path: "shop/login.py" }, /hash_password/],
  ["scope_read_symbol", { name: "require_login" }, /find_session/],
  ["scope_find_references", { name: "require_login" }, /cart\.py/],
  ["scope_ask", { question }, /login\.py/],
  ["scope_outline", { file: "shop/login.py" }, /'file'[\s\S]*They must match: /],
];

async function servesTools(w, { ws, e2e }) {
  const model = new ScriptedModel(e2e);
  await w.showFolder(path.join(ws, "shop"));
  await w.closeAll();
  for (const [name, input, words] of TOOLS) {
    const { text, error, known } = await model.invoke(w, name, input);
    check(error === undefined, `${name}: ${error}`);
    matches(text, words, name);
    check(known.includes(name), `${name} is not in the editor's list`);
  }
}

export const scenarios = {
  "each step of the agent is shown": showsSteps,
  "a follow-up goes on from the agent's answer": followsUp,
  "a tool call is stopped in the middle": stops,
  "one click answers again in another mode": answersAgain,
  "the rounds of the iterative mode are shown": showsRounds,
  "the user is asked before something is sent": asksLeave,
  "the editor's agents can call the tools": servesTools,
};
