/** Shows lines of code where the user reads code, with the lines selected and their begin in sight. */
import * as vscode from "vscode";
import { jumps } from "./jumps";

/**
 * Shows a document with lines selected; what is beyond its end is left out.
 *
 * @param first Number of the first line, counted from 0.
 * @param last Number of the last line, counted from 0.
 */
export async function showLines(
  document: vscode.TextDocument,
  first: number,
  last: number,
  options: vscode.TextDocumentShowOptions,
): Promise<void> {
  const editor = await vscode.window.showTextDocument(document, options);
  const most = document.lineCount - 1;
  const start = new vscode.Position(Math.min(first, most), 0);
  const { end } = document.lineAt(Math.min(last, most)).range;
  // The cursor stands at the begin: at the end of a long line it would scroll that out of sight.
  editor.selection = new vscode.Selection(end, start);
  jumps.note(document.uri.toString(), editor.selection);
  editor.revealRange(
    new vscode.Range(start, end.with(undefined, 0)),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
}

/** Returns the group to open code in: the one last used for text, never the panel's own if avoidable. */
export function codeColumn(panelColumn: vscode.ViewColumn | undefined): vscode.ViewColumn {
  const active = vscode.window.activeTextEditor?.viewColumn;
  const shown = [active, ...vscode.window.visibleTextEditors.map((editor) => editor.viewColumn)];
  const other = shown.find((column) => column !== undefined && column !== panelColumn);
  if (other !== undefined) {
    return other;
  }
  const groups = vscode.window.tabGroups.all.map((group) => group.viewColumn);
  return groups.find((column) => column !== panelColumn) ?? vscode.ViewColumn.Beside;
}
