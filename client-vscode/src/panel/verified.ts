/** Keeps the answers of a panel true: what became of their documents, and the documents' text of now. */
import * as vscode from "vscode";
import { compare } from "../documents/commands";
import type { DocumentStates } from "../documents/states";
import { serverCommands } from "../protocol";
import type { ToWebview } from "./messages";
import { textOf } from "./peek";
import type { Turn } from "./thread";
import { metaOf } from "./thread";

/** What is needed of the panel. */
export interface VerifiedPanel {
  /** All questions that it shows, oldest first. */
  turns: () => readonly Turn[];
  post: (message: ToWebview) => void;
}

/** Follows the documents of one panel. */
export class VerifiedTurns implements vscode.Disposable {
  private readonly following: vscode.Disposable;

  constructor(
    private readonly states: DocumentStates,
    private readonly panel: VerifiedPanel,
  ) {
    this.following = states.onChange((document) => void this.show(document.toString()));
  }

  dispose(): void {
    this.following.dispose();
  }

  /** Shows what is known of every document of the panel. */
  showAll(): void {
    const documents = this.panel.turns().map(keyOf);
    documents.forEach((document) => document !== undefined && void this.show(document));
  }

  /** Takes what is known of the document of an answer that has just ended. */
  take(turn: Turn): void {
    const document = keyOf(turn);
    turn.verified =
      document === undefined ? undefined : this.states.get(vscode.Uri.parse(document));
  }

  /** Something else is true of a document, or it was edited: its answer is shown as it is now. */
  private async show(document: string): Promise<void> {
    const uri = vscode.Uri.parse(document);
    for (const turn of this.panel.turns()) {
      const state = this.states.get(uri);
      if (keyOf(turn) === document && state !== undefined && turn.state === "done") {
        const markdown = await textOf(uri).catch(() => turn.markdown);
        Object.assign(turn, { verified: state, markdown });
        this.panel.post({ type: "refreshed", turn: metaOf(turn), markdown });
      }
    }
  }
}

/** Leads the references of an answer's document to where their code has moved. */
export async function updateReferences(turn: Turn | undefined): Promise<void> {
  const { documentUri } = turn ?? {};
  await vscode.commands.executeCommand(serverCommands.updateReferences, { documentUri });
}

/** Has an answer made anew, and shows what is different. */
export async function compareTurns(
  before: Turn | undefined,
  again: (turn: Turn) => Promise<Turn | undefined>,
): Promise<void> {
  const now = before && (await again(before));
  const [old, fresh] = [before?.documentUri, now?.documentUri];
  if (before !== undefined && old !== undefined && fresh !== undefined && old !== fresh) {
    await compare(old, fresh, before.question);
  }
}

function keyOf({ documentUri }: Turn): string | undefined {
  return documentUri === undefined ? undefined : vscode.Uri.parse(documentUri).toString();
}
