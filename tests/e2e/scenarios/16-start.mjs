// What a newcomer looks at first: the walkthrough, which ticks what was done, and the page of the settings.
import path from "node:path";
import { equal } from "../lib/assert.mjs";
import { shotsInThemes } from "../lib/theme.mjs";
import { actUntil, until } from "../lib/wait.mjs";

const question = "How does the cart add an item?";
const PAGES = ["What matters most", "Search and index", "Other analysers", "Model", "Limits of the modes", "Server"];
// Of the user's own; those of the machine stand on another tab here, as always where the code is elsewhere.
const FIRST_SETTINGS = ["Mode", "Never Send", "Max File Kb", "Answer Lens", "References"];

// The editor looks at what is done once the walkthrough was opened, and shows it when it is opened again.
async function ticks(w, { ws }) {
  await w.showFolder(path.join(ws, "shop"));
  await w.closeAll();
  const steps = w.page.locator(".getting-started-step");
  const open = async () => {
    await w.page.keyboard.press("Escape");
    await w.command("Welcome: Open Walkthrough...");
    await w.page.locator(".quick-input-widget .monaco-list-row", { hasText: "Get Started with Scope" }).first().click({ timeout: 5_000 });
  };
  await actUntil("the walkthrough", open, async () => (await steps.count()) === 4);
  await w.ask(question);
  await w.turn(question, "done");
  await w.command("Scope: Show Last Answer");
  await w.closeAll();
  await actUntil("the walkthrough again", open, async () => (await steps.count()) === 4);
  const ticked = () => steps.evaluateAll((found) => found.map((step) => (step.querySelector(".complete") === null ? "" : "done")).join());
  await until(20_000, "what was done to be ticked", async () => (await ticked()) === "done,done,done,");
  await shotsInThemes(w, "walkthrough");
}

async function orders(w) {
  await w.closeAll();
  const entries = w.page.locator(".settings-toc-entry");
  const search = w.page.locator(".settings-editor .suggest-input-container .monaco-editor").first();
  const open = async () => {
    await w.page.keyboard.press("Escape");
    await w.command("Preferences: Open Settings (UI)");
    await search.click({ timeout: 5_000 });
    await w.page.keyboard.press("Control+A");
    await w.page.keyboard.type("@ext:scope-lsp.scope", { delay: 10 });
  };
  const shown = async () => (await entries.allInnerTexts()).map((text) => text.replace(/\s*\(\d+\)\s*$/, "").trim());
  await actUntil("the pages of the settings", open, async () => (await shown()).includes(PAGES[0]));
  const pages = (await shown()).filter((text) => PAGES.includes(text));
  equal(pages.join(), PAGES.join(), "the pages");
  // Rows that are out of sight are not in the page, and those in it are in no order.
  const labels = w.page.locator(".settings-tree-container .setting-item-label");
  const named = () =>
    labels.evaluateAll((found) =>
      found
        .map((label) => [label.getBoundingClientRect().top, label.textContent.trim()])
        .sort(([a], [b]) => a - b)
        .map(([, text]) => text),
    );
  const names = await until(10_000, "the settings", async () => {
    const seen = (await named()).filter(Boolean);
    return seen.length >= FIRST_SETTINGS.length && seen;
  });
  equal(names.slice(0, FIRST_SETTINGS.length).join(), FIRST_SETTINGS.join(), "the first settings");
  await w.shot("settings");
  await w.page.keyboard.press("Escape"); // The list of what may be typed, then the settings.
  await w.page.keyboard.press("Escape");
}

export const scenarios = {
  "the walkthrough ticks what was done": ticks,
  "the settings begin with what matters": orders,
};
