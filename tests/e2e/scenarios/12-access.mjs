// For everybody: axe finds nothing serious, the keyboard is enough, and a narrow panel can be read.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { check, equal } from "../lib/assert.mjs";
import { chooseTheme, THEMES } from "../lib/theme.mjs";
import { until } from "../lib/wait.mjs";

const client = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../../client-vscode");
const axe = fs.readFileSync(path.join(client, "node_modules/axe-core/axe.min.js"), "utf8");
const question = "How is a password checked?";
const SERIOUS = ["serious", "critical"];

// The findings on a page of ours, one line each; the whole workbench is VS Code's own.
async function findings(frame) {
  await frame.evaluate(axe);
  const { violations, passes } = await frame.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  check(passes.length > 5, `axe looked at ${passes.length} rules only`);
  return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

async function clean(frame, where) {
  const found = await findings(frame);
  for (const line of found) console.log(`     ${where}: ${line.slice(0, 300)}`);
  const serious = found.filter((line) => SERIOUS.includes(line.split(" ")[0]));
  equal(serious.length, 0, `serious findings in ${where}`);
}

async function showPanel(w) {
  await w.command("Scope: Show Last Answer");
  const turn = await w.turn(question, "done");
  await turn.locator("details.fold").evaluate((fold) => (fold.open = true));
  await turn.locator(".diagram-pane svg").first().waitFor();
  return w.panel(question);
}

async function sideBar(w) {
  await w.command("View: Show Scope");
  return w.frame("body > main > #composer");
}

async function passesAxe(w, { ws }) {
  await w.showFolder(path.join(ws, "shop"));
  await w.closeAll();
  await w.openFile("shop/cart.py");
  await w.ask(question);
  await w.turn(question, "done");
  for (const theme of THEMES) {
    const [name] = theme;
    await chooseTheme(w, theme);
    const panel = await showPanel(w);
    await clean(panel, `the panel, ${name}`);
    await panel.locator(".steps, .places").evaluateAll((lists) => lists.forEach((list) => (list.open = true)));
    await panel.locator("#question").fill("#cart");
    await panel.locator(".option").first().waitFor();
    await clean(panel, `the panel with its lists open, ${name}`);
    await panel.locator("#question").press("Enter");
    await panel.getByRole("button", { name: "Full Screen" }).first().click();
    await clean(panel, `the diagram in full, ${name}`);
    await w.page.keyboard.press("Escape");
    await clean(await sideBar(w), `the side bar's box, ${name}`);
    await w.shot(`access-${name}`);
  }
}

// What each press of Tab reaches, until the composer; the order is in docs/accessibility.md.
async function byKeyboard(w, { ws }) {
  await w.showFolder(path.join(ws, "shop"));
  await w.closeAll();
  await w.ask(question);
  await w.turn(question, "done");
  const panel = await showPanel(w);
  const focused = () =>
    panel.evaluate(() => {
      const { activeElement: at } = document;
      return at?.getAttribute("aria-label") || at?.title || at?.textContent || "";
    });
  await until(10_000, "the answer to have the keyboard", () => panel.evaluate(() => document.activeElement?.className === "answer"));
  const reached = [];
  const isEnd = () => panel.evaluate(() => document.activeElement?.id === "question");
  while (!(await isEnd()) && reached.length < 80) {
    await w.page.keyboard.press("Tab");
    reached.push(await panel.evaluate(() => document.activeElement?.closest("[class]")?.className ?? ""));
  }
  check(await isEnd(), `Tab does not get to the box for a question: ${reached}`);
  check(reached.some((name) => String(name).includes("reference")), "no reference was reached");
  await w.page.keyboard.type("Who may pay?");
  await w.page.keyboard.press("Shift+Tab");
  check((await focused()) !== "", "what has the keyboard has no name");
  await w.page.keyboard.press("Tab");
  await w.page.keyboard.press("Enter");
  await w.turn("Who may pay?", "done");
  await w.shot("access-keyboard");
}

async function isNarrow(w, { ws }) {
  const size = w.page.viewportSize();
  await w.showFolder(path.join(ws, "shop"));
  await w.page.setViewportSize({ width: 790, height: 900 });
  await w.closeSideBar();
  await w.closeAll();
  await w.openFile("shop/cart.py");
  await w.ask(question);
  for (const theme of THEMES) {
    const [name] = theme;
    await chooseTheme(w, theme);
    await w.turn(question, "done");
    const panel = await w.panel(question);
    const width = await until(15_000, "the panel to be narrow", async () => {
      const now = await panel.evaluate(() => window.innerWidth);
      return now > 300 && now <= 380 && now;
    });
    const over = await panel.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    check(over <= 0, `in ${name} the page is ${over} px wider than the panel of ${width} px`);
    await panel.evaluate(() => window.scrollTo(0, 0));
    await w.shot(`narrow-${name}`);
  }
  await w.page.setViewportSize(size);
  await chooseTheme(w, THEMES[0]);
}

export const scenarios = {
  "axe finds nothing serious in four themes": passesAxe,
  "the keyboard is enough": byKeyboard,
  "a panel of 370 pixels in four themes": isNarrow,
};
