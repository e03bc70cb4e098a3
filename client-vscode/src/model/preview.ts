/** Shows what a question would send, as a page that is nowhere saved. */
import * as vscode from "vscode";
import type { Session } from "../client";
import type { AskParams } from "../protocol";
import { preview } from "../protocol";
import { previewText } from "./previewText";

const SCHEME = "scope-preview";
const PAGE = vscode.Uri.from({ scheme: SCHEME, path: "/What Would Be Sent.md" });

/** The one page; another preview replaces it. */
export class PreviewPage implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(
    SCHEME,
    this,
  );
  private text = "";
  readonly onDidChange = this.changed.event;

  constructor(private readonly session: Session) {}

  /** Asks the server what a question would send, and shows it. */
  async show(params: AskParams): Promise<void> {
    const client = await this.session.running();
    if (client === undefined) {
      return;
    }
    const progress = { location: vscode.ProgressLocation.Window, title: "Scope: previewing" };
    const found = await vscode.window.withProgress(progress, () =>
      client.sendRequest(preview, params),
    );
    this.text = previewText(params.question, found);
    this.changed.fire(PAGE);
    await vscode.commands.executeCommand("markdown.showPreview", PAGE);
  }

  provideTextDocumentContent(): string {
    return this.text;
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
