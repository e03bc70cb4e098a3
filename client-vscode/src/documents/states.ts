/** What became of the context documents, as the server tells: the one source of all that is shown. */
import * as vscode from "vscode";
import type { Session } from "../client";
import type { DocumentStateParams, VerifyResult } from "../protocol";

/** Keeps the newest state of each document. */
export class DocumentStates implements vscode.Disposable {
  private readonly states = new Map<string, VerifyResult>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly following: vscode.Disposable;

  /** Another thing is true of a document than before. */
  readonly onChange = this.changes.event;

  constructor(session: Session) {
    this.following = session.onDocumentState((params) => this.take(params));
  }

  /** Returns what became of a document; undefined if that is not known. */
  get(document: vscode.Uri): VerifyResult | undefined {
    return this.states.get(document.toString());
  }

  dispose(): void {
    this.following.dispose();
    this.changes.dispose();
  }

  private take({ documentUri, state }: DocumentStateParams): void {
    const document = vscode.Uri.parse(documentUri);
    if (state === undefined) {
      this.states.delete(document.toString());
    } else {
      this.states.set(document.toString(), state);
    }
    this.changes.fire(document);
  }
}
