// Several folders in one window, and files in none of them.
import fs from "node:fs";
import path from "node:path";
import { check, equal, matches } from "../lib/assert.mjs";
import { actUntil, clickUntil, until } from "../lib/wait.mjs";

const question = "How does authentication check a password?";
const OUTSIDE = "left out: it lies in no open folder";

const documents = (ws, folder) => {
  const place = path.join(ws, folder, ".scope");
  return fs.existsSync(place) ? fs.readdirSync(place).filter((name) => name.endsWith(".md")).length : 0;
};

// On a busy machine the editor now and then gives up on the list of folders, and shows an empty workspace.
async function opensBoth(w, list) {
  await until(120_000, "both folders", async () => {
    await w.open(list);
    await w.page.locator(".explorer-folders-view .monaco-list-row", { hasText: "shop" }).first().waitFor({ timeout: 15_000 });
    return true;
  });
}

// The folder that comes first is not the one that the question is about.
async function landsWhereItBelongs(w, { ws }) {
  await opensBoth(w, path.join(ws, "both.code-workspace"));
  await w.closeAll();
  const before = { shop: documents(ws, "shop"), hostile: documents(ws, "hostile") };
  await w.ask(question);
  await w.turn(question, "done");
  equal(documents(ws, "shop"), before.shop + 1, "documents in the folder that the answer cites");
  equal(documents(ws, "hostile"), before.hostile, "documents in the other folder");
  const link = async () => (await w.turnNow(question)).locator("a.reference", { hasText: /shop\/shop\/login\.py:\d+/ }).first();
  const [, first, last = first] = /login\.py:(\d+)(?:-(\d+))?/.exec(await (await link()).innerText());
  await clickUntil("the cited lines", link, () => w.isSelected("login.py", Number(first), Number(last)));
  await w.shot("several-folders");
}

async function opensOutside(w, file) {
  const input = w.page.locator(".quick-input-widget input[type=text]").first();
  const open = async () => {
    await w.page.keyboard.press("Escape");
    await w.command("File: Open File...");
    await input.waitFor({ timeout: 4_000 });
    await input.fill(file, { timeout: 4_000 });
    // The folder is read first.
    const row = w.page.locator(".quick-input-widget .monaco-list-row", { hasText: path.basename(file) });
    await row.first().click({ timeout: 10_000 });
  };
  await actUntil(`${file} in front`, open, () => w.isInFront(path.basename(file)));
}

async function saysWhatIsLeftOut(w, { ws }) {
  await opensOutside(w, path.join(ws, "fastapi/fastapi/logger.py"));
  await w.goTo(1, 1);
  await w.page.keyboard.press("Shift+ArrowDown");
  await until(10_000, "a selection", async () => /selected/.test(await w.selection()));
  await w.command("Scope: Ask About Selection");
  const title = w.page.locator(".quick-input-title");
  await until(10_000, "the box", async () => /logger\.py/.test(await title.innerText()));
  matches(await title.innerText(), new RegExp(OUTSIDE), "the title of the box");
  await w.shot("outside-box");
  const asked = "Where is a session opened?";
  await w.answerQuickInput("logger.py", asked);
  const turn = await w.turn(asked, "done");
  matches(await turn.locator(".about").innerText(), new RegExp(`logger\\.py.*${OUTSIDE}`), "what it is about");
  matches(await turn.locator(".answer").innerText(), /sessions\.py/, "the answer");
  check(!/logger\.py/.test(await turn.locator(".answer").innerText()), "the file outside is cited");
  await w.shot("outside");
}

export const scenarios = {
  "a document lies in the folder that is cited": landsWhereItBelongs,
  "a file in no open folder is said to be left out": saysWhatIsLeftOut,
};
