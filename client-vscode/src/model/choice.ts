/** Which model answers, as the user chose it in this editor. */
import * as vscode from "vscode";
import type { UseModelParams } from "../protocol";

/** One of the editor's own models, or the wish to have none. */
export type Choice =
  | { kind: "editor"; vendor: string; id: string; name: string; contextTokens: number }
  | { kind: "none" };

const KEPT_AS = "scope.model";

/** Keeps the choice for every window; a model that is named in the settings goes before it. */
export class ModelChoice implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Choice | undefined>();
  readonly onChange = this.changed.event;

  constructor(private readonly memory: vscode.Memento) {}

  /** The choice; undefined if nothing was chosen, or a model was set by its name. */
  get current(): Choice | undefined {
    return this.memory.get<Choice>(KEPT_AS);
  }

  /** Chooses from now on. */
  async set(choice: Choice | undefined): Promise<void> {
    await this.memory.update(KEPT_AS, choice);
    this.changed.fire(choice);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** Returns what the server is told of a choice. */
export function toServer(choice: Choice | undefined): UseModelParams {
  return choice?.kind === "editor"
    ? { name: nameOf(choice), contextTokens: choice.contextTokens }
    : {};
}

/** Returns what the server calls one of the editor's models. */
export function nameOf({ vendor, name }: { vendor: string; name: string }): string {
  return `${vendor}/${name}`;
}

/** Returns the editor's model that was chosen, if it has this name and is there. */
export async function chosenModel(
  choice: Choice | undefined,
  name: string,
): Promise<vscode.LanguageModelChat | undefined> {
  if (choice?.kind !== "editor" || nameOf(choice) !== name) {
    return undefined;
  }
  const { vendor, id } = choice;
  const [model] = await vscode.lm.selectChatModels({ vendor, id });
  return model;
}
