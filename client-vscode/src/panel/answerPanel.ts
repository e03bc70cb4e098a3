/** One panel beside the editor: a question, its answer, and the follow-ups to it. */
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { Attachment } from "../attach/attachment";
import { aboutOf, attachmentsIn, paramsOf } from "../attach/attachment";
import type { Names } from "../attach/names";
import { answerAskBox } from "../attach/page";
import type { Session } from "../client";
import type { DocumentStates } from "../documents/states";
import { parseLink } from "../links";
import type { RunEvent, StatusParams } from "../protocol";
import { complain } from "./complain";
import { pageHtml } from "./html";
import type { FromWebview, ToWebview } from "./messages";
import { CannotOpen, openLink, openPlace } from "./open";
import { peekAt } from "./peek";
import { takeRemedy } from "./takeRemedy";
import type { ThreadStore } from "./store";
import type { Run } from "./runs";
import { endWith, startRun } from "./runs";
import type { Asked, Thread, Turn } from "./thread";
import { applyEvent, isReading, metaOf, newTurn, settleRetry, titleOf } from "./thread";
import { compareTurns, updateReferences, VerifiedTurns } from "./verified";

export const VIEW_TYPE = "scope.answer";
const KEEP_EVERY_MS = 1_000;

/** What a panel needs of the extension. */
export interface PanelHost {
  session: Session;
  names: Names;
  extensionUri: vscode.Uri;
  log: vscode.LogOutputChannel;
  store: ThreadStore;
  states: DocumentStates;
  /** Ways to answer that can be taken now. */
  modes: readonly string[];
  /** A panel changed what it shows or whether it runs. */
  changed: (panel: AnswerPanel) => void;
}

/** The host side of a panel; the thread is kept here, the webview only shows it. */
export class AnswerPanel {
  private readonly runs = new Map<string, Run>();
  private readonly verified: VerifiedTurns;
  private isClosed = false;
  private isForgotten = false;
  private keepTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly host: PanelHost,
    readonly view: vscode.WebviewPanel,
    private id: string,
    private thread: Thread,
  ) {
    view.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(host.extensionUri, "dist")],
    };
    view.iconPath = vscode.Uri.joinPath(host.extensionUri, "media", "panel.svg");
    view.webview.onDidReceiveMessage((message: FromWebview) => {
      this.receive(message).catch((error: unknown) => complain(error, host.log));
    });
    const following = host.session.onStatus((status) => this.onStatus(status));
    this.verified = new VerifiedTurns(host.states, {
      turns: () => this.thread.turns,
      post: (message) => this.post(message),
    });
    view.onDidDispose(() => {
      following.dispose();
      this.verified.dispose();
      this.isClosed = true;
      this.cancel();
    });
    view.onDidChangeViewState(() => host.changed(this));
    view.webview.html = pageHtml(view.webview, host.extensionUri);
    this.retitle();
  }

  /** Whether an answer is being written. */
  get isRunning(): boolean {
    return this.runs.size > 0;
  }

  /** The thread with this id as it is now; undefined if another one is shown. */
  threadOf(id: string): Thread | undefined {
    return this.id === id ? this.thread : undefined;
  }

  /** The newest question and its answer. */
  get last(): Turn | undefined {
    return this.thread.turns.at(-1);
  }

  /** Asks a question, in a thread of its own unless it follows up on the one that is shown. */
  async ask(params: Asked, about: string): Promise<Turn> {
    if (params.followUp === undefined && this.thread.turns.length > 0) {
      await this.showThread(randomUUID(), { turns: [] });
    }
    const turn = this.added(params, about);
    await this.follow(turn, params);
    return turn;
  }

  /** Shows another thread; the one before stays where it is kept. */
  async showThread(id: string, thread: Thread): Promise<void> {
    const kept = this.keep();
    [this.id, this.thread] = [id, thread];
    this.post({ type: "thread", id, thread });
    this.verified.showAll();
    this.retitle();
    await kept;
  }

  /** Moves the keyboard to the newest answer. */
  focus(): void {
    this.post({ type: "focus" });
  }

  /** Closes the panel of a thread that is deleted; nothing of it is written any more. */
  forget(): void {
    this.isForgotten = true;
    clearTimeout(this.keepTimer);
    this.view.dispose(); // which stops what is being answered
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

  private async follow(turn: Turn, params: Asked): Promise<void> {
    const asked = { ...params, runId: turn.id };
    const run = startRun(this.host.session, asked, (event) => this.onEvent(turn, event));
    this.runs.set(turn.id, run);
    this.host.changed(this);
    const outcome = await run.ended;
    this.runs.delete(turn.id);
    await endWith(turn, outcome);
    this.verified.take(turn);
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

  /** Puts a question at the end of the thread. */
  private added(params: Asked, about: string): Turn {
    const turn = newTurn(params.runId ?? randomUUID(), params.question, about, Date.now());
    this.thread.turns.push(turn);
    turn.asked = { ...params, runId: undefined };
    this.post({ type: "added", thread: this.thread });
    this.retitle();
    void this.keep();
    return turn;
  }

  /** Puts the thread on disk, so that a reload at any moment loses at most a second of it. */
  private keep(): Promise<void> {
    clearTimeout(this.keepTimer);
    this.keepTimer = undefined;
    return this.isForgotten ? Promise.resolve() : this.host.store.save(this.id, this.thread);
  }

  /** A question that waits for the code to be read shows how far that is. */
  private onStatus({ state, done, total }: StatusParams): void {
    this.post({ type: "modes", modes: this.host.modes });
    const waiting = this.thread.turns.filter((turn) => this.runs.has(turn.id) && isReading(turn));
    for (const turn of state === "indexing" ? waiting : []) {
      Object.assign(turn, { done, total });
      this.post({ type: "meta", turn: metaOf(turn) });
    }
  }

  private async receive(message: FromWebview): Promise<void> {
    switch (message.type) {
      case "ready":
        this.post({ type: "modes", modes: this.host.modes });
        this.post({ type: "thread", id: this.id, thread: this.thread });
        this.verified.showAll();
        return;
      case "open":
        await openLink(message.href, this.turn(message.turn), this.view.viewColumn);
        return;
      case "openPlace":
        await openPlace(message.index, this.turn(message.turn), this.view.viewColumn);
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
      case "askAgain":
        await compareTurns(this.turn(message.turn), (turn) => this.again(turn));
        return;
      case "updateReferences":
        await updateReferences(this.turn(message.turn));
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
        await this.followUp(message.question, attachmentsIn(message.attached));
        return;
      case "suggest":
      case "dropped":
        await answerAskBox(message, this.host.names, (answer) => this.post(answer));
        return;
      case "remedy":
        // A question sets up what it needs, so it is asked once more.
        await (message.remedy === "setUp"
          ? this.again(this.turn(message.turn), undefined)
          : takeRemedy(message.remedy, this.host.log));
        return;
      case "chooseModel":
        await vscode.commands.executeCommand("scope.ui.chooseModel");
        return;
      case "showLog":
        this.host.log.show();
        return;
    }
  }

  private async followUp(question: string, attached: readonly Attachment[]): Promise<void> {
    const before = this.thread.turns.findLast((turn) => turn.documentUri !== undefined);
    const { organisation } = before?.asked ?? {};
    const params = { ...paramsOf(question, attached), followUp: before?.documentUri, organisation };
    await this.ask(params, organisation === true ? (before?.about ?? "") : aboutOf(attached));
  }

  private async again(turn?: Turn, mode?: string): Promise<Turn | undefined> {
    if (turn === undefined || this.isRunning) return undefined;
    const before = turn.asked ?? { question: turn.question };
    const params = { ...before, mode: mode ?? before.mode, runId: undefined };
    const { thread } = this;
    const fresh = this.added(params, turn.about);
    await this.follow(fresh, params);
    settleRetry(thread, turn, fresh);
    if (thread === this.thread) {
      this.post({ type: "turns", thread });
      await this.keep();
    }
    return fresh;
  }

  private async peek(turn: Turn | undefined, href: string, request: number): Promise<void> {
    const target = parseLink(href);
    if (turn !== undefined && target?.kind === "file") {
      const peek = await peekAt(href, target, turn);
      if (peek !== undefined) {
        this.post({ type: "peeked", request, peek });
      }
    }
  }

  private turn(id: string): Turn | undefined {
    return this.thread.turns.find((turn) => turn.id === id);
  }

  private retitle(): void {
    this.view.title = titleOf(this.thread);
  }

  /** A hidden webview is gone and asks for the whole thread when it comes back. */
  private post(message: ToWebview): void {
    if (!this.isClosed) {
      void this.view.webview.postMessage(message);
    }
  }
}
