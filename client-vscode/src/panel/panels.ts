/** All panels of the window: which one a question goes to, and what survives a reload. */
import * as vscode from "vscode";
import type { Session } from "../client";
import type { AskParams } from "../protocol";
import type { PanelHost } from "./answerPanel";
import { AnswerPanel, VIEW_TYPE } from "./answerPanel";
import type { Thread } from "./thread";
import { revive } from "./thread";

const LAST_KEY = "scope.lastThread";
const LAST_LIMIT = 400_000; // characters; the workspace's state is no store for documents

/** Opens, reuses and restores panels. */
export class Panels implements vscode.Disposable {
  private readonly panels = new Set<AnswerPanel>();
  private readonly host: PanelHost;
  private readonly registration: vscode.Disposable;
  private current: AnswerPanel | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    session: Session,
    log: vscode.LogOutputChannel,
  ) {
    const changed = (panel: AnswerPanel): void => this.onChanged(panel);
    this.host = { session, extensionUri: context.extensionUri, log, changed };
    this.registration = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
      deserializeWebviewPanel: (view, state) => {
        this.adopt(view, revive(state));
        return Promise.resolve();
      },
    });
  }

  /** Asks in a panel that is not busy; a busy one is left alone. */
  async ask(params: AskParams, about = ""): Promise<void> {
    const idle = [this.current, ...this.panels].find((panel) => panel?.isRunning === false);
    const panel = idle ?? this.open({ turns: [] });
    panel.view.reveal(undefined, true);
    await panel.ask(params, about);
  }

  /** Shows the newest answer again, even if its panel was closed; false if there is none. */
  showLast(): boolean {
    if (this.current !== undefined) {
      this.current.view.reveal(undefined, false);
      return true;
    }
    const thread = revive(this.context.workspaceState.get(LAST_KEY));
    if (thread.turns.length === 0) {
      return false;
    }
    this.open(thread).view.reveal(undefined, false);
    return true;
  }

  /** Stops every run; returns how many panels were busy. */
  cancel(): number {
    const busy = [...this.panels].filter((panel) => panel.isRunning);
    busy.forEach((panel) => panel.cancel());
    return busy.length;
  }

  /** The panel used last. */
  get active(): AnswerPanel | undefined {
    return this.current;
  }

  dispose(): void {
    this.registration.dispose();
  }

  private open(thread: Thread): AnswerPanel {
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    return this.adopt(vscode.window.createWebviewPanel(VIEW_TYPE, "Scope", place), thread);
  }

  private adopt(view: vscode.WebviewPanel, thread: Thread): AnswerPanel {
    const panel = new AnswerPanel(this.host, view, thread);
    this.panels.add(panel);
    this.current = panel;
    view.onDidDispose(() => {
      this.panels.delete(panel);
      this.current = this.current === panel ? [...this.panels].at(-1) : this.current;
      this.onChanged(panel);
    });
    return panel;
  }

  private onChanged(panel: AnswerPanel): void {
    if (this.panels.has(panel) && panel.view.active) {
      this.current = panel;
    }
    const isRunning = [...this.panels].some((item) => item.isRunning);
    void vscode.commands.executeCommand("setContext", "scope.running", isRunning);
    if (!panel.isRunning && panel.thread.turns.length > 0) {
      void this.keep(panel.thread);
    }
  }

  private async keep(thread: Thread): Promise<void> {
    if (JSON.stringify(thread).length < LAST_LIMIT) {
      await this.context.workspaceState.update(LAST_KEY, thread);
    }
  }
}
