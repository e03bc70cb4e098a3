/** `@scope` in the editor's chat: the same answers, with the same checked links. */
import * as vscode from "vscode";
import type { Attachment } from "../attach/attachment";
import { aboutOf, attach, paramsOf } from "../attach/attachment";
import { placeOf, resourceOf } from "../attach/gather";
import type { Session } from "../client";
import type { AskResult } from "../protocol";
import { ask } from "../protocol";
import { questionOf } from "./question";
import { chatTextOf } from "./text";

const ID = "scope.chat";

/** Kept with an answer, so that the next question can follow up on it. */
interface Answered extends vscode.ChatResult {
  metadata?: { documentUri?: string };
}

/** Registers the participant. */
export function registerParticipant(session: Session, icon: vscode.Uri): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(ID, (request, context, stream, token) =>
    answer(session, request, context, stream, token),
  );
  participant.iconPath = icon;
  return vscode.Disposable.from(participant);
}

async function answer(
  session: Session,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<Answered> {
  const question = questionOf(request.command, request.prompt);
  if (question === "") {
    stream.markdown("Ask about the code of this folder, as in `@scope How does login work?`");
    return {};
  }
  if (!vscode.workspace.isTrusted) {
    stream.markdown("This folder is not trusted. Nothing of it is read until you trust it.");
    stream.button({ command: "workbench.trust.manage", title: "Manage Workspace Trust" });
    return {};
  }
  stream.progress("Looking for the places that matter");
  const client = await session.running();
  if (client === undefined) {
    stream.markdown(session.problem?.message ?? "The language server is not running.");
    stream.button({ command: "scope.ui.setUp", title: "Set Up Scope" });
    return {};
  }
  const attached = await attachedTo(request);
  const params = { ...paramsOf(question, attached), followUp: documentBefore(context) };
  const result = await client.sendRequest(ask, params, token);
  show(result, aboutOf(attached), stream);
  return { metadata: { documentUri: result.documentUri } };
}

/** What the user attached to the request: files, folders, selections and symbols. */
async function attachedTo({ references }: vscode.ChatRequest): Promise<Attachment[]> {
  const found = await Promise.all(
    references.map(async ({ value }) =>
      value instanceof vscode.Location
        ? placeOf(value)
        : value instanceof vscode.Uri
          ? resourceOf(value)
          : undefined,
    ),
  );
  return found.filter((item) => item !== undefined).reduce<Attachment[]>(attach, []);
}

/** The document of the answer that the question follows up on, if the chat holds one of ours. */
function documentBefore({ history }: vscode.ChatContext): string | undefined {
  const answers = history.filter((turn) => turn instanceof vscode.ChatResponseTurn);
  return answers
    .map(({ result }) => (result as Answered).metadata?.documentUri)
    .findLast((uri) => uri !== undefined);
}

/** Shows an answer. */
function show(
  { markdown, documentUri }: AskResult,
  about: string,
  stream: vscode.ChatResponseStream,
): void {
  if (about !== "") {
    stream.markdown(new vscode.MarkdownString().appendText(`about ${about}\n\n`));
  }
  stream.markdown(chatTextOf(markdown, documentUri)); // a string is not trusted: it runs no command
  if (documentUri !== undefined) {
    stream.button({
      command: "markdown.showPreview",
      title: "Open as Document",
      arguments: [vscode.Uri.parse(documentUri)],
    });
  }
}
