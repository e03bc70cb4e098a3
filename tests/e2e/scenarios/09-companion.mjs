// What makes people keep it: jumps are no selections, modes that cannot run are not offered, no answer is lost.
import path from "node:path";
import { check, equal, matches } from "../lib/assert.mjs";
import { configure } from "../lib/configure.mjs";
import { chooseModel, FIRST, ScriptedModel } from "../lib/model.mjs";
import { chooseFromMenu, clickUntil, until } from "../lib/wait.mjs";

const question = "How is a password checked?";
const other = "How does the cart add an item?";
const rows = (w, text) => w.page.locator(".pane-body .monaco-list-row", { hasText: text });
const row = (w, text) => rows(w, text).first();

async function choosesNone(w) {
  await w.command("Scope: Choose Model");
  await w.page.locator(".quick-input-widget .monaco-list-row", { hasText: "No model (offline)" }).click();
}

async function jumps(w, places) {
  // The model is there from the start: the editor may not ask its providers again while the window is open.
  new ScriptedModel(places.e2e).script([FIRST]);
  await w.showFolder(path.join(places.ws, "shop"));
  await w.closeAll();
  // Nor is a mode set for the folder, as other scenarios do.
  await configure(w, { "scope.answer.mode": undefined }, "workspace");
  await choosesNone(w);
  await w.openFile("shop/cart.py");
  await w.ask(question);
  await w.turn(question, "done");
  const link = async () => (await w.turnNow(question)).locator("a.reference", { hasText: /login\.py:\d+/ }).first();
  await clickUntil("the cited lines", link, async () => /selected/.test(await w.selection()));
  await w.command("Scope: Ask");
  const title = w.page.locator(".quick-input-title");
  await until(10_000, "the box", async () => (await title.innerText()).trim() !== "");
  equal((await title.innerText()).trim(), "Scope: Ask", "the title of the box after a jump");
  await w.shot("jump-is-no-selection");
  await w.page.keyboard.press("Escape");
  await w.page.locator(".monaco-editor .view-lines").first().click();
  await w.goTo(3, 1);
  await w.page.keyboard.press("Shift+ArrowDown");
  await w.page.keyboard.press("Shift+ArrowDown");
  await until(10_000, "a selection", async () => /selected/.test(await w.selection()));
  await w.command("Scope: Ask");
  await until(10_000, "the box", async () => (await title.innerText()).trim() !== "");
  matches(await title.innerText(), /about .*login\.py:3-4$/, "the title of the box after a selection");
  await w.shot("selection-is-named");
  await w.page.keyboard.press("Escape");
}

async function modes(w, places) {
  const turn = await w.turn(question, "done");
  const buttons = () => turn.locator(".mode-choices button").allInnerTexts();
  equal((await buttons()).join(), "Connect a model", "what is offered without a model");
  await w.shot("modes-without-model");
  const model = new ScriptedModel(places.e2e);
  model.script([FIRST], { text: "", waits: true });
  await chooseModel(w, FIRST.name);
  await until(30_000, "the modes to be offered", async () => (await buttons()).join() === "pipeline,agent,plan,iterative");
  await w.shot("modes-with-model");
}

async function keepsAnswer(w, places) {
  await w.turn(question, "done");
  const model = new ScriptedModel(places.e2e);
  const button = (name) => async () => (await w.turnNow(question)).getByRole("button", { name });
  await clickUntil("the model to be asked", button("pipeline"), () => model.requests.length > 0);
  await w.turn(question, "running");
  const hasEnded = async () => (await (await w.panel(question)).locator('.turn[data-state="running"]').count()) === 0;
  await clickUntil("the try to end", button("Stop"), hasEnded);
  const panel = await w.panel(question);
  const first = panel.locator(".turn").first();
  equal(await first.getAttribute("data-state"), "done", "the first answer");
  check((await first.locator("a.reference").count()) > 0, "the first answer lost its references");
  await first.scrollIntoViewIfNeeded();
  await w.shot("failed-try-beside-answer");
  model.script([]);
  await choosesNone(w);
}

async function keepsThreads(w) {
  await w.ask(other);
  await w.turn(other, "done");
  await w.page.locator(".activitybar .action-label[aria-label^='Scope']").first().click();
  await row(w, question).waitFor();
  await row(w, other).waitFor();
  await w.shot("side-bar");
  await row(w, question).click();
  await w.panel(question);
  matches(await row(w, "Model").innerText(), /none; answers are made offline/, "the model's row");
  matches(await row(w, "Code").innerText(), /ready/, "the code's row");
}

async function asksAndDeletes(w) {
  const before = await rows(w, other).count();
  await row(w, other).hover();
  await row(w, other).locator(".action-label[aria-label^='Ask Again']").click();
  await until(90_000, "the question to be there twice", async () => (await rows(w, other).count()) === before + 1);
  await w.turn(other, "done");
  // A scenario that was played twice asked twice.
  const asked = await rows(w, question).count();
  await row(w, question).hover();
  await row(w, question).locator(".action-label[aria-label^='Delete']").click();
  const dialog = w.page.locator(".monaco-dialog-box");
  matches(await dialog.innerText(), /Saved documents stay where they are/, "what the dialog says");
  await w.shot("side-bar-delete");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await until(30_000, "the thread to be gone", async () => (await rows(w, question).count()) === asked - 1);
  await w.shot("side-bar-deleted");
}

async function compares(w) {
  await row(w, other).click();
  await w.turn(other, "done");
  await until(60_000, "the comparison to open", async () => {
    await w.page.keyboard.press("Escape"); // Closes a menu that is still open.
    await rows(w, other).nth(0).click({ timeout: 4_000 });
    await rows(w, other).nth(1).click({ modifiers: ["Control"], timeout: 4_000 });
    await rows(w, other).nth(1).click({ button: "right", timeout: 4_000 });
    await chooseFromMenu(w, "Compare Answers");
    await w.page.locator(".monaco-diff-editor").waitFor({ timeout: 10_000 });
    return true;
  });
  matches(await w.page.locator(".tab.active").last().innerText(), /↔/, "the title of the comparison");
  await w.shot("compared");
}

export const scenarios = {
  "a jump is no selection, a selection is named": jumps,
  "only modes that can be taken are offered": modes,
  "a try that ends early leaves the answer": keepsAnswer,
  "a new question keeps the earlier thread in the side bar": keepsThreads,
  "the side bar asks again and deletes": asksAndDeletes,
  "two answers are compared": compares,
};
