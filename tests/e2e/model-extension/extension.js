// A chat model for the scenarios: it says what $E2E/model/script.json tells it, and notes each request.
//
// script.json: { models: [{ id, name, needsConsent }], replies: [{ text, calls, fault, waits, gated }] }, where one reply is used up by
// each request; `calls` are { id, name, input }, made through the editor's API after the text; a `gated` one begins when there is a file `go`, `waits` stays silent after the text until the request is cancelled, `fault` is a kind of LanguageModelError
// or "quota". requests.jsonl: one line a request, and one line a cancel. The command calls the tool that tool.json
// names and writes what it says to tool-result.json.
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const folder = path.join(process.env.E2E, "model");
const PAUSE_MS = 15; // so that an answer is seen to come in pieces

function read(name, fallback) {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
  } catch {
    return fallback;
  }
}

function note(entry) {
  fs.appendFileSync(path.join(folder, "requests.jsonl"), `${JSON.stringify(entry)}\n`);
}

// What the editor hands over of calls and their results, which stand beside the text.
function callsOf({ content }) {
  const made = content.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
  const results = content.filter((part) => part instanceof vscode.LanguageModelToolResultPart);
  return {
    calls: made.map(({ callId, name, input }) => ({ callId, name, input })),
    results: results.map((part) => ({ callId: part.callId, text: part.content.map((item) => item.value ?? "").join("") })),
  };
}

function textOf(message) {
  return message.content.map((part) => part.value ?? "").join("");
}

class ScriptedModel {
  changed = new vscode.EventEmitter();
  onDidChangeLanguageModelChatInformation = this.changed.event;

  provideLanguageModelChatInformation() {
    return (read("script.json", {}).models ?? []).map(({ id, name, needsConsent }) => ({
      id,
      name,
      family: id,
      version: "1",
      maxInputTokens: 100_000,
      maxOutputTokens: 8_000,
      capabilities: { toolCalling: true },
      requiresAuthorization: needsConsent ? { label: "Tests" } : undefined,
    }));
  }

  async provideLanguageModelChatResponse(model, messages, options, progress, token) {
    const script = read("script.json", { replies: [] });
    const [reply = { text: "" }, ...rest] = script.replies ?? [];
    fs.writeFileSync(path.join(folder, "script.json"), JSON.stringify({ ...script, replies: rest }));
    const tools = (options.tools ?? []).map((tool) => tool.name);
    note({ model: model.id, tools, messages: messages.map((item) => ({ role: item.role, text: textOf(item), ...callsOf(item) })) });
    while (reply.gated && !fs.existsSync(path.join(folder, "go")) && !token.isCancellationRequested) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    for (const piece of (reply.text ?? "").match(/[\s\S]{1,24}/g) ?? []) {
      if (token.isCancellationRequested) break;
      progress.report(new vscode.LanguageModelTextPart(piece));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    for (const { id, name, input } of reply.calls ?? []) {
      progress.report(new vscode.LanguageModelToolCallPart(id, name, input));
    }
    if (reply.waits) {
      await new Promise((resolve) => token.onCancellationRequested(resolve));
      note({ cancelled: true });
    }
    if (reply.fault === "quota") throw Object.assign(new Error("You exceeded your quota."), { name: "ChatQuotaExceeded" });
    if (reply.fault) throw vscode.LanguageModelError[reply.fault](`scripted: ${reply.fault}`);
  }

  async provideTokenCount(model, text) {
    return Math.ceil((typeof text === "string" ? text : textOf(text)).length / 4);
  }
}

async function invokeTool() {
  const { name, input } = read("tool.json", {});
  const answer = (value) => fs.writeFileSync(path.join(folder, "tool-result.json"), JSON.stringify(value));
  try {
    const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    answer({ text: result.content.map((part) => part.value ?? "").join(""), known: vscode.lm.tools.map((tool) => tool.name) });
  } catch (error) {
    answer({ error: String(error) });
  }
}

// Settings as configure.json says: { values: [[name, value]], target }, where null is the default.
async function configure() {
  const { values, target } = read("configure.json", { values: [] });
  const { Workspace, Global } = vscode.ConfigurationTarget;
  const answer = (value) => fs.writeFileSync(path.join(folder, "configure-result.json"), JSON.stringify(value));
  try {
    for (const [name, value] of values) {
      await vscode.workspace.getConfiguration().update(name, value ?? undefined, target === "workspace" ? Workspace : Global);
    }
    answer({});
  } catch (error) {
    answer({ error: String(error) });
  }
}

// A problem in the line of the cursor, as a linter would report it.
function reportProblem(problems) {
  const { document, selection } = vscode.window.activeTextEditor;
  const { range } = document.lineAt(selection.active.line);
  problems.set(document.uri, [new vscode.Diagnostic(range, "the name may be empty here")]);
}

exports.activate = (context) => {
  fs.mkdirSync(folder, { recursive: true });
  const problems = vscode.languages.createDiagnosticCollection("scripted");
  const model = new ScriptedModel();
  const watcher = fs.watch(folder, () => model.changed.fire());
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider("scripted", model),
    vscode.commands.registerCommand("scripted.invokeTool", invokeTool),
    vscode.commands.registerCommand("scripted.configure", configure),
    vscode.commands.registerCommand("scripted.reportProblem", () => reportProblem(problems)),
    problems,
    { dispose: () => watcher.close() },
  );
};
