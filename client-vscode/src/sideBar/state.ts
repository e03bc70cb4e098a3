/** The side bar's rows on what answers: the code that was read, and the model. */
import * as vscode from "vscode";
import type { Session, SessionState } from "../client";
import type { ModelChoice } from "../model/choice";
import type { StatusParams } from "../protocol";
import { modelName } from "../settings";

/** Two rows that follow the server. */
export class StateRows implements vscode.TreeDataProvider<vscode.TreeItem>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly following: vscode.Disposable;
  private session: SessionState = "off";
  private status: StatusParams | undefined;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    session: Session,
    private readonly choice: ModelChoice,
  ) {
    this.following = vscode.Disposable.from(
      session.onState((state) => {
        this.session = state;
        this.status = undefined;
        this.changed.fire(undefined);
      }),
      session.onStatus((status) => {
        this.status = status;
        this.changed.fire(undefined);
      }),
      choice.onChange(() => this.changed.fire(undefined)),
      vscode.workspace.onDidChangeConfiguration(() => this.changed.fire(undefined)),
    );
  }

  getChildren(): vscode.TreeItem[] {
    return [this.code(), this.model()];
  }

  getTreeItem(item: vscode.TreeItem): vscode.TreeItem {
    return item;
  }

  dispose(): void {
    this.following.dispose();
    this.changed.dispose();
  }

  private code(): vscode.TreeItem {
    const item = new vscode.TreeItem("Code");
    [item.description, item.iconPath] = this.codeState();
    const isThere = this.session === "running" || this.session === "starting";
    const needsSetUp = this.session === "notSetUp";
    const [command, title] = needsSetUp
      ? ["scope.ui.setUp", "Set Up Scope"]
      : isThere
        ? ["scope.ui.rebuildIndex", "Rebuild Index"]
        : ["scope.ui.restartServer", "Restart Server"];
    item.tooltip = this.status?.message ?? title;
    item.contextValue = isThere ? "scope.code" : undefined;
    item.command = isThere ? undefined : { command, title };
    return item;
  }

  private codeState(): [string, vscode.ThemeIcon] {
    const icon = (name: string): vscode.ThemeIcon => new vscode.ThemeIcon(name);
    if (this.session === "notSetUp") {
      return ["set-up needed", icon("desktop-download")];
    }
    if (this.session === "untrusted") {
      return ["folder not trusted", icon("shield")];
    }
    if (this.session === "failed" || this.status?.state === "problem") {
      return ["not running", icon("warning")];
    }
    if (this.status?.state === "indexing") {
      const { done, total } = this.status;
      const count = total > 0 ? ` ${done.toLocaleString()} of ${total.toLocaleString()} files` : "";
      return [`reading${count}`, icon("loading~spin")];
    }
    return this.status?.state === "ready"
      ? ["ready", icon("check")]
      : ["starting", icon("loading~spin")];
  }

  private model(): vscode.TreeItem {
    const item = new vscode.TreeItem("Model");
    const { current } = this.choice;
    const named = modelName();
    const none = "none; answers are made offline";
    item.description = named !== "" ? named : current?.kind === "editor" ? current.name : none;
    item.iconPath = new vscode.ThemeIcon("sparkle");
    item.tooltip = "Choose which model answers, or none";
    item.command = { command: "scope.ui.chooseModel", title: "Choose Model" };
    return item;
  }
}
