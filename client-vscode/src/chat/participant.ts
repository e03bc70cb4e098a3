/** `@scope` in the editor's chat: the same answers, with the same checked links. */
import * as vscode from "vscode";
import type { Attachment } from "../attach/attachment";
import { aboutOf, attach, paramsOf } from "../attach/attachment";
import { placeOf, resourceOf, uncommittedOf } from "../attach/gather";
import type { Session } from "../client";
import { endWith, startRun } from "../panel/runs";
import { applyEvent, newTurn, type Turn } from "../panel/thread";
import type { AskParams, RunEvent } from "../protocol";
import { REMEDIES } from "../remedies";
import { statsLine, stopNote } from "../webview/stats";
import { areChangesMeant, ASK_MODEL, isRepeated, questionOf } from "./question";
import { chatTextOf, plainText } from "./text";

const ID = "scope.chat";

/** What was asked, and what was attached to it, for the reader. */
interface ChatQuestion {
  params: AskParams;
  about: string;
}

/** Kept with an answer, so that the next question can follow up on it, or ask a model the same. */
interface Answered extends vscode.ChatResult {
  metadata?: { documentUri?: string; asked?: ChatQuestion; model?: string };
}

/** Registers the participant. */
export function registerParticipant(session: Session, icon: vscode.Uri): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(ID, (request, context, stream, token) =>
    answer(session, request, context, stream, token),
  );
  participant.iconPath = icon;
  participant.followupProvider = { provideFollowups };
  return vscode.Disposable.from(participant);
}

async function answer(
  session: Session,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<Answered> {
  const asked = await askedBy(request, context);
  if (asked === undefined) {
    stream.markdown("Ask about the code of this folder, as in `@scope How does login work?`");
    return {};
  }
  if (!vscode.workspace.isTrusted) {
    stream.markdown("This folder is not trusted. Nothing of it is read until you trust it.");
    stream.button({ command: "workbench.trust.manage", title: "Manage Workspace Trust" });
    return {};
  }
  const turn = newTurn("", asked.params.question, asked.about, Date.now());
  const onEvent = ({ event }: RunEvent): void => {
    applyEvent(turn, event);
    if (event.type === "phase" || event.type === "tool_call") {
      stream.progress(turn.phase);
    }
  };
  const loan = request.command === ASK_MODEL ? session.lent.lend(request.model) : undefined;
  const run = startRun(session, { ...asked.params, useModel: loan?.useModel }, onEvent);
  const stopping = token.onCancellationRequested(run.cancel);
  const outcome = await run.ended.finally(() => {
    stopping.dispose();
    loan?.end();
  });
  await endWith(turn, outcome);
  show(turn, stream);
  const { documentUri, stats } = turn;
  const model = stats?.llmCalls === 0 ? request.model.name : undefined;
  return documentUri === undefined ? {} : { metadata: { documentUri, asked, model } };
}

/** Returns what a request asks; undefined if it asks nothing. */
async function askedBy(
  request: vscode.ChatRequest,
  { history }: vscode.ChatContext,
): Promise<ChatQuestion | undefined> {
  const answers = history
    .filter((turn) => turn instanceof vscode.ChatResponseTurn)
    .map(({ result }) => (result as Answered).metadata);
  const before = answers.findLast((answered) => answered?.asked !== undefined)?.asked;
  if (before !== undefined && isRepeated(request.command, request.prompt, before.params.question)) {
    return before;
  }
  const question = questionOf(request.command, request.prompt);
  if (question === "") {
    return undefined;
  }
  const attached = await attachedTo(request);
  const followUp = answers.findLast((answered) => answered?.documentUri !== undefined)?.documentUri;
  return { params: { ...paramsOf(question, attached), followUp }, about: aboutOf(attached) };
}

/** What the user attached to the request: files, folders, selections, symbols and changes. */
async function attachedTo(request: vscode.ChatRequest): Promise<Attachment[]> {
  const { references, command, prompt } = request;
  const tools = request.toolReferences.map(({ name }) => name);
  const changes = areChangesMeant(command, prompt, tools) ? uncommittedOf() : [];
  const found = await Promise.all(
    references.map(async ({ value }) =>
      value instanceof vscode.Location
        ? placeOf(value)
        : value instanceof vscode.Uri
          ? resourceOf(value)
          : undefined,
    ),
  );
  const named = found.filter((item) => item !== undefined);
  return [...changes, ...named].reduce<Attachment[]>(attach, []);
}

/** Offers an answer by the chat's own model, which is asked only if somebody takes the offer. */
function provideFollowups({ metadata }: Answered): vscode.ChatFollowup[] {
  const { asked, model } = metadata ?? {};
  return asked === undefined || model === undefined
    ? []
    : [{ prompt: asked.params.question, command: ASK_MODEL, label: `Answer with ${model}` }];
}

/** Shows an answer, or why there is none with the next step. */
function show(turn: Turn, stream: vscode.ChatResponseStream): void {
  const { about, markdown, message, notices, documentUri } = turn;
  const notes = [message, stopNote(turn), ...notices].filter((note) => note !== undefined);
  const parts = [
    ...(about === "" ? [] : [plainText(`about ${about}`)]),
    ...notes.map((note) => plainText(note)),
    chatTextOf(markdown, documentUri),
    plainText(statsLine(turn)),
  ];
  // A string is not trusted: it runs no command.
  stream.markdown(parts.filter((part) => part !== "").join("\n\n"));
  if (turn.remedies?.includes("setUp") === true) {
    stream.button({ command: "scope.ui.setUp", title: REMEDIES.setUp });
  }
  if (documentUri !== undefined) {
    stream.button({
      command: "markdown.showPreview",
      title: "Open as Document",
      arguments: [vscode.Uri.parse(documentUri)],
    });
  }
}
