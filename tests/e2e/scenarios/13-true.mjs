// Documents that stay true: an edit of the code, not saved, is seen in the document, the panel and the preview.
import fs from "node:fs";
import path from "node:path";
import { check, equal, matches } from "../lib/assert.mjs";
import { actUntil, clickUntil, until } from "../lib/wait.mjs";

const question = "Where is a session opened and when does it expire?";

function savedDocument(ws) {
  const folder = path.join(ws, "shop/.scope");
  const names = fs.readdirSync(folder).filter((item) => item.startsWith("scope-") && item.includes("session-opened"));
  const name = names.sort((a, b) => fs.statSync(path.join(folder, b)).mtimeMs - fs.statSync(path.join(folder, a)).mtimeMs)[0];
  return { name, text: fs.readFileSync(path.join(folder, name), "utf8") };
}

// Opens the code with the panel of an answer beside it.
async function answered(w, ws) {
  await w.showFolder(path.join(ws, "shop"));
  await clean(w);
  await w.closeAll();
  await w.openFile("shop/sessions.py");
  await w.ask(question);
  return w.turn(question, "done");
}

// Adds two lines at the top of the file in front, without saving it.
async function addLines(w) {
  await w.openFile("shop/sessions.py");
  await w.goTo(1, 1);
  await w.page.keyboard.type("# one\n# two\n", { delay: 20 });
}

async function undo(w) {
  await w.openFile("shop/sessions.py");
  await clean(w);
}

// Takes back what was not saved; the editor would bring it back with the window, or ask about it.
async function clean(w) {
  const dirty = w.page.locator(".tab.dirty");
  await until(30_000, "no unsaved edit", async () => {
    if ((await dirty.count()) === 0) return true;
    await dirty.first().click();
    await w.command("File: Revert File");
    await dirty.first().waitFor({ state: "detached", timeout: 3_000 });
    return (await dirty.count()) === 0;
  });
}

// The box over the first such link of the answer.
async function hovered(w, link) {
  const peek = async () => (await w.panel(question)).locator("#peek:visible");
  const hover = async () => {
    const turn = await w.turnNow(question);
    await turn.locator("header h2").hover({ timeout: 4_000 });
    await turn.locator(link).first().hover({ timeout: 4_000 });
  };
  await actUntil(`the hover over ${link}`, hover, async () => (await peek()).innerText({ timeout: 2_000 }));
  return peek();
}

async function marksInPanel(w, { ws }) {
  const turn = await answered(w, ws);
  equal(await turn.locator(".note.stale").count(), 0, "banners before the edit");
  await addLines(w);
  const banner = turn.locator(".note.stale");
  await banner.waitFor();
  matches(await banner.innerText(), /\d+ of \d+ references? (has|have) moved\./, "the banner");
  const moved = "a.reference.stale";
  const link = turn.locator(moved).first();
  matches(await link.getAttribute("data-stale"), /^moved to \d+/, "the mark of a link");
  matches(await turn.locator(".stats").innerText(), /moved since/, "the line under the question");
  await w.shot("true-panel");
  const peek = await hovered(w, moved);
  matches(await peek.innerText(), /has moved/, "the hover over a moved reference");
  await undo(w);
  await banner.waitFor({ state: "detached" });
}

async function goneInPanel(w, { ws }) {
  const turn = await answered(w, ws);
  await w.openFile("shop/sessions.py");
  await w.goTo(1, 1);
  await w.page.keyboard.press("Control+A");
  await w.page.keyboard.press("Delete");
  const peek = await hovered(w, 'a.reference.stale[data-stale="gone"]');
  matches(await peek.innerText(), /is gone/, "the hover over code that is gone");
  equal(await peek.locator("pre").count(), 0, "code in the hover over code that is gone");
  await w.shot("true-gone");
  await undo(w);
  await turn.locator("a.reference.stale").first().waitFor({ state: "detached" });
}

async function fixesDocument(w, { ws }) {
  await answered(w, ws);
  await addLines(w);
  const { name, text } = savedDocument(ws);
  await w.openFile(`.scope/${name}`);
  const lens = w.page.locator(".codelens-decoration", { hasText: /references? (has|have) moved/ }).first();
  await lens.waitFor();
  const line = text.split("\n").findIndex((item) => /\[[^\]]*sessions\.py:\d+-\d+\]\(/.test(item)) + 1;
  check(line > 0, "the document has no reference to sessions.py");
  await w.goTo(line, text.split("\n")[line - 1].indexOf("sessions.py:") + 3);
  await w.page.locator(".squiggly-info, .squiggly-warning").first().waitFor();
  await w.shot("true-document");
  await w.page.keyboard.press("Control+.");
  const row = w.page.locator(".action-widget .monaco-list-row", { hasText: /Update reference to \d+/ }).first();
  await row.waitFor();
  await w.shot("true-fixes");
  await w.page.locator(".action-widget .monaco-list-row", { hasText: "Update all moved references" }).first().click();
  await lens.waitFor({ state: "detached" });
  await w.shot("true-fixed");
  await undo(w);
}

async function marksInPreview(w, { ws }) {
  const turn = await answered(w, ws);
  await addLines(w);
  await turn.locator(".note.stale").waitFor();
  const open = async () => (await w.turnNow(question)).getByRole("button", { name: "Open as Document" });
  const inPreview = (wanted) => async () => (await w.frame(".scope-mark", 5_000)).locator(wanted).first();
  const mark = await clickUntil("the preview", open, inPreview(".scope-mark"));
  matches(await mark.innerText(), /moved to \d+/, "the mark in the preview");
  await w.shot("true-preview");
  const link = inPreview("a.scope-stale");
  const [, first] = /#L(\d+)/.exec(await (await link()).getAttribute("data-href"));
  await clickUntil(`sessions.py at line ${first}`, link, async () => {
    return (await w.isInFront("sessions.py")) && Number(/Ln (\d+)/.exec(await w.selection())?.[1]) >= Number(first);
  });
  await undo(w);
}

async function verifies(w, { ws }) {
  await answered(w, ws);
  await addLines(w);
  await w.command("Scope: Verify All Documents");
  await w.notification(/references have moved, in \d+ of/).waitFor();
  await w.shot("true-verify-all");
  const { name } = savedDocument(ws);
  await w.openFile(`.scope/${name}`);
  await w.command("Scope: Verify Document");
  const told = w.notification(/\d+ of \d+ references? (has|have) moved\./);
  await told.waitFor();
  await w.shot("true-verify");
  await undo(w);
}

async function asksAgain(w, { ws }) {
  const turn = await answered(w, ws);
  const before = savedDocument(ws).name;
  await addLines(w);
  await turn.locator(".note.stale").getByRole("button", { name: "Ask Again" }).click();
  await w.page.locator(".tab.active", { hasText: "(before and now)" }).first().waitFor({ timeout: 90_000 });
  check(savedDocument(ws).name !== before, "a new document was written");
  await w.shot("true-diff");
  await undo(w);
}

async function findsAnswers(w, { ws }) {
  await answered(w, ws);
  await w.openFile("shop/sessions.py");
  const lines = fs.readFileSync(path.join(ws, "shop/shop/sessions.py"), "utf8").split("\n");
  const line = lines.findIndex((item) => item.includes("def open_session")) + 1;
  await w.goTo(line, 12);
  await w.page.keyboard.press("Control+.");
  const row = w.page.locator(".action-widget .monaco-list-row", { hasText: "Which answers cite this?" }).first();
  await row.click();
  const list = w.page.locator(".reference-zone-widget, .peekview-widget, .tab.active[data-resource-name$='.md']").first();
  await list.waitFor();
  await w.shot("true-citing");
  await w.page.keyboard.press("Escape");
}

export const scenarios = {
  "an unsaved edit of cited code is seen in the panel": marksInPanel,
  "code that is gone is not shown": goneInPanel,
  "the document shows what has moved and quick fixes update it": fixesDocument,
  "the preview marks links and leads them to where the code is": marksInPreview,
  "documents are verified by command": verifies,
  "the question is asked again and both answers are compared": asksAgain,
  "a symbol tells which answers cite it": findsAnswers,
};
