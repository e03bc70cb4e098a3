// What is not committed goes along with a question: from Source Control, by its name, and in the chat's words.
import path from "node:path";
import { check, equal, matches } from "../lib/assert.mjs";
import { configure } from "../lib/configure.mjs";
import { shotsInThemes } from "../lib/theme.mjs";
import { chooseFromMenu, clickUntil, until } from "../lib/wait.mjs";

const question = "What do these changes affect?";
const title = (w) => w.page.locator(".quick-input-title");
const quickRow = (w, text) => w.page.locator(".quick-input-widget .monaco-list-row", { hasText: text }).first();
const change = (w, name) => w.page.locator(`.scm-view .monaco-list-row[aria-label*="${name}"]`).first();

async function opens(w, { ws }) {
  await w.showFolder(path.join(ws, "changed"));
  await w.closeAll();
  await configure(w, { "git.enabled": true });
  await w.command("Source Control: Focus on Changes View");
  await change(w, "cart.py").waitFor({ timeout: 60_000 });
}

const titled = (w, wanted) =>
  until(8_000, `the box to be titled ${wanted}`, async () => {
    const text = (await title(w).innerText()).trim();
    if (!wanted.test(text)) throw new Error(text);
    return text;
  });

async function fromSourceControl(w, places) {
  await opens(w, places);
  await until(60_000, "the question box from a changed file", async () => {
    await w.page.keyboard.press("Escape");
    await change(w, "cart.py").click({ button: "right" });
    await chooseFromMenu(w, "Ask About Changes");
    await titled(w, /about uncommitted changes, shop\/cart\.py$/);
    return true;
  });
  await w.shot("changes-of-a-file");
  await quickRow(w, "attached changes").waitFor();
  await quickRow(w, "attached file").click();
  await titled(w, /about uncommitted changes$/);
  await w.answerQuickInput("Scope: Ask about uncommitted changes", question);
  const turn = await w.turn(question, "done");
  equal(await turn.locator(".about").innerText(), "about uncommitted changes", "what the question is about");
  const text = await turn.locator(".answer").textContent();
  matches(text, /3 files, with definitions: 2 changed and 1 new/, "what has changed");
  matches(text, /Session\.is_expired[\s\S]*find_session[\s\S]*calls it at/, "who uses what was staged");
  matches(text, /postage\.py is new, and not known to git yet/, "a file that git does not know");
  await w.shot("changes-answer");
  const link = async () => (await w.turnNow(question)).locator("a", { hasText: /cart\.py:19/ }).first();
  await clickUntil("the changed line", link, () => w.isSelected("cart.py", 19, 19));
  await configure(w, { "git.enabled": false });
}

// No pointer: the command, the name with its completion, the chip that Backspace takes back, and the link by Tab.
async function byKeyboard(w, places) {
  await w.showFolder(path.join(places.ws, "changed"));
  await w.closeAll();
  await w.command("Scope: Ask About Changes");
  await titled(w, /about uncommitted changes$/);
  await w.page.keyboard.type(question);
  await quickRow(w, question).waitFor();
  await w.page.keyboard.press("Enter");
  const panel = await w.panel(question);
  await w.turn(question, "done");
  await panel.locator("#question").focus();
  const chips = panel.locator(".chip");
  await w.page.keyboard.type("Who pays? #chan", { delay: 20 });
  await panel.locator(".option", { hasText: "uncommitted changes" }).first().waitFor();
  await w.shot("changes-names");
  await w.page.keyboard.press("ArrowDown");
  await w.page.keyboard.press("Enter");
  equal(await chips.innerText(), "changes\nchanges of the last commit", "the second of the names");
  await w.page.keyboard.type("#changes", { delay: 20 });
  await panel.locator(".option").first().waitFor();
  await w.page.keyboard.press("Tab");
  equal(await chips.count(), 1, "chips: other changes take the place of the first");
  matches(await chips.innerText(), /uncommitted changes/, "the chip");
  await w.page.keyboard.press("Enter");
  const turn = await w.turn("Who pays?", "done");
  matches(await turn.locator(".answer").textContent(), /What has changed/, "the changes beside the answer");
}

async function inThemes(w) {
  await shotsInThemes(w, "changes");
  check(await (await w.turnNow(question)).isVisible(), "the answer is not shown any more");
}

export const scenarios = {
  "from Source Control, limited to a file or not": fromSourceControl,
  "by keyboard, and by name in the panel": byKeyboard,
  "in dark and high contrast": inThemes,
};
