// Asking from the code itself, and finding code.
import path from "node:path";
import { matches } from "../lib/assert.mjs";
import { until } from "../lib/wait.mjs";

// The list is redrawn when more actions arrive, and a click on it is lost then: chosen again until the effect is there.
async function chooseAction(w, title, effect) {
  const item = w.page.locator(".action-widget .monaco-list-row", { hasText: title });
  let isShot = false;
  await until(90_000, `the effect of ${title}`, async () => {
    await w.page.keyboard.press("Escape");
    await w.goTo(30, 8);
    await w.page.keyboard.press("Control+.");
    await item.waitFor({ timeout: 3_000 });
    if (!isShot) await w.shot("code-actions");
    isShot = true;
    await item.click({ timeout: 3_000 });
    await effect().waitFor({ timeout: 10_000 });
    return true;
  });
}

async function codeAction(w, { ws }) {
  await w.showFolder(path.join(ws, "shop"));
  await w.closeAll();
  await w.openFile("shop/login.py");
  // The file's name stands in the title: uses in a single file have no row for it.
  const peek = w.page.locator(".peekview-widget", { hasText: "cart.py" });
  await chooseAction(w, "Who uses `require_login`?", () => peek.first());
  await w.shot("uses");
  const tab = w.page.locator(".tab", { hasText: "Scope: What is require_login" });
  await chooseAction(w, "Ask about `require_login`", () => tab.first());
  const panel = await w.frame(".turn header h2");
  const title = await panel.locator(".turn header h2").last().innerText();
  matches(title, /require_login/, "the question of the code action");
  const turn = await w.turn(title, "done");
  matches(await turn.locator(".answer").innerText(), /cart\.py/, "the caller in the answer");
  await w.shot("code-action-answer");
}

async function selection(w) {
  await w.openFile("shop/sessions.py");
  await w.goTo(31, 5);
  await w.page.keyboard.press("Shift+ArrowDown");
  await w.page.keyboard.press("Shift+ArrowDown");
  await w.command("Scope: Ask About Selection");
  const question = "What does this do?";
  await w.answerQuickInput("Ask about shop/sessions.py:31-33", question);
  const turn = await w.turn(question, "done");
  matches(await turn.locator(".about").innerText(), /sessions\.py:31-33/, "what the question is about");
  matches(await turn.locator(".answer").innerText(), /open_session/, "the selected symbol in the answer");
  await w.shot("selection-answer");
}

async function findsCode(w) {
  await w.closeAll();
  await w.command("Scope: Find Code");
  const input = w.page.locator(".quick-input-widget input[type=text]").first();
  await w.page.locator(".quick-input-widget", { hasText: "Scope: Find Code" }).waitFor();
  await input.fill("session of a token");
  const row = w.page.locator(".quick-input-list .monaco-list-row", { hasText: "find_session" }).first();
  await row.waitFor();
  await until(30_000, "the preview of the first place", async () => (await w.page.locator('.tab.active[data-resource-name$=".py"]').count()) > 0);
  await w.shot("find-code");
  await w.page.keyboard.press("Escape");
  const tabs = w.page.locator('.tab[data-resource-name$=".py"]');
  await until(10_000, "the previews to be gone", async () => (await tabs.count()) === 0);
  await w.command("Scope: Find Code");
  await w.page.locator(".quick-input-widget", { hasText: "Scope: Find Code" }).waitFor();
  await input.fill("session of a token");
  await row.click();
  await until(30_000, "sessions.py in front", () => w.isInFront("sessions.py"));
}

export const scenarios = {
  "a code action asks in the panel": codeAction,
  "a question about the selection": selection,
  "find code with a preview": findsCode,
};
