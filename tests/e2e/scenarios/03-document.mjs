// The saved document: the editor's own preview, and the language server's links, hover and go-to in its source.
import fs from "node:fs";
import path from "node:path";
import { check, matches } from "../lib/assert.mjs";
import { actUntil, clickUntil } from "../lib/wait.mjs";

const question = "Where is a session opened and when does it expire?";
const LINK = 'a[data-href*="sessions.py#L"]:not(.reference)'; // In the preview, not in the panel.

function savedDocument(ws) {
  const folder = path.join(ws, "shop/.scope");
  const [name] = fs.readdirSync(folder).filter((item) => item.startsWith("scope-") && item.includes("session-opened"));
  return { name, text: fs.readFileSync(path.join(folder, name), "utf8") };
}

async function previews(w, { ws }) {
  await w.showFolder(path.join(ws, "shop"));
  await w.closeAll();
  await w.openFile("shop/cart.py");
  await w.ask(question);
  await w.turn(question, "done");
  const open = async () => (await w.turnNow(question)).getByRole("button", { name: "Open as Document" });
  const link = async () => (await w.frame(LINK, 5_000)).locator(LINK).first();
  await clickUntil("the preview", open, link);
  await w.shot("preview");
  const [, first, last = first] = /#L(\d+)(?:-L(\d+))?/.exec(await (await link()).getAttribute("data-href"));
  await clickUntil(`sessions.py at lines ${first} to ${last}`, link, async () => {
    const line = (await w.isInFront("sessions.py")) ? Number(/Ln (\d+)/.exec(await w.selection())?.[1]) : 0;
    return line >= Number(first) && line <= Number(last);
  });
  await w.shot("preview-link");
}

async function hoversAndGoes(w, { ws }) {
  const { name, text } = savedDocument(ws);
  const line = text.split("\n").findIndex((item) => /\]\([^)]*sessions\.py#L/.test(item)) + 1;
  check(line > 0, "the document has no reference to sessions.py");
  await w.closeAll();
  await w.openFile(`.scope/${name}`);
  const column = text.split("\n")[line - 1].indexOf("sessions.py:") + 3;
  await w.goTo(line, column);
  await w.command("Show or Focus Hover");
  const hover = w.page.locator(".monaco-hover:visible", { hasText: "Session" }).first();
  await hover.waitFor();
  matches(await hover.innerText(), /class|def|Session/, "the cited lines in the hover");
  await w.shot("document-hover");
  const goTo = async () => {
    await w.page.keyboard.press("Escape");
    await w.page.keyboard.press("F12");
  };
  await actUntil("sessions.py to open", goTo, () => w.isInFront("sessions.py"));
  await w.shot("document-go-to");
}

export const scenarios = {
  "the preview shows the document and its links jump": previews,
  "hover and go-to work on a reference in the document": hoversAndGoes,
};
