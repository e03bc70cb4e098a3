// The diagram of an answer leads to the code, and can be read, enlarged and taken along.
import path from "node:path";
import { check, equal, matches } from "../lib/assert.mjs";
import { actUntil, clickUntil, until } from "../lib/wait.mjs";

const question = "How is a password checked?";
const clipboard = (w) => w.page.evaluate(() => navigator.clipboard.readText());

async function shown(w) {
  const turn = await w.turn(question, "done");
  await turn.locator("details.fold").evaluate((fold) => (fold.open = true));
  const diagram = turn.locator("figure.diagram").first();
  await diagram.locator(".node.reference").first().waitFor();
  return diagram;
}

async function leads(w, { ws }) {
  await w.showFolder(path.join(ws, "shop"));
  await w.closeAll();
  await w.openFile("shop/cart.py");
  await w.ask(question);
  const diagram = await shown(w);
  await diagram.scrollIntoViewIfNeeded();
  await w.shot("diagram");
  const node = async () => (await shown(w)).locator('.node[aria-label^="hash_password, "]');
  const [, first, last] = /login\.py:(\d+)-(\d+)$/.exec(await (await node()).getAttribute("aria-label"));
  await clickUntil("the definition", node, () => w.isSelected("login.py", Number(first), Number(last)));
  const arrow = '.edgeLabel [aria-label*="authenticate calls hash_password, "]';
  const words = diagram.locator(arrow);
  matches(await words.textContent(), /calls :\d+/, "the arrow's words");
  const [, line] = /login\.py:(\d+)$/.exec(await words.getAttribute("aria-label"));
  const press = async () => {
    await (await shown(w)).locator(arrow).focus({ timeout: 4_000 });
    await w.page.keyboard.press("Enter");
  };
  await actUntil("the call", press, () => w.isSelected("login.py", Number(line), Number(line)));
  const panel = await w.panel(question);
  await diagram.locator('.node[aria-label^="authenticate, "]').hover();
  await panel.locator("#peek:not([hidden])", { hasText: "def authenticate" }).waitFor();
  await w.shot("diagram-hover");
  await w.page.keyboard.press("Escape");
}

async function zooms(w) {
  const diagram = await shown(w);
  const width = async () => (await diagram.locator("svg.flowchart").boundingBox()).width;
  const before = await width();
  await diagram.getByRole("button", { name: "Zoom In" }).click();
  check((await width()) > before * 1.1, "zooming in did not enlarge it");
  await diagram.locator(".diagram-pane").focus();
  await w.page.keyboard.press("-");
  await w.page.keyboard.press("-");
  check((await width()) < before, "minus did not make it smaller");
  await w.page.keyboard.press("0");
  check(Math.abs((await width()) - before) < 2, "0 did not bring the first size back");
  await diagram.getByRole("button", { name: "Full Screen" }).click();
  const panel = await w.panel(question);
  await panel.locator("dialog[open] svg.flowchart").waitFor();
  await w.shot("diagram-full");
  await w.page.keyboard.press("Escape");
  await until(10_000, "the dialog to close", async () => (await panel.locator("dialog[open]").count()) === 0);
  check((await diagram.locator(".diagram-stage svg.flowchart").count()) === 1, "the diagram did not come back");
}

async function copies(w) {
  const diagram = await shown(w);
  await diagram.getByRole("button", { name: "Copy as Mermaid" }).click();
  await until(10_000, "the source in the clipboard", async () => /^flowchart TD/.test(await clipboard(w)));
  check(!/:\d+/.test(await clipboard(w)), "the copied source is not the document's");
  await diagram.getByRole("button", { name: "Copy as SVG" }).click();
  await until(10_000, "the drawing in the clipboard", async () => /^<svg/.test(await clipboard(w)));
  const drawn = await w.page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    return { root: parsed.documentElement.nodeName, text: parsed.documentElement.textContent };
  }, await clipboard(w));
  equal(drawn.root, "svg", "the root of the copied drawing");
  matches(drawn.text, /hash_password/, "the copied drawing");
}

async function narrow(w) {
  const size = w.page.viewportSize();
  // The panel takes half of what the side bar leaves.
  await w.closeSideBar();
  await w.page.setViewportSize({ width: 790, height: 900 });
  const diagram = await shown(w);
  const panel = await w.panel(question);
  const inner = await until(10_000, "the panel to be narrow", async () => {
    const width = await panel.evaluate(() => window.innerWidth);
    return width <= 380 && width;
  });
  const letters = await diagram.locator(".node text").first().evaluate((text) => text.getBoundingClientRect().height);
  check(letters >= 9, `letters of ${letters} px in a panel of ${inner} px`);
  const wide = await panel.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  check(wide <= 0, `the page is ${wide} px wider than the panel`);
  await diagram.scrollIntoViewIfNeeded();
  await w.shot("diagram-370");
  await diagram.getByRole("button", { name: "Full Screen" }).click();
  const full = panel.locator("dialog[open]");
  await full.locator("svg.flowchart").waitFor();
  const box = await full.boundingBox();
  const own = await full.locator(".node text").first().evaluate((text) => text.getBoundingClientRect().height);
  check(own >= 9, `letters of ${own} px in the diagram in full`);
  const beyond = await full.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
  check(box.width <= inner && beyond <= 0, `the diagram in full is ${box.width} px wide, its page ${beyond} px wider`);
  await w.shot("diagram-370-full");
  await w.page.keyboard.press("Escape");
  await w.page.setViewportSize(size);
}

export const scenarios = {
  "boxes and arrows lead to the code": leads,
  "it is zoomed, and shown in full": zooms,
  "it is copied as a drawing and as its source": copies,
  "it can be read in 370 pixels": narrow,
};
