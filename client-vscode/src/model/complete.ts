/** Asks the editor's own model for the server, and hands its words and calls on as they come. */
import * as vscode from "vscode";
import type {
  CompleteCall,
  CompleteParams,
  CompleteResult,
  CompleteTool,
  CompleteTurn,
} from "../protocol";
import { faultOf } from "./faults";

const STILL_HERE_MS = 10_000; // while the user reads a consent dialog, the server must not give up

/** A further piece of an answer; a call comes with no text. */
export interface Piece {
  text: string;
  call?: CompleteCall;
}

/** Takes a further piece; resolves when it is on its way. */
export type SendPiece = (piece: Piece) => Promise<void>;

/** Finds the model that a request is for; undefined if it is not there, or was not allowed. */
export type FindModel = (
  name: string,
) => vscode.LanguageModelChat | Promise<vscode.LanguageModelChat | undefined>;

/** Answers `scope/complete`; what goes wrong is in the result. */
export async function complete(
  find: FindModel,
  params: CompleteParams,
  send: SendPiece,
  token: vscode.CancellationToken,
): Promise<CompleteResult> {
  const ended = cancelled(token);
  try {
    const model = await find(params.model);
    if (model === undefined) {
      return { fault: "no_model" };
    }
    const response = await accepted(model, params, send, token, ended);
    const pieces = response.stream[Symbol.asyncIterator]();
    for (;;) {
      // A provider that ignores the cancel would keep the stream open.
      const next = await Promise.race([pieces.next(), ended]);
      if (next.done === true) {
        return {};
      }
      const piece = pieceOf(next.value);
      if (piece !== undefined) {
        await send(piece);
      }
    }
  } catch (error) {
    return faultOf(error);
  }
}

/** Returns the answer once the request was accepted; the user may be asked for leave before. */
async function accepted(
  model: vscode.LanguageModelChat,
  { turns, tools }: CompleteParams,
  send: SendPiece,
  token: vscode.CancellationToken,
  ended: Promise<never>,
): Promise<vscode.LanguageModelChatResponse> {
  const messages = turns.map(messageOf);
  const justification = "Scope answers questions about your code with this model.";
  // Not toolMode Required: some models then take a single tool only.
  const options =
    tools.length === 0 ? { justification } : { justification, tools: tools.map(toolOf) };
  const timer = setInterval(() => void send({ text: "" }), STILL_HERE_MS);
  try {
    return await Promise.race([model.sendRequest(messages, options, token), ended]);
  } finally {
    clearInterval(timer);
  }
}

function messageOf({ role, text, calls, results }: CompleteTurn): vscode.LanguageModelChatMessage {
  const words = text === "" ? [] : [new vscode.LanguageModelTextPart(text)];
  if (role === "user") {
    const answers = results.map(
      (result) =>
        new vscode.LanguageModelToolResultPart(result.callId, [
          new vscode.LanguageModelTextPart(result.text),
        ]),
    );
    return vscode.LanguageModelChatMessage.User([...answers, ...words]);
  }
  const made = calls.map(
    (call) => new vscode.LanguageModelToolCallPart(call.id, call.name, call.arguments),
  );
  return vscode.LanguageModelChatMessage.Assistant([...words, ...made]);
}

function toolOf({ name, description, inputSchema }: CompleteTool): vscode.LanguageModelChatTool {
  return { name, description, inputSchema };
}

/** Returns what is handed on of a part of the answer; undefined for a kind that is not known. */
function pieceOf(part: unknown): Piece | undefined {
  if (part instanceof vscode.LanguageModelTextPart) {
    return { text: part.value };
  }
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const { callId, name, input } = part;
    return { text: "", call: { id: callId, name, arguments: input as Record<string, unknown> } };
  }
  return undefined;
}

function cancelled(token: vscode.CancellationToken): Promise<never> {
  const ended = new Promise<never>((_, reject) => {
    token.onCancellationRequested(() => reject(new vscode.CancellationError()));
  });
  ended.catch(() => undefined); // it may be that nobody waits for it any more
  return ended;
}
