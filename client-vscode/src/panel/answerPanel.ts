/** One panel beside the editor: a question, its answer, and the follow-ups to it. */
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { Session } from "../client";
import { parseLink } from "../links";
import type { AskParams, RunEvent, StatusParams } from "../protocol";
import { pageHtml } from "./html";
import type { FromWebview, ToWebview } from "./messages";
import { CannotOpen, fileAt, fileOf, openAt } from "./open";
import { peekAt } from "./peek";
import type { ThreadStore } from "./store";
import type { Outcome, Run } from "./runs";
import { startRun } from "./runs";
import type { Thread, Turn, TurnMeta } from "./thread";
import { applyEvent, endTurn, isReading, newTurn } from "./thread";

export const VIEW_TYPE = "scope.answer";
const KEEP_EVERY_MS = 1_000;

/** What a panel needs of the extension. */
export interface PanelHost {
  session: Session;
  extensionUri: vscode.Uri;
  log: vscode.LogOutputChannel;
  store: ThreadStore;
  /** Every way to answer that can be chosen. */
  modes: string[];
  /** A panel changed what it shows or whether it runs. */
  changed: (panel: AnswerPanel) => void;
}

/** The host side of a panel; the thread is kept here, the webview only shows it. */
export class AnswerPanel {
  private readonly runs = new Map<string, Run>();
  private readonly asked = new Map<string, AskParams>();
  private isClosed = false;
  private keepTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly host: PanelHost,
    readonly view: vscode.WebviewPanel,
    private readonly id: string,
    readonly thread: Thread,
  ) {
    view.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(host.extensionUri, "dist")],
    };
    view.iconPath = vscode.Uri.joinPath(host.extensionUri, "media", "panel.svg");
    view.webview.onDidReceiveMessage((message: FromWebview) => {
      this.receive(message).catch((error: unknown) => this.complain(error));
    });
    const following = host.session.onStatus((status) => this.onStatus(status));
    view.onDidDispose(() => {
      following.dispose();
      this.isClosed = true;
      this.cancel();
    });
    view.onDidChangeViewState(() => host.changed(this));
    view.webview.html = pageHtml(view.webview, host.extensionUri, host.modes);
    this.retitle();
  }

  /** Whether an answer is being written. */
  get isRunning(): boolean {
    return this.runs.size > 0;
  }

  /** The newest question and its answer. */
  get last(): Turn | undefined {
    return this.thread.turns.at(-1);
  }

  /** Asks a question; earlier ones of the panel are kept if it follows up on them. */
  async ask(params: AskParams, about: string): Promise<void> {
    if (params.followUp === undefined) {
      this.thread.turns.length = 0;
    }
    const id = params.runId ?? randomUUID();
    const turn = newTurn(id, params.question, about, Date.now());
    this.thread.turns.push(turn);
    this.asked.set(id, params);
    this.added();
    this.retitle();
    await this.follow(turn, { ...params, runId: id });
  }

  /** Moves the keyboard to the newest answer. */
  focus(): void {
    this.post({ type: "focus" });
  }

  /** Stops what is being answered. */
  cancel(): void {
    this.runs.forEach((run) => run.cancel());
  }

  /** Opens the newest saved document in the editor's own preview. */
  async openDocument(turn: Turn | undefined = this.last): Promise<void> {
    if (turn?.documentUri === undefined) {
      throw new CannotOpen("This answer was not saved as a document.");
    }
    const uri = vscode.Uri.parse(turn.documentUri);
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  }

  private async follow(turn: Turn, params: AskParams): Promise<void> {
    const run = startRun(this.host.session, params, (event) => this.onEvent(turn, event));
    this.runs.set(turn.id, run);
    this.host.changed(this);
    const outcome = await run.ended;
    this.runs.delete(turn.id);
    await this.end(turn, outcome);
    await this.keep();
    this.post({ type: "finished", turn: metaOf(turn), markdown: turn.markdown });
    this.host.changed(this);
  }

  private onEvent(turn: Turn, { event, baseUri }: RunEvent): void {
    turn.baseUri = baseUri;
    const isText = applyEvent(turn, event);
    this.keepTimer ??= setTimeout(() => void this.keep(), KEEP_EVERY_MS);
    this.post(
      isText && event.type === "text"
        ? { type: "text", turn: turn.id, text: event.text }
        : { type: "meta", turn: metaOf(turn) },
    );
  }

  private added(): void {
    this.post({ type: "added", thread: this.thread });
    void this.keep();
  }

  /** Puts the thread on disk, so that a reload at any moment loses at most a second of it. */
  private keep(): Promise<void> {
    clearTimeout(this.keepTimer);
    this.keepTimer = undefined;
    return this.host.store.save(this.id, this.thread);
  }

  /** A question that waits for the code to be read shows how far that is. */
  private onStatus({ state, done, total }: StatusParams): void {
    const waiting = this.thread.turns.filter((turn) => this.runs.has(turn.id) && isReading(turn));
    for (const turn of state === "indexing" ? waiting : []) {
      Object.assign(turn, { done, total });
      this.post({ type: "meta", turn: metaOf(turn) });
    }
  }

  private async end(turn: Turn, outcome: Outcome): Promise<void> {
    if (outcome.kind === "done") {
      const { markdown, references, stats, documentUri } = outcome.result;
      Object.assign(turn, { markdown, references, stats, documentUri });
      endTurn(turn, "done", Date.now());
      return;
    }
    endTurn(turn, outcome.kind, Date.now(), "message" in outcome ? outcome.message : undefined);
    if (outcome.kind === "cancelled" && turn.documentUri !== undefined) {
      const bytes = await vscode.workspace.fs
        .readFile(vscode.Uri.parse(turn.documentUri))
        .then(undefined, () => undefined);
      turn.markdown = bytes === undefined ? turn.markdown : new TextDecoder().decode(bytes);
    }
  }

  private async receive(message: FromWebview): Promise<void> {
    switch (message.type) {
      case "ready":
        this.post({ type: "thread", id: this.id, thread: this.thread });
        return;
      case "open":
        await this.openLink(this.turn(message.turn), message.href);
        return;
      case "openPlace":
        await this.openPlace(this.turn(message.turn), message.index);
        return;
      case "peek":
        await this.peek(this.turn(message.turn), message.href, message.request);
        return;
      case "stop":
        this.runs.get(message.turn)?.cancel();
        return;
      case "again":
        await this.again(this.turn(message.turn), message.mode);
        return;
      case "copy":
        await vscode.env.clipboard.writeText(this.turn(message.turn)?.markdown ?? "");
        return;
      case "copyText":
        await vscode.env.clipboard.writeText(message.text);
        return;
      case "document":
        await this.openDocument(this.turn(message.turn));
        return;
      case "followUp":
        await this.followUp(message.question);
        return;
      case "showLog":
        this.host.log.show();
        return;
    }
  }

  private async followUp(question: string): Promise<void> {
    const before = this.thread.turns.findLast((turn) => turn.documentUri !== undefined);
    await this.ask({ question, followUp: before?.documentUri }, "");
  }

  private async again(turn: Turn | undefined, mode: string | undefined): Promise<void> {
    if (turn !== undefined && !this.isRunning) {
      const before = this.asked.get(turn.id) ?? { question: turn.question };
      const params = mode === undefined ? before : { ...before, mode };
      this.thread.turns.splice(this.thread.turns.indexOf(turn), 1);
      const fresh = newTurn(randomUUID(), turn.question, turn.about, Date.now());
      this.thread.turns.push(fresh);
      this.asked.set(fresh.id, params);
      this.added();
      await this.follow(fresh, { ...params, runId: fresh.id });
    }
  }

  private async openLink(turn: Turn | undefined, href: string): Promise<void> {
    const target = parseLink(href);
    if (target === undefined || turn === undefined) {
      return;
    }
    if (target.kind === "external") {
      await vscode.env.openExternal(vscode.Uri.parse(target.url, true));
      return;
    }
    const uri = fileOf(target, baseOf(turn));
    await openAt(uri, target.lineStart, target.lineEnd, this.view.viewColumn);
  }

  private async openPlace(turn: Turn | undefined, index: number): Promise<void> {
    const place = turn?.considered[index];
    if (turn !== undefined && place !== undefined) {
      const uri = fileAt(place.path, baseOf(turn));
      await openAt(uri, place.lineStart, place.lineEnd, this.view.viewColumn);
    }
  }

  private async peek(turn: Turn | undefined, href: string, request: number): Promise<void> {
    const target = parseLink(href);
    if (turn !== undefined && target?.kind === "file") {
      const peek = await peekAt(target, baseOf(turn), turn.references);
      if (peek !== undefined) {
        this.post({ type: "peeked", request, peek });
      }
    }
  }

  private turn(id: string): Turn | undefined {
    return this.thread.turns.find((turn) => turn.id === id);
  }

  private retitle(): void {
    const question = (this.thread.turns[0]?.question ?? "").replaceAll("`", "");
    const short = question.length > 40 ? `${question.slice(0, 39)}…` : question;
    this.view.title = short === "" ? "Scope" : `Scope: ${short}`;
  }

  /** A hidden webview is gone and asks for the whole thread when it comes back. */
  private post(message: ToWebview): void {
    if (!this.isClosed) {
      void this.view.webview.postMessage(message);
    }
  }

  private complain(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof CannotOpen)) {
      this.host.log.error(error instanceof Error ? error : message);
    }
    void vscode.window.showWarningMessage(`Scope: ${message}`);
  }
}

function metaOf(turn: Turn): TurnMeta {
  return { ...turn, markdown: undefined } as TurnMeta;
}

function baseOf(turn: Turn): vscode.Uri | undefined {
  if (turn.documentUri !== undefined) {
    return vscode.Uri.joinPath(vscode.Uri.parse(turn.documentUri), "..");
  }
  return turn.baseUri === undefined ? undefined : vscode.Uri.parse(turn.baseUri);
}
