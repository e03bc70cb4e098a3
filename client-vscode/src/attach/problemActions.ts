/** "Scope: Ask About This Problem…" among the quick fixes, which the Problems view shows too. */
import * as vscode from "vscode";
import { problemOf } from "./gather";

/** Registers the action; it opens the ask box with the problem attached. */
export function registerProblemActions(): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions: ({ uri }, _range, { diagnostics }) =>
      diagnostics
        .filter(({ message }) => message.trim() !== "")
        .map((problem) => actionFor(uri, problem)),
  };
  return vscode.languages.registerCodeActionsProvider({ scheme: "file" }, provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}

function actionFor(uri: vscode.Uri, problem: vscode.Diagnostic): vscode.CodeAction {
  const title = "Scope: Ask About This Problem…";
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [problem];
  action.command = {
    title,
    command: "scope.ui.askAboutAttached",
    arguments: [[problemOf(uri, problem)]],
  };
  return action;
}
