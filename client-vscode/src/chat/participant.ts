/** `@scope` in the editor's chat: the same answers, with the same checked links. */
import * as vscode from "vscode";
import type { Session } from "../client";
import type { AskResult } from "../protocol";
import { ask } from "../protocol";
import { questionOf } from "./question";

const ID = "scope.chat";

/** Registers the participant. */
export function registerParticipant(session: Session, icon: vscode.Uri): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(ID, (request, _context, stream, token) =>
    answer(session, request, stream, token),
  );
  participant.iconPath = icon;
  return vscode.Disposable.from(participant);
}

async function answer(
  session: Session,
  request: vscode.ChatRequest,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<void> {
  const question = questionOf(request.command, request.prompt);
  if (question === "") {
    stream.markdown("Ask about the code of this folder, as in `@scope How does login work?`");
    return;
  }
  if (!vscode.workspace.isTrusted) {
    stream.markdown("This folder is not trusted. Nothing of it is read until you trust it.");
    stream.button({ command: "workbench.trust.manage", title: "Manage Workspace Trust" });
    return;
  }
  stream.progress("Looking for the places that matter");
  const client = await session.running();
  if (client === undefined) {
    stream.markdown(session.problem?.message ?? "The language server is not running.");
    stream.button({ command: "scope.ui.setUp", title: "Set Up Scope" });
    return;
  }
  show(await client.sendRequest(ask, { question }, token), stream);
}

/** Shows an answer; its links are relative to the document that it was saved as. */
function show({ markdown, documentUri }: AskResult, stream: vscode.ChatResponseStream): void {
  const text = new vscode.MarkdownString(markdown); // trusts nothing: no command can be run from it
  if (documentUri !== undefined) {
    text.baseUri = vscode.Uri.joinPath(vscode.Uri.parse(documentUri), "..", "/");
  }
  stream.markdown(text);
  if (documentUri !== undefined) {
    stream.button({
      command: "markdown.showPreview",
      title: "Open as Document",
      arguments: [vscode.Uri.parse(documentUri)],
    });
  }
}
