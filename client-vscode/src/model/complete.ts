/** Asks the editor's own model for the server, and hands its words on as they come. */
import * as vscode from "vscode";
import type { CompleteParams, CompleteResult } from "../protocol";
import type { Choice } from "./choice";
import { faultOf } from "./faults";

const STILL_HERE_MS = 10_000; // while the user reads a consent dialog, the server must not give up

/** Takes a further piece of text; resolves when it is on its way. */
export type SendText = (text: string) => Promise<void>;

/** Answers `scope/complete`; what goes wrong is in the result. */
export async function complete(
  choice: Choice | undefined,
  params: CompleteParams,
  sendText: SendText,
  token: vscode.CancellationToken,
): Promise<CompleteResult> {
  const ended = cancelled(token);
  try {
    const model = await modelOf(choice);
    if (model === undefined) {
      return { fault: "no_model" };
    }
    const response = await accepted(model, params, sendText, token, ended);
    const pieces = response.text[Symbol.asyncIterator]();
    for (;;) {
      // A provider that ignores the cancel would keep the stream open.
      const next = await Promise.race([pieces.next(), ended]);
      if (next.done === true) {
        return {};
      }
      await sendText(next.value);
    }
  } catch (error) {
    return faultOf(error);
  }
}

async function modelOf(choice: Choice | undefined): Promise<vscode.LanguageModelChat | undefined> {
  if (choice?.kind !== "editor") {
    return undefined;
  }
  const { vendor, id } = choice;
  const [model] = await vscode.lm.selectChatModels({ vendor, id });
  return model;
}

/** Returns the answer once the request was accepted; the user may be asked for leave before. */
async function accepted(
  model: vscode.LanguageModelChat,
  { turns }: CompleteParams,
  sendText: SendText,
  token: vscode.CancellationToken,
  ended: Promise<never>,
): Promise<vscode.LanguageModelChatResponse> {
  const messages = turns.map(({ role, text }) =>
    role === "user"
      ? vscode.LanguageModelChatMessage.User(text)
      : vscode.LanguageModelChatMessage.Assistant(text),
  );
  const justification = "Scope answers questions about your code with this model.";
  const timer = setInterval(() => void sendText(""), STILL_HERE_MS);
  try {
    return await Promise.race([model.sendRequest(messages, { justification }, token), ended]);
  } finally {
    clearInterval(timer);
  }
}

function cancelled(token: vscode.CancellationToken): Promise<never> {
  const ended = new Promise<never>((_, reject) => {
    token.onCancellationRequested(() => reject(new vscode.CancellationError()));
  });
  ended.catch(() => undefined); // it may be that nobody waits for it any more
  return ended;
}
