/** The command that chooses a model: the editor's own ones, one by its name, or none. */
import * as vscode from "vscode";
import { SECTION } from "../settings";
import type { Choice, ModelChoice } from "./choice";

interface Item extends vscode.QuickPickItem {
  run?: () => Promise<unknown>;
}

/** Asks the user which model is to answer. */
export async function chooseModel(choice: ModelChoice): Promise<void> {
  const models = await editorModels();
  const chosen = await vscode.window.showQuickPick(itemsOf(choice, models), {
    title: "Scope: Choose Model",
    placeHolder:
      models.length > 0
        ? "Which model may be asked?"
        : "The editor offers no model of its own now; its providers may want you to sign in",
  });
  await chosen?.run?.();
}

async function editorModels(): Promise<readonly vscode.LanguageModelChat[]> {
  try {
    return await vscode.lm.selectChatModels();
  } catch {
    return [];
  }
}

function itemsOf(choice: ModelChoice, models: readonly vscode.LanguageModelChat[]): Item[] {
  const { current } = choice;
  const named = modelName();
  const isOn = (model: vscode.LanguageModelChat): boolean =>
    named === "" &&
    current?.kind === "editor" &&
    current.vendor === model.vendor &&
    current.id === model.id;
  const own = models.map((model): Item => {
    const { name, vendor, id, maxInputTokens } = model;
    return {
      label: `$(sparkle) ${name}`,
      description: [vendor, isOn(model) ? "in use" : ""].filter(Boolean).join(" · "),
      detail: `The editor's own; takes ${maxInputTokens.toLocaleString()} tokens at once`,
      run: () => use(choice, { kind: "editor", vendor, id, name, contextTokens: maxInputTokens }),
    };
  });
  return [
    ...own,
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    {
      label: "$(edit) Set a model by name…",
      description: named === "" ? "" : `${named} · in use`,
      detail: "A provider's model, or one on your own machine",
      run: () => setByName(choice, named),
    },
    {
      label: "$(circle-slash) No model (offline)",
      description: named === "" && current?.kind === "none" ? "in use" : "",
      detail: "Answers from the code alone; nothing is sent anywhere",
      run: () => use(choice, { kind: "none" }),
    },
  ];
}

async function use(choice: ModelChoice, wanted: Choice): Promise<void> {
  await setName(undefined);
  await choice.set(wanted);
  const words = wanted.kind === "none" ? "answers without a model" : `asks ${wanted.name}`;
  vscode.window.setStatusBarMessage(`Scope now ${words}.`, 5_000);
}

async function setByName(choice: ModelChoice, before: string): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: "Scope: Set a Model by Name",
    prompt: "The model with its provider; a server of your own is named in scope.model.apiBase",
    placeHolder: "anthropic/claude-sonnet-4-5, ollama_chat/qwen3",
    value: before,
    validateInput: (text) =>
      /^[^\s/]+\/\S+$/.test(text.trim()) ? undefined : "Write it as provider/model.",
  });
  if (name === undefined) {
    return;
  }
  await choice.set(undefined);
  await setName(name.trim());
  const setKey = "Set Model Key";
  const message = `Scope now asks ${name.trim()}.`;
  if ((await vscode.window.showInformationMessage(message, setKey)) === setKey) {
    await vscode.commands.executeCommand("scope.ui.setModelKey");
  }
}

function modelName(): string {
  return vscode.workspace.getConfiguration(SECTION).get<string | null>("model.name")?.trim() ?? "";
}

/** The setting is the user's alone; a workspace cannot have it. */
async function setName(name: string | undefined): Promise<void> {
  if (modelName() !== (name ?? "")) {
    const settings = vscode.workspace.getConfiguration(SECTION);
    await settings.update("model.name", name, vscode.ConfigurationTarget.Global);
  }
}
