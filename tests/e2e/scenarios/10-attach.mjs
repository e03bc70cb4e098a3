// What a question is about is shown and can be removed, wherever it was chosen.
import path from "node:path";
import { check, equal, matches } from "../lib/assert.mjs";
import { actUntil, chooseFromMenu, clickUntil, until } from "../lib/wait.mjs";

const ABOUT = "Scope: Ask About…";
const question = "How is the price summed up?";
const title = (w) => w.page.locator(".quick-input-title");
const box = (w) => w.page.locator(".quick-input-widget input[type=text]").first();
const quickRow = (w, text) => w.page.locator(".quick-input-widget .monaco-list-row", { hasText: text }).first();
const explorerRow = (w, name) => w.page.locator(`.explorer-folders-view .monaco-list-row[aria-label^="${name}"]`).first();

const titled = (w, wanted) =>
  until(8_000, `the box to be titled ${wanted}`, async () => {
    const text = (await title(w).innerText()).trim();
    if (!wanted.test(text)) throw new Error(text);
    return text;
  });

// A menu that a click closes too early is opened again.
async function fromMenu(w, open, wanted) {
  await until(60_000, `${ABOUT} to be chosen`, async () => {
    await w.page.keyboard.press("Escape");
    await open();
    await chooseFromMenu(w, ABOUT);
    await titled(w, wanted);
    return true;
  });
}

async function fromEditor(w, { ws }) {
  await w.showFolder(path.join(ws, "shop"));
  await w.closeAll();
  await w.openFile("shop/cart.py");
  await w.goTo(18, 9);
  await fromMenu(w, () => w.page.keyboard.press("Shift+F10"), /Ask about Cart\.total$/);
  await quickRow(w, "attached symbol").waitFor();
  await w.shot("attached-symbol");
  await quickRow(w, "attached symbol").click();
  await titled(w, /^Scope: Ask$/);
  await w.page.keyboard.press("Escape");
}

async function fromTab(w) {
  const tab = w.page.locator('.tab[data-resource-name="cart.py"]').first();
  await fromMenu(w, () => tab.click({ button: "right" }), /Ask about shop\/cart\.py$/);
  await w.page.keyboard.press("Escape");
}

async function fromExplorer(w) {
  await w.command("View: Show Explorer");
  await explorerRow(w, "shop").waitFor();
  await fromMenu(w, () => explorerRow(w, "shop").click({ button: "right" }), /Ask about shop\/$/);
  await w.shot("attached-folder");
  await w.answerQuickInput("Scope: Ask about shop/", question);
  const turn = await w.turn(question, "done");
  equal(await turn.locator(".about").innerText(), "about shop/", "what the question is about");
  matches(await turn.locator(".answer").textContent(), /Only shop was searched, as attached to the question/, "the answer");
}

async function fromProblem(w) {
  await w.openFile("shop/login.py");
  await w.goTo(25, 5);
  await w.command("Scripted: Report a Problem Here");
  const item = w.page.locator(".action-widget .monaco-list-row", { hasText: "Scope: Ask About This Problem" });
  await until(60_000, "the problem's action", async () => {
    await w.page.keyboard.press("Escape");
    await w.goTo(25, 5);
    await w.page.keyboard.press("Control+.");
    await item.first().click({ timeout: 4_000 });
    await titled(w, /the name may be empty here \(shop\/login\.py:25\)/);
    return true;
  });
  await w.shot("attached-problem");
  await w.page.keyboard.press("Escape");
}

async function byName(w) {
  await w.command("Scope: Ask");
  await titled(w, /^Scope: Ask/);
  await box(w).fill("Where is it opened? #sessions");
  await quickRow(w, "attach file").waitFor();
  await w.shot("names-in-the-box");
  await quickRow(w, "shop/sessions.py").click();
  await titled(w, /about .*shop\/sessions\.py$/);
  equal(await box(w).inputValue(), "Where is it opened? ", "what is left of the text");
  await quickRow(w, "attached file").waitFor();
  await w.page.keyboard.press("Escape");
}

async function inComposer(w) {
  await w.command("Scope: Show Last Answer");
  const panel = await w.panel(question);
  await panel.locator("#question").fill("Who may pay? @cart");
  await panel.locator(".option", { hasText: "shop/cart.py" }).first().waitFor();
  await w.shot("names-in-the-panel");
  await panel.locator("#question").press("Enter");
  const chips = panel.locator(".chip");
  equal(await chips.count(), 1, "chips");
  await panel.locator("#question").pressSequentially("#Session");
  await panel.locator(".option", { hasText: "SessionStore" }).first().click();
  await until(5_000, "a second chip", async () => (await chips.count()) === 2);
  await w.shot("chips");
  await chips.filter({ hasText: "Session" }).getByRole("button").click();
  equal(await chips.count(), 1, "chips after one was removed");
  await panel.locator("#question").press("Enter");
  const turn = await w.turn("Who may pay?", "done");
  equal(await turn.locator(".about").innerText(), "about shop/cart.py", "what the follow-up is about");
}

async function inSideBar(w) {
  await w.page.locator(".activitybar .action-label[aria-label^='Scope']").first().click();
  const side = await w.frame("body > main > #composer");
  const asked = "Where does a session end?";
  await side.locator("#question").fill(`${asked} #sessions`);
  await side.locator(".option", { hasText: "shop/sessions.py" }).first().waitFor();
  await side.locator("#question").press("Enter");
  equal(await side.locator(".chip").count(), 1, "chips in the side bar");
  await w.shot("side-bar-ask");
  await side.locator("#question").press("Enter");
  const turn = await w.turn(asked, "done");
  equal(await turn.locator(".about").innerText(), "about shop/sessions.py", "what it is about");
  check((await side.locator(".chip").count()) === 0, "the chip stayed after the question was asked");
}

// Over the side bar's icon the views change under the pointer, as for a user.
async function drags(w) {
  const { mouse } = w.page;
  await mouse.up();
  await w.command("View: Show Explorer");
  const from = await settled(explorerRow(w, "README.md"));
  await mouse.move(from.x + 40, from.y + 8);
  await mouse.down();
  await mouse.move(from.x + 60, from.y + 20, { steps: 6 });
  const over = await w.page.locator(".activitybar .action-label[aria-label^='Scope']").first().boundingBox();
  const list = w.page.locator(".pane-body .monaco-list-row", { hasText: question }).first();
  await until(10_000, "the view to open under the drag", async () => {
    await mouse.move(over.x + over.width / 2 + Math.random(), over.y + over.height / 2, { steps: 3 });
    return list.isVisible();
  });
  // The views take their places while the page of the ask box loads.
  await w.frame("body > main > #composer");
  const to = await settled(list);
  await mouse.move(to.x + 60, to.y + 8, { steps: 8 });
  await mouse.move(to.x + 64, to.y + 10, { steps: 4 });
  await mouse.up();
}

// Where something stands once it has stopped to move.
function settled(locator) {
  let before;
  return until(10_000, "the layout to rest", async () => {
    const now = await locator.boundingBox({ timeout: 2_000 });
    const same = before && now && before.x === now.x && before.y === now.y;
    before = now;
    return same && now;
  });
}

async function isDropped(w) {
  const side = () => w.frame("body > main > #composer", 5_000);
  const chip = async () => (await side()).locator(".chip", { hasText: "README.md" });
  await actUntil("the dropped file", () => drags(w), async () => (await (await chip()).count()) > 0);
  await w.shot("dropped");
  const box = await side();
  await box.locator("#question").fill("");
  const takeBack = async () => box.locator("#question").press("Backspace", { timeout: 4_000 });
  await actUntil("the chip to be gone", takeBack, async () => (await box.locator(".chip").count()) === 0);
}

async function againAfterReload(w) {
  await w.reload();
  const asked = "Where does a session end?";
  await w.command("Scope: Show Last Answer");
  const before = await (await w.turn(asked, "done")).getAttribute("data-turn");
  const button = async () => (await w.turnNow(asked)).getByRole("button", { name: "Ask Again" });
  // A click may have its effect late and be made once more: what is read is the answer that stays.
  await clickUntil("another answer", button, async () => {
    const now = await w.turn(asked, "done", 7_000);
    if ((await now.getAttribute("data-turn")) === before) return false;
    return /Only shop\/sessions\.py was searched/.test(await now.locator(".answer").textContent());
  });
}

export const scenarios = {
  "a symbol from the editor's menu": fromEditor,
  "a file from its tab": fromTab,
  "a folder from the Explorer is all that is searched": fromExplorer,
  "a problem from its quick fixes": fromProblem,
  "a name behind # in the ask box": byName,
  "chips in the panel's box": inComposer,
  "the side bar's ask box": inSideBar,
  "what was attached is asked again after a reload": againAfterReload,
  "a file dropped from the Explorer": isDropped,
};
