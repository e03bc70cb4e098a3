/** What is done with documents: verified, asked again, found by the code that they cite. */
import * as vscode from "vscode";
import type { Session } from "../client";
import type { Panels } from "../panel/panels";
import type { AskAgainParams, CitingParams } from "../protocol";
import { citing, serverCommands, verify } from "../protocol";
import { showLocations } from "../uses";

const UPDATE = "Update Moved";
const PROBLEMS = "Show Problems";

/** Commands of the palette and of the server's lenses and code actions, in this editor's own ways. */
export class DocumentCommands {
  constructor(
    private readonly session: Session,
    private readonly panels: Panels,
  ) {}

  /** Verifies the document in front, and says what became of it. */
  async verifyActive(): Promise<void> {
    const uri = this.documentInFront();
    if (uri === undefined) {
      void vscode.window.showInformationMessage("Scope: Open an answer first.");
      return;
    }
    await this.verify(uri);
  }

  /** Verifies a document, says what became of it, and offers what can be done. */
  async verify(documentUri: string): Promise<void> {
    const client = await this.session.running();
    if (client === undefined) {
      return;
    }
    try {
      const { references, summary, moved } = await client.sendRequest(verify, { documentUri });
      if (summary === "") {
        const words = `all ${references.length} references are what was cited`;
        void vscode.window.showInformationMessage(`Scope: ${words}.`);
        return;
      }
      const buttons = moved > 0 ? [UPDATE, PROBLEMS] : [PROBLEMS];
      const said = `Scope: ${summary.replace(/\.?$/, ".")}`;
      const chosen = await vscode.window.showWarningMessage(said, ...buttons);
      if (chosen === UPDATE) {
        await this.update(documentUri);
      } else if (chosen === PROBLEMS) {
        await vscode.commands.executeCommand("workbench.actions.view.problems");
      }
    } catch (error) {
      void vscode.window.showWarningMessage(`Scope: ${messageOf(error)}`);
    }
  }

  /** Verifies every document of the workspace; the server says what became of them. */
  async verifyAll(): Promise<void> {
    const client = await this.session.running();
    const location = vscode.ProgressLocation.Window;
    await vscode.window.withProgress({ location, title: "Scope: verifying all documents" }, () =>
      Promise.resolve(
        client?.sendRequest("workspace/executeCommand", { command: serverCommands.verifyAll }),
      ),
    );
  }

  /** Leads the moved references of a document to where their code is. */
  async update(documentUri: string): Promise<void> {
    const client = await this.session.running();
    const command = serverCommands.updateReferences;
    await client?.sendRequest("workspace/executeCommand", {
      command,
      arguments: [{ documentUri }],
    });
  }

  /** Asks the question of a document once more, and shows both answers beside each other. */
  async askAgain({ documentUri, question, mode }: AskAgainParams): Promise<void> {
    const fresh = await this.panels.ask({ question, mode });
    if (fresh?.documentUri !== undefined) {
      await compare(documentUri, fresh.documentUri, question);
    }
  }

  /** Shows which answers cite the symbol at a place. */
  async citing(params: CitingParams): Promise<void> {
    const client = await this.session.running();
    if (client === undefined) {
      return;
    }
    const { symbol, answers } = await client.sendRequest(citing, params);
    if (answers.length === 0) {
      const name = symbol === "" ? "this" : symbol;
      void vscode.window.showInformationMessage(`Scope: No answer cites ${name}.`);
      return;
    }
    await showLocations(
      params,
      answers.map(({ location }) => location),
    );
  }

  /** The document in the editor in front, or the one of the answer that is shown in front. */
  private documentInFront(): string | undefined {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId === "markdown") {
      return editor.document.uri.toString();
    }
    return this.panels.active?.last?.documentUri;
  }
}

/** Shows what is different in a newer answer to the same question. */
export async function compare(before: string, now: string, question: string): Promise<void> {
  const title = `${question.replaceAll("`", "")} (before and now)`;
  await vscode.commands.executeCommand(
    "vscode.diff",
    vscode.Uri.parse(before),
    vscode.Uri.parse(now),
    title,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
