/** "Scope: Compare Answers": two answers side by side, in the editor's own view of differences. */
import * as vscode from "vscode";
import { documentTitle, pairable } from "./compareText";
import { bodyOf } from "./documentBody";
import type { Panels } from "./panel/panels";
import type { KeptThread } from "./panel/store";
import type { Turn } from "./panel/thread";

const SCHEME = "scope-answer";

/** Hands out the texts that are compared; they are as they were when the comparison was opened. */
export class Comparison implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();

  constructor(private readonly panels: Panels) {}

  /** Registers the documents. */
  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Compares the answers of two threads; of one, with an answer that the user chooses. */
  async show(first: KeptThread, selected: readonly KeptThread[]): Promise<void> {
    const [other] = selected.filter(({ id }) => id !== first.id);
    const one = first.thread.turns.at(-1);
    const two = other === undefined ? await this.chosen(one) : other.thread.turns.at(-1);
    if (one !== undefined && two !== undefined) {
      const [earlier, later] = one.startedAt < two.startedAt ? [one, two] : [two, one];
      const title = `${documentTitle(earlier)} ↔ ${documentTitle(later)}`;
      await vscode.commands.executeCommand(
        "vscode.diff",
        this.document(earlier),
        this.document(later),
        title,
      );
    }
  }

  private async chosen(first: Turn | undefined): Promise<Turn | undefined> {
    const kept = await this.panels.kept();
    const turns = kept.flatMap(({ thread }) => thread.turns);
    const items = pairable(first, turns).map((turn) => ({
      label: turn.question.replaceAll("`", ""),
      description: new Date(turn.startedAt).toLocaleString(),
      detail: turn.mode,
      turn,
    }));
    if (items.length === 0) {
      void vscode.window.showInformationMessage("Scope: There is no other answer to compare with.");
      return undefined;
    }
    const title = "Scope: Compare With Which Answer?";
    return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.turn;
  }

  private document(turn: Turn): vscode.Uri {
    const path = `/${documentTitle(turn).replaceAll("/", "-")}.md`;
    const uri = vscode.Uri.from({ scheme: SCHEME, path, query: turn.id });
    this.texts.set(uri.toString(), bodyOf(turn.markdown));
    return uri;
  }
}
