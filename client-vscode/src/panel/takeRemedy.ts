/** Does what a reader chose where there is no server. */
import * as vscode from "vscode";
import type { Remedy } from "../remedies";

/** Opens what a remedy leads to; a set-up is left to the question that needs it. */
export async function takeRemedy(
  remedy: Exclude<Remedy, "setUp">,
  log: vscode.LogOutputChannel,
): Promise<void> {
  if (remedy === "showLog") {
    log.show();
    return;
  }
  const setting = remedy === "choosePython" ? "scope.server.interpreter" : "scope.server.path";
  await vscode.commands.executeCommand("workbench.action.openSettings", setting);
}
