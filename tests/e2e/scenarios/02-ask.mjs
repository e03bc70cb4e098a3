// From the palette to the cited lines.
import fs from "node:fs";
import path from "node:path";
import { check, equal, matches } from "../lib/assert.mjs";
import { openCold } from "../lib/cold.mjs";
import { actUntil, clickUntil, until } from "../lib/wait.mjs";

const question = "How does authentication check a password?";
const CITED = /sessions\.py:\d+/; // Another file than the one in front by then.

// Notes every length that the answer's text has on the page, from the moment the panel is there.
async function recordGrowth(panel) {
  await panel.evaluate(() => {
    window.growth = [];
    const note = () => {
      const length = document.querySelector(".turn .answer")?.textContent.length ?? 0;
      if (length > 0 && length !== window.growth.at(-1)) window.growth.push(length);
    };
    window.pieces = 0;
    window.addEventListener("message", ({ data }) => (window.pieces += data.type === "text" ? 1 : 0));
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
    note();
  });
}

function referenceTo(turn, pattern) {
  return turn.locator("a.reference", { hasText: pattern }).first();
}

async function streams(w, places) {
  await openCold(w, places, "django");
  await w.openFile("django/db/migrations/executor.py");
  const asked = "How are migrations applied in the right order?";
  await w.ask(asked);
  const panel = await w.panel(asked);
  await recordGrowth(panel);
  await w.shot("streaming");
  const turn = await w.turn(asked, "done");
  await w.shot("answer");
  const { growth, pieces } = await panel.evaluate(() => ({ growth: window.growth, pieces: window.pieces }));
  check(pieces >= 3, `the text came in ${pieces} pieces`);
  check(growth.length >= 2, `the text was shown in ${growth.length} steps: ${growth}`);
  matches(await turn.locator(".stats").innerText(), /\d+ files? · .*[\d.]+\ss · offline/, "the stats line");
  const announced = await panel.locator("#announcer").textContent();
  matches(announced, /^The answer is complete, with \d+ references\.$/, "what a screen reader is told");
}

async function opensReference(w, { ws }) {
  await w.open(path.join(ws, "shop"));
  await w.closeAll();
  await w.openFile("shop/cart.py");
  await w.ask(question);
  const turn = await w.turn(question, "done");
  const link = referenceTo(turn, /login\.py:\d+/);
  const label = await link.innerText();
  const [, first, last = first] = /login\.py:(\d+)(?:-(\d+))?/.exec(label);
  const groups = await w.page.locator(".editor-group-container").count();
  const shown = async () => referenceTo(await w.turnNow(question), /login\.py:\d+/);
  await clickUntil(label, shown, () => w.isSelected("login.py", Number(first), Number(last)));
  equal(await w.page.locator(".editor-group-container").count(), groups, "editor groups after a click");
  matches(await w.selection(), /Col 1 /, "the column of the cursor, where the begin of the lines is in sight");
  await w.shot("reference-opened");
}

async function hovers(w) {
  await w.turn(question, "done");
  const hover = async () => {
    const now = await w.turnNow(question);
    await now.locator("header h2").hover({ timeout: 4_000 });
    await referenceTo(now, /login\.py:\d+/).hover({ timeout: 4_000 });
  };
  const peek = async () => (await w.panel(question)).locator("#peek:not([hidden])").innerText({ timeout: 2_000 });
  const text = await actUntil("the hover", hover, peek);
  matches(text, /login\.py[\s\S]*def /, "the cited lines");
  await w.shot("hover");
  await w.page.keyboard.press("Escape");
}

async function byKeyboard(w) {
  const turn = await w.turn(question, "done");
  const label = await referenceTo(turn, CITED).innerText();
  const [, name, first, last = first] = /(\w+\.py):(\d+)(?:-(\d+))?/.exec(label);
  const press = async () => {
    await referenceTo(await w.turnNow(question), CITED).focus({ timeout: 4_000 });
    const panel = await w.panel(question);
    await panel.locator("#peek:not([hidden])").waitFor({ timeout: 4_000 });
    await w.page.keyboard.press("Enter");
  };
  await actUntil(label, press, () => w.isSelected(name, Number(first), Number(last)));
}

async function copies(w, { ws }) {
  await w.turn(question, "done");
  const folder = path.join(ws, "shop/.scope");
  const [saved] = fs.readdirSync(folder).filter((name) => name.endsWith(".md") && name.includes("password"));
  const text = fs.readFileSync(path.join(folder, saved), "utf8");
  const button = async () => (await w.turnNow(question)).getByRole("button", { name: "Copy as Markdown" });
  const isCopied = async () => (await w.page.evaluate(() => navigator.clipboard.readText())) === text;
  await clickUntil("the clipboard to hold the document", button, isCopied);
}

async function followsUp(w) {
  const before = await w.turn(question, "done");
  const panel = await w.panel(question);
  const asked = "And who calls find_session?";
  await panel.locator("#question").fill(asked);
  await w.page.keyboard.press("Enter");
  await w.turn(asked, "done");
  equal(await panel.locator(".turn").count(), 2, "turns in the panel");
  check(await before.isVisible(), "the first answer is gone");
  await w.shot("follow-up");
}

async function survivesReload(w) {
  await w.reload();
  const turn = await w.turn(question, "done");
  const panel = await w.panel(question);
  equal(await panel.locator(".turn").count(), 2, "turns after the reload");
  check((await turn.locator("a.reference").count()) > 0, "no references after the reload");
  const link = async () => referenceTo(await w.turnNow(question), /login\.py:\d+/);
  await clickUntil("login.py to open", link, () => w.isInFront("login.py"));
  await w.shot("reloaded");
  const asked = "And who calls that?";
  await panel.locator("#question").fill(asked);
  await panel.locator("#question").press("Enter");
  const next = await w.turn(asked, "done");
  matches(await next.locator(".answer").textContent(), /Follows up on/, "a question that follows up after a restart");
}

async function showsLast(w) {
  await w.closeAll();
  await w.command("Scope: Show Last Answer");
  await w.turn(question, "done");
}

async function keepsHistory(w) {
  await w.command("Scope: Ask");
  await w.page.locator(".quick-input-widget .monaco-list-row", { hasText: question }).waitFor();
  await w.shot("history");
  await w.page.keyboard.press("Escape");
}

export const scenarios = {
  "an answer streams in": streams,
  "a reference opens the file with its lines selected": opensReference,
  "hovering a reference shows the cited lines": hovers,
  "references work by keyboard": byKeyboard,
  "the answer is copied as markdown": copies,
  "a follow-up is answered below": followsUp,
  "a reload of the window keeps the thread": survivesReload,
  "a closed answer is shown again": showsLast,
  "the box offers earlier questions": keepsHistory,
};
