/** Says what went wrong in a panel. */
import * as vscode from "vscode";
import { CannotOpen } from "./open";

/** Warns the user; what nobody expects is logged too. */
export function complain(error: unknown, log: vscode.LogOutputChannel): void {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof CannotOpen)) {
    log.error(error instanceof Error ? error : message);
  }
  void vscode.window.showWarningMessage(`Scope: ${message}`);
}
