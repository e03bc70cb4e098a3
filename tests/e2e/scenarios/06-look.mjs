// How it looks: a real question about fastapi in a light and a dark theme. With SCREENSHOTS set, docs/images is renewed.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { check } from "../lib/assert.mjs";
import { until } from "../lib/wait.mjs";

const images = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../../docs/images");
const question = "How are dependencies resolved and injected into a path operation?";

async function picture(w, name) {
  await w.shot(name);
  if (process.env.SCREENSHOTS) {
    fs.mkdirSync(images, { recursive: true });
    await w.page.screenshot({ path: path.join(images, `${name}.png`) });
  }
}

async function theme(w, name, bodyClass) {
  w.editor.userSettings({ "workbench.colorTheme": name });
  // The workbench may read its settings before it notices that the file has changed.
  await until(120_000, `the theme ${name}`, async () => {
    await w.page.reload({ waitUntil: "domcontentloaded" });
    await w.ready();
    return (await w.page.locator(`.monaco-workbench.${bodyClass}`).count()) > 0;
  });
}

async function looks(w, { ws }) {
  await w.open(path.join(ws, "fastapi"));
  await w.closeAll();
  await w.openFile("fastapi/dependencies/utils.py");
  await w.ask(question);
  let turn = await w.turn(question, "done");
  for (const [name, title, bodyClass] of [
    ["panel-light", "Light Modern", "vs"],
    ["panel-dark", "Dark Modern", "vs-dark"],
    ["panel-contrast", "Default High Contrast", "hc-black"],
  ]) {
    await theme(w, title, bodyClass);
    // Whatever the workbench remembers of its editors after such a reload: the same two are shown.
    await w.closeAll();
    await w.openFile("fastapi/dependencies/utils.py");
    await w.command("Scope: Show Last Answer");
    turn = await w.turn(question, "done");
    const panel = await w.panel(question);
    await turn.locator("a.reference", { hasText: /dependencies\/.*:\d+/ }).first().click();
    await until(15_000, "the cited lines", async () => /selected/.test(await w.selection()));
    await panel.evaluate(() => window.scrollTo(0, 0));
    await picture(w, name);
    const diagram = turn.locator(".diagram svg").first();
    if ((await turn.locator('.code[data-language="mermaid"], .diagram').count()) > 0) {
      await diagram.waitFor();
      check((await diagram.boundingBox()).width > 100, "the diagram is too small to be read");
      await diagram.scrollIntoViewIfNeeded();
      await picture(w, `${name}-diagram`);
    }
  }
  w.editor.userSettings({});
}

export const scenarios = { "light, dark and high contrast": looks };
