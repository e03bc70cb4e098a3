/** All panels of the window: which one a question goes to, and what survives a reload. */
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { Names } from "../attach/names";
import type { Session } from "../client";
import type { DocumentStates } from "../documents/states";
import type { PanelHost } from "./answerPanel";
import { AnswerPanel, VIEW_TYPE } from "./answerPanel";
import type { KeptThread } from "./store";
import { ThreadStore } from "./store";
import type { Asked, Thread, Turn } from "./thread";

/** What the page itself keeps over a reload. */
interface PageState {
  id?: unknown;
}

/** Opens, reuses and restores panels. */
export class Panels implements vscode.Disposable {
  private readonly panels = new Set<AnswerPanel>();
  private readonly host: PanelHost;
  private readonly registration: vscode.Disposable;
  private readonly following: vscode.Disposable;
  private readonly store: ThreadStore;
  private readonly changes = new vscode.EventEmitter<void>();
  private current: AnswerPanel | undefined;

  /** Something was asked, answered or deleted. */
  readonly onChange = this.changes.event;

  constructor(
    context: vscode.ExtensionContext,
    session: Session,
    log: vscode.LogOutputChannel,
    states: DocumentStates,
  ) {
    const folder = context.storageUri && vscode.Uri.joinPath(context.storageUri, "threads").fsPath;
    this.store = new ThreadStore(folder);
    const changed = (panel: AnswerPanel): void => this.onChanged(panel);
    this.host = {
      session,
      names: new Names(session),
      extensionUri: context.extensionUri,
      log,
      changed,
      store: this.store,
      states,
      modes: [],
    };
    this.following = session.onStatus(({ modes }) => (this.host.modes = modes));
    this.registration = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
      deserializeWebviewPanel: (view, state) => this.restore(view, state as PageState | undefined),
    });
  }

  /** Asks in a panel that is not busy; a busy one is left alone. Returns the answered question. */
  async ask(params: Asked, about = ""): Promise<Turn | undefined> {
    const idle = [this.current, ...this.panels].find((panel) => panel?.isRunning === false);
    const panel = idle ?? this.open(randomUUID(), { turns: [] });
    panel.view.reveal(undefined, true);
    return panel.ask(params, about);
  }

  /** Shows the newest answer again, even if its panel was closed; false if there is none. */
  async showLast(): Promise<boolean> {
    if (this.current === undefined) {
      const last = await this.store.last();
      if (last === undefined || last.thread.turns.length === 0) {
        return false;
      }
      this.open(last.id, last.thread);
    }
    this.current?.view.reveal(undefined, false);
    this.current?.focus();
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

  /** Lets the user choose an earlier thread, and shows it. */
  async showEarlier(): Promise<void> {
    const kept = await this.store.all();
    const items = kept.map(({ id, thread, at }) => ({
      label: thread.turns[0]?.question ?? "",
      description: new Date(at).toLocaleString(),
      detail: thread.turns.length > 1 ? `and ${thread.turns.length - 1} more` : undefined,
      id,
      thread,
    }));
    if (items.length === 0) {
      void vscode.window.showInformationMessage("Scope: Nothing was asked yet.");
      return;
    }
    const title = "Scope: Show Earlier Answers";
    const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
    if (chosen !== undefined) {
      this.show(chosen.id, chosen.thread);
    }
  }

  /** Returns every thread of the workspace, newest first. */
  async kept(): Promise<KeptThread[]> {
    const kept = await this.store.all();
    // What runs in a panel counts as interrupted in its file, which is read after a reload.
    return kept.map((item) => {
      const [panel] = this.showing(item.id);
      return { ...item, thread: panel?.threadOf(item.id) ?? item.thread };
    });
  }

  /** Shows a thread, in the panel that has it if there is one. */
  show(id: string, thread: Thread): void {
    const panel = this.showing(id)[0] ?? this.open(id, thread);
    panel.view.reveal(undefined, false);
    panel.focus();
  }

  /** Deletes a thread, and closes the panel that shows it. */
  async forget(id: string): Promise<void> {
    this.showing(id).forEach((panel) => panel.forget());
    await this.store.remove(id);
    this.changes.fire();
  }

  dispose(): void {
    this.registration.dispose();
    this.following.dispose();
    this.changes.dispose();
  }

  private showing(id: string): AnswerPanel[] {
    return [...this.panels].filter((panel) => panel.threadOf(id) !== undefined);
  }

  private async restore(view: vscode.WebviewPanel, state: PageState | undefined): Promise<void> {
    const id = typeof state?.id === "string" ? state.id : "";
    const known = await this.store.load(id);
    // What the page kept may not have been stored yet when the window went away.
    const last = known.turns.length > 0 ? { id, thread: known } : await this.store.last();
    this.adopt(view, last?.id ?? randomUUID(), last?.thread ?? known);
  }

  private open(id: string, thread: Thread): AnswerPanel {
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    return this.adopt(vscode.window.createWebviewPanel(VIEW_TYPE, "Scope", place), id, thread);
  }

  private adopt(view: vscode.WebviewPanel, id: string, thread: Thread): AnswerPanel {
    const panel = new AnswerPanel(this.host, view, id, thread);
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
    this.changes.fire();
  }
}
