// How it looks: a real question about fastapi in a light and a dark theme. With SCREENSHOTS set, docs/images is renewed.
import path from "node:path";
import { check } from "../lib/assert.mjs";
import { configure } from "../lib/configure.mjs";
import { chooseModel, FIRST, ScriptedModel, toolCall } from "../lib/model.mjs";
import { ofExtension, picture } from "../lib/picture.mjs";
import { chooseTheme, THEMES } from "../lib/theme.mjs";
import { actUntil, clickUntil, until } from "../lib/wait.mjs";

const question = "How are dependencies solved for a request?";

// A piece of the window for the walkthrough.
async function pieceOf(w, name, box) {
  const [x, y, right, bottom] = [box.x, box.y, box.x + box.width, box.y + box.height].map(Math.round);
  const clip = { x, y, width: right - x, height: bottom - y };
  const folder = process.env.SCREENSHOTS ? path.join(ofExtension, "../walkthrough") : w.shots;
  await w.page.screenshot({ path: path.join(folder, `${name}.png`), clip });
}

// A reference with its lines over it, and the search with its preview.
async function showsWalkthrough(w, name) {
  const hover = async () => {
    const turn = await w.turnNow(question);
    await turn.locator("header h2").hover({ timeout: 4_000 });
    await turn.locator(".answer a.reference").first().hover({ timeout: 4_000 });
  };
  const peek = async () => (await w.panel(question)).locator("#peek:not([hidden])").innerText({ timeout: 2_000 });
  await actUntil("the hover", hover, peek);
  const group = await w.page.locator(".editor-group-container.active, .editor-group-container").last().boundingBox();
  await pieceOf(w, `follow-${name}`, { ...group, height: 520 });
  await w.command("Scope: Find Code");
  const widget = w.page.locator(".quick-input-widget", { hasText: "Scope: Find Code" });
  await widget.locator("input[type=text]").first().fill("solve dependencies");
  await widget.locator(".monaco-list-row", { hasText: "solve_dependencies" }).first().waitFor({ timeout: 20_000 });
  // What the pointer rests on explains itself, over what is to be seen.
  await w.page.mouse.move(700, 880);
  await w.page.locator(".monaco-hover:visible").first().waitFor({ state: "hidden" });
  await pieceOf(w, `find-${name}`, await widget.boundingBox());
  await w.page.keyboard.press("Escape");
}

async function looks(w, { ws }) {
  await w.open(path.join(ws, "fastapi"));
  await w.closeAll();
  await w.openFile("fastapi/dependencies/utils.py");
  await w.ask(question);
  let turn = await w.turn(question, "done");
  for (const theme of THEMES.slice(0, 3)) {
    const name = `panel-${theme[0]}`;
    await chooseTheme(w, theme);
    await w.closeAll();
    await w.openFile("fastapi/dependencies/utils.py");
    await w.command("Scope: Show Last Answer");
    turn = await w.turn(question, "done");
    const panel = await w.panel(question);
    const link = async () => (await w.turnNow(question)).locator(".answer a.reference", { hasText: /dependencies\/.*:\d+/ }).first();
    await clickUntil("the cited lines", link, async () => /selected/.test(await w.selection()));
    await panel.evaluate(() => window.scrollTo(0, 0));
    await picture(w, name);
    if (!name.endsWith("contrast")) await showsWalkthrough(w, name.replace("panel-", ""));
    turn = await w.turn(question, "done");
    const diagram = turn.locator(".diagram-pane svg").first();
    if ((await turn.locator('.code[data-language="mermaid"], .diagram').count()) > 0) {
      await turn.locator("details.fold").evaluate((fold) => (fold.open = true));
      await diagram.waitFor();
      check((await diagram.boundingBox()).width > 100, "the diagram is too small to be read");
      await diagram.scrollIntoViewIfNeeded();
      await picture(w, `${name}-diagram`);
    }
  }
}

// A session of the agent that waits in the middle, then for leave; the same in both themes.
async function looksAtAgent(w, { ws, e2e }) {
  const model = new ScriptedModel(e2e);
  const asked = "Where is a dependency resolved?";
  const steps = [
    toolCall("search_for_files", { query: "resolve dependencies" }, "First the files that speak of dependencies."),
    toolCall("get_file_outline", { path: "fastapi/dependencies/utils.py" }, "The outline is cheaper than the file."),
    toolCall("read_symbol", { path: "fastapi/dependencies/utils.py", name: "solve_dependencies" }, "This is the one that resolves them."),
    toolCall("find_references", { name: "solve_dependencies" }, "Who calls it shows when that happens."),
  ];
  await w.showFolder(path.join(ws, "fastapi"));
  for (const theme of THEMES.slice(0, 2)) {
    const [name] = theme;
    await chooseTheme(w, theme);
    await configure(w, { "scope.answer.mode": "agent", "scope.approval": undefined });
    await w.closeAll();
    model.script([FIRST], ...steps, { text: "", waits: true });
    await chooseModel(w, FIRST.name);
    await w.openFile("fastapi/dependencies/utils.py");
    await w.ask(asked);
    const turn = await w.turn(asked, "running");
    await until(60_000, "the last request", () => model.requests.length === steps.length + 1);
    await until(60_000, "the last step", async () => (await turn.locator('.step.tool[data-state="ok"]').count()) === steps.length);
    await turn.locator(".step.tool", { hasText: "read_symbol" }).locator("summary").click();
    await picture(w, `steps-${name}`);
    await turn.getByRole("button", { name: "Stop" }).click();
    await w.turn(asked, "cancelled");
    await configure(w, { "scope.answer.mode": "pipeline", "scope.approval": "always" });
    await w.ask(asked);
    const dialog = w.page.locator(".monaco-dialog-box");
    await dialog.waitFor({ timeout: 60_000 });
    await picture(w, `approval-${name}`);
    await dialog.getByRole("button", { name: "Deny" }).click();
    await w.turn(asked, "done");
  }
  await configure(w, { "scope.answer.mode": undefined, "scope.approval": undefined });
}

async function looksAtSideBar(w, { ws }) {
  await w.showFolder(path.join(ws, "fastapi"));
  for (const theme of THEMES.slice(0, 2)) {
    const [name] = theme;
    await chooseTheme(w, theme);
    await w.closeAll();
    await w.openFile("fastapi/dependencies/utils.py");
    await w.command("Scope: Show Last Answer");
    await w.command("View: Show Scope");
    const side = await w.frame("body > main > #composer");
    for (const typed of ["#dependencies/", "#solve_dep"]) {
      await side.locator("#question").fill(`How are errors told? ${typed}`);
      await side.locator(".option").first().waitFor();
      await side.locator("#question").press("Enter");
    }
    await picture(w, `side-bar-${name}`);
    const part = await w.page.locator(".part.sidebar").boundingBox();
    await pieceOf(w, `ask-${name}`, { ...part, height: 300 });
  }
}

export const scenarios = {
  "light, dark and high contrast": looks,
  "the side bar and what is attached": looksAtSideBar,
  "the agent's steps and the question for leave": looksAtAgent,
};
