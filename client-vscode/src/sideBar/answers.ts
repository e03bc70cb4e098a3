/** The side bar's list of answers: every thread of this workspace, newest first. */
import * as vscode from "vscode";
import type { KeptThread } from "../panel/store";
import type { Panels } from "../panel/panels";
import { asksOrganisation } from "../panel/thread";
import { detailOf, stateOf } from "./answerText";

const ICONS = { running: "loading~spin", done: "comment", problem: "warning" };

/** Lists threads; a question below the first stands under it. */
export class Answers implements vscode.TreeDataProvider<KeptThread>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly following: vscode.Disposable;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly panels: Panels) {
    this.following = panels.onChange(() => this.changed.fire(undefined));
  }

  getChildren(parent?: KeptThread): Promise<KeptThread[]> {
    return parent === undefined ? this.panels.kept() : Promise.resolve([]);
  }

  getTreeItem(kept: KeptThread): vscode.TreeItem {
    const { id, thread, at } = kept;
    const [first] = thread.turns;
    const item = new vscode.TreeItem((first?.question ?? "").replaceAll("`", ""));
    const state = stateOf(thread);
    item.id = id;
    item.description = detailOf(thread, at, Date.now());
    item.tooltip = thread.turns.map(({ question }) => question).join("\n");
    const isEverywhere = state === "done" && asksOrganisation(thread);
    item.iconPath = new vscode.ThemeIcon(isEverywhere ? "organization" : ICONS[state]);
    item.contextValue = "scope.thread";
    item.command = { command: "scope.ui.openThread", title: "Open Answer", arguments: [kept] };
    item.accessibilityInformation = { label: `${item.label as string}, ${item.description}` };
    return item;
  }

  dispose(): void {
    this.following.dispose();
    this.changed.dispose();
  }
}

/** Asks whether a thread is really to go, and lets it go. */
export async function deleteThread(panels: Panels, kept: KeptThread): Promise<void> {
  const question = kept.thread.turns[0]?.question ?? "";
  const answer = await vscode.window.showWarningMessage(
    "Delete this answer?",
    { modal: true, detail: `${question}\n\nSaved documents stay where they are.` },
    "Delete",
  );
  if (answer === "Delete") {
    await panels.forget(kept.id);
  }
}
