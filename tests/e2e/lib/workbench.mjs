// What a user does in the workbench, in the words of the scenarios.
import { until } from "./wait.mjs";

const QUICK = ".quick-input-widget";

export class Workbench {
  constructor(page, editor, shots) {
    this.page = page;
    this.editor = editor;
    this.shots = shots;
    this.shotCount = 0;
    this.loads = { count: 0, seconds: 0 };
  }

  async open(folder) {
    await this.loading(async () => {
      await this.page.goto("about:blank");
      await this.page.goto(this.editor.url(folder), { waitUntil: "domcontentloaded" });
    });
  }

  // Waits until the window is loaded that this begins to load; what that takes is counted.
  async loading(begin) {
    const started = Date.now();
    await begin();
    await this.ready();
    this.loads.count++;
    this.loads.seconds += (Date.now() - started) / 1_000;
  }

  // The same where a window that shows this folder already will do: to load one takes longer than most scenarios.
  async showFolder(folder) {
    if (this.page.url() === this.editor.url(folder)) await this.ready();
    else await this.open(folder);
  }

  // Reloads as a user does, so that the workbench puts its layout away first.
  async reload() {
    await this.loading(async () => {
      const loaded = this.page.waitForEvent("domcontentloaded", { timeout: 90_000 });
      await this.command("Developer: Reload Window");
      await loaded;
    });
  }

  // The workbench is up once the extension shows its status item; its commands exist then.
  async ready() {
    await this.page.locator("#scope-lsp\\.scope\\.scope\\.status").waitFor({ timeout: 120_000 });
  }

  async shot(name) {
    this.shotCount++;
    await this.page.screenshot({ path: `${this.shots}/${String(this.shotCount).padStart(2, "0")}-${name}.png` });
  }

  // Opens the quick input with a key, types, and takes the row with this text. While the focus wanders between the
  // page and a webview a key gets lost or the input closes at once, so all of it is done again until a row was taken.
  async pick(key, text, row) {
    const input = this.page.locator(`${QUICK} input[type=text]`).first();
    await until(60_000, `${key} to offer ${row}`, async () => {
      await this.page.keyboard.press(key);
      await input.waitFor({ state: "visible", timeout: 3_000 });
      await input.fill(text, { timeout: 3_000 });
      await this.page.locator(`${QUICK} .monaco-list-row`, { hasText: row }).first().click({ timeout: 5_000 });
      return true;
    });
  }

  async command(text) {
    await this.pick("F1", `>${text}`, text);
  }

  // Types into the quick input that is open now and takes what is on top.
  async answerQuickInput(title, text) {
    const widget = this.page.locator(QUICK, { hasText: title });
    await widget.waitFor({ state: "visible", timeout: 90_000 });
    await widget.locator("input[type=text]").first().fill(text);
    await this.page.locator(`${QUICK} .monaco-list-row`, { hasText: text }).first().waitFor();
    await this.page.keyboard.press("Enter");
  }

  async ask(question) {
    await this.command("Scope: Ask");
    await this.answerQuickInput("Scope: Ask", question);
  }

  async openFile(path) {
    const name = path.split("/").pop();
    await this.pick("Control+P", path, name);
    await this.page.locator(`.tab.active[data-resource-name="${name}"]`).first().waitFor();
  }

  // The frame, at any depth, that shows something matching; the newest one wins.
  frame(wanted, limitMs = 45_000) {
    const find = typeof wanted === "string" ? (frame) => frame.locator(wanted) : wanted;
    return until(limitMs, `a frame with ${wanted}`, async () => {
      for (const frame of this.page.frames().toReversed()) {
        if (frame !== this.page.mainFrame() && !frame.isDetached() && (await find(frame).count()) > 0) {
          const owner = await frame.frameElement().catch(() => undefined);
          if (owner && (await owner.isVisible())) return frame;
        }
      }
    });
  }

  // The panel once it shows this question.
  panel(question, limitMs = 45_000) {
    return this.frame((frame) => frame.locator(".turn header h2", { hasText: exactly(question) }), limitMs);
  }

  // The newest turn with this question, in the frame that shows it now.
  async turnNow(question) {
    const panel = await this.panel(question, 5_000);
    return panel.locator(".turn", { has: panel.locator("header h2", { hasText: exactly(question) }) }).last();
  }

  async turn(question, state, limitMs = 90_000) {
    const { turn, seen } = await until(limitMs, `${JSON.stringify(question)} to be ${state}`, async () => {
      const turn = await this.turnNow(question);
      const seen = await turn.getAttribute("data-state", { timeout: 2_000 });
      return (seen === state || seen === "failed") && { turn, seen };
    });
    if (seen !== state) throw new Error(`the question failed: ${await turn.locator(".notes").innerText()}`);
    return turn;
  }

  // Puts the cursor of the editor in front there.
  async goTo(line, column) {
    await until(30_000, `the cursor at ${line}:${column}`, async () => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+G");
      const input = this.page.locator(`${QUICK} input[type=text]`).first();
      await input.waitFor({ state: "visible", timeout: 3_000 });
      await input.fill(`:${line}:${column}`);
      await this.page.keyboard.press("Enter");
      const there = () => this.selection().then((text) => text.startsWith(`Ln ${line}, Col ${column}`));
      return until(3_000, "the cursor to move", there);
    });
  }

  activeTab() {
    return this.page.locator(".editor-group-container.active .tab.active").first().getAttribute("data-resource-name");
  }

  selection() {
    return this.page.locator("#status\\.editor\\.selection").innerText();
  }

  async isInFront(name) {
    return (await this.page.locator(`.tab.active[data-resource-name="${name}"]`).count()) > 0;
  }

  // Whether this file is in front with exactly these lines selected.
  async isSelected(name, first, last) {
    const text = await this.selection();
    const match = /Ln (\d+), Col \d+/.exec(text);
    // A selection of whole lines ends on its last line; the status shows the active end.
    const isThere = match && [first, last].includes(Number(match[1])) && (first === last || /selected/.test(text));
    if (isThere && (await this.isInFront(name))) return true;
    throw new Error(`${await this.activeTab()} ${text}`);
  }

  notification(text) {
    return this.page.locator(".notifications-toasts .notification-toast, .monaco-dialog-box", { hasText: text }).first();
  }

  async closeSideBar() {
    if (await this.page.locator(".part.sidebar").isVisible()) await this.command("View: Close Primary Side Bar");
  }

  async closeAll() {
    await this.page.keyboard.press("Escape");
    await this.command("View: Close All Editors");
  }
}

// Matches the whole text of a heading; a question's backticks are not shown.
function exactly(question) {
  return new RegExp(`^${question.replaceAll("`", "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
}
