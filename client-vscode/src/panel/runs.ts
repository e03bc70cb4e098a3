/** Asks the server one question and follows its run to the end, however it ends. */
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { library } from "../library";
import type { Session } from "../client";
import type { AskResult, RunEvent } from "../protocol";
import { ask, askOrganisation } from "../protocol";
import type { Remedy } from "../remedies";
import type { Asked, Turn } from "./thread";
import { endTurn } from "./thread";

/** How a run ended. */
export type Outcome =
  | { kind: "done"; result: AskResult }
  | { kind: "cancelled" }
  | { kind: "interrupted"; message: string }
  | { kind: "failed"; message: string; remedies?: readonly Remedy[] };

/** A run that can be followed and stopped. */
export interface Run {
  id: string;
  ended: Promise<Outcome>;
  cancel: () => void;
}

const LAST_EVENT_MS = 3_000; // a cancelled run still writes its document and says where

/** Starts a run; its events go to `onEvent` in order, the last ones before `ended` resolves. */
export function startRun(session: Session, params: Asked, onEvent: (event: RunEvent) => void): Run {
  const id = params.runId ?? randomUUID();
  const source = new vscode.CancellationTokenSource();
  const follower = new Follower(session, id, onEvent);
  sayAnswered(false);
  const ended = answer(session, { ...params, runId: id }, source.token, follower).finally(() => {
    follower.dispose();
    source.dispose();
  });
  return { id, ended, cancel: () => source.cancel() };
}

async function answer(
  session: Session,
  { organisation, ...params }: Asked,
  token: vscode.CancellationToken,
  follower: Follower,
): Promise<Outcome> {
  const client = await session.running();
  if (client === undefined) {
    const message = session.problem?.message ?? "The language server is not running.";
    return { kind: "failed", message, remedies: session.problem?.remedies ?? ["showLog"] };
  }
  try {
    const { question, runId } = params;
    const result =
      organisation === true
        ? await client.sendRequest(askOrganisation, { question, runId }, token)
        : await client.sendRequest(ask, params, token);
    return { kind: "done", result };
  } catch (error) {
    if (error instanceof vscode.CancellationError || isCancelled(error)) {
      await follower.lastEvent(LAST_EVENT_MS);
      return { kind: "cancelled" };
    }
    if (!client.isRunning() || isConnectionError(error)) {
      const message = "The language server stopped while it was answering.";
      return { kind: "interrupted", message };
    }
    return { kind: "failed", message: messageOf(error) };
  }
}

/** Hands a run's events on, and knows whether the last one came. */
class Follower implements vscode.Disposable {
  private readonly subscription: vscode.Disposable;
  private isFinished = false;
  private onFinished: () => void = () => undefined;

  constructor(session: Session, id: string, onEvent: (event: RunEvent) => void) {
    this.subscription = session.onRunEvent((event) => {
      if (event.runId !== id) {
        return;
      }
      onEvent(event);
      if (event.event.type === "finished") {
        this.isFinished = true;
        this.onFinished();
      }
    });
  }

  /** Waits for the last event, but not for ever. */
  lastEvent(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.isFinished) {
        resolve();
        return;
      }
      const timer = setTimeout(resolve, limitMs);
      this.onFinished = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  dispose(): void {
    this.subscription.dispose();
  }
}

function isCancelled(error: unknown): boolean {
  const { LSPErrorCodes, ResponseError } = library();
  return error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled;
}

/** The codes of vscode-jsonrpc for a connection that went away under a request. */
function isConnectionError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "number" && [-32097, -32099, 1, 2].includes(code);
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const { ErrorCodes, ResponseError } = library();
  const isBug = error instanceof ResponseError && error.code === ErrorCodes.InternalError;
  return isBug ? `Something went wrong inside the server; its log says more. ${message}` : message;
}

/**
 * Ticks the set-up in the walkthrough: the editor looks at changes alone, not at what was so before
 * the walkthrough was opened.
 */
function sayAnswered(isAnswered: boolean): void {
  void vscode.commands.executeCommand("setContext", "scope.answered", isAnswered);
}

/** Ends a turn with what came of its run. */
export async function endWith(turn: Turn, outcome: Outcome): Promise<void> {
  if (outcome.kind === "done") {
    const { markdown, references, stats, documentUri } = outcome.result;
    Object.assign(turn, { markdown, references, stats, documentUri });
    endTurn(turn, "done", Date.now());
    sayAnswered(true);
    return;
  }
  endTurn(turn, outcome.kind, Date.now(), "message" in outcome ? outcome.message : undefined);
  turn.remedies = outcome.kind === "failed" ? [...(outcome.remedies ?? [])] : [];
  if (outcome.kind === "cancelled" && turn.documentUri !== undefined) {
    const bytes = await vscode.workspace.fs
      .readFile(vscode.Uri.parse(turn.documentUri))
      .then(undefined, () => undefined);
    turn.markdown = bytes === undefined ? turn.markdown : new TextDecoder().decode(bytes);
  }
}
