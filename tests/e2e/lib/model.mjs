// The scripted chat model of the scenarios' own extension: what it is to say, and what it was asked.
import fs from "node:fs";
import path from "node:path";
import { until } from "./wait.mjs";

export const FIRST = { id: "first", name: "First Model" };

// What the pipeline and the agent expect of a model.
export const ENOUGH = { text: JSON.stringify({ sufficient_context: true, preliminary_insights: "It compares hashes." }) };
export const DOCUMENT = {
  text: "## Summary\n\n`authenticate()` at `shop/login.py:19-28` compares the hash of the password and opens a session with `open_session()` (`shop/sessions.py:31-36`).\n",
};
export const toolCall = (tool, args, thought = "") => ({ text: `${thought}\n${JSON.stringify({ tool, arguments: args })}`.trim() });

export class ScriptedModel {
  constructor(e2e) {
    this.folder = path.join(e2e, "model");
    fs.mkdirSync(this.folder, { recursive: true });
  }

  // Replies are used up one by one; what was asked before is forgotten.
  script(models, ...replies) {
    for (const name of ["requests.jsonl", "go"]) fs.rmSync(path.join(this.folder, name), { force: true });
    fs.writeFileSync(path.join(this.folder, "script.json"), JSON.stringify({ models, replies }));
  }

  // Lets replies go on that are marked `gated`.
  release() {
    fs.writeFileSync(path.join(this.folder, "go"), "");
  }

  get log() {
    const file = path.join(this.folder, "requests.jsonl");
    return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n").filter(Boolean).map((line) => JSON.parse(line)) : [];
  }

  get requests() {
    return this.log.filter((entry) => entry.messages);
  }

  // Calls a tool as an agent of the editor would.
  async invoke(w, name, input) {
    const result = path.join(this.folder, "tool-result.json");
    fs.rmSync(result, { force: true });
    fs.writeFileSync(path.join(this.folder, "tool.json"), JSON.stringify({ name, input }));
    await w.command("Scripted: Invoke the Tool of the File");
    await until(60_000, `${name} to answer`, () => fs.existsSync(result) && fs.readFileSync(result, "utf8").endsWith("}"));
    return JSON.parse(fs.readFileSync(result, "utf8"));
  }
}

// Chooses in Scope's list, again if the list was redrawn under the click.
export async function chooseModel(w, label) {
  await until(60_000, `${label} to be chosen`, async () => {
    await w.command("Scope: Choose Model");
    const row = w.page.locator(".quick-input-widget .monaco-list-row", { hasText: label }).first();
    await row.click({ timeout: 5_000 });
    await w.page.locator(".statusbar", { hasText: /Scope now/ }).waitFor({ timeout: 4_000 });
    return true;
  });
}
