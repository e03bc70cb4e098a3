// The saved document: the editor's own preview, and the language server's links, hover and go-to in its source.
import fs from "node:fs";
import path from "node:path";
import { check, matches } from "../lib/assert.mjs";
import { until } from "../lib/wait.mjs";

const question = "Where is a session opened and when does it expire?";

function savedDocument(ws) {
  const folder = path.join(ws, "shop/.scope");
  const [name] = fs.readdirSync(folder).filter((item) => item.startsWith("scope-") && item.includes("session-opened"));
  return { name, text: fs.readFileSync(path.join(folder, name), "utf8") };
}

async function previews(w, { ws }) {
  await w.open(path.join(ws, "shop"));
  await w.closeAll();
  await w.openFile("shop/cart.py");
  await w.ask(question);
  const turn = await w.turn(question, "done");
  await turn.getByRole("button", { name: "Open as Document" }).click();
  const preview = await w.frame('a[data-href*="sessions.py#L"]:not(.reference)');
  await w.shot("preview");
  const link = preview.locator('a[data-href*="sessions.py#L"]').first();
  const [, first, last = first] = /#L(\d+)(?:-L(\d+))?/.exec(await link.getAttribute("data-href"));
  await link.click();
  await until(30_000, `sessions.py at lines ${first} to ${last}`, async () => {
    const tab = await w.page.locator('.tab.active[data-resource-name="sessions.py"]').count();
    const line = tab > 0 ? Number(/Ln (\d+)/.exec(await w.selection())?.[1]) : 0;
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
  await w.page.keyboard.press("Escape");
  await w.page.keyboard.press("F12");
  await until(30_000, "sessions.py to open", async () => (await w.page.locator('.tab.active[data-resource-name="sessions.py"]').count()) > 0);
  await w.shot("document-go-to");
}

export const scenarios = {
  "the preview shows the document and its links jump": previews,
  "hover and go-to work on a reference in the document": hoversAndGoes,
};
