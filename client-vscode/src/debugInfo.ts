/** The command that copies what a report of trouble needs. */
import * as vscode from "vscode";
import type { Session } from "./client";
import type { ModelChoice } from "./model/choice";
import { toServer } from "./model/choice";
import { debugInfo } from "./protocol";

/** Copies it; without a server only what the editor itself knows. */
export async function copyDebugInfo(parts: {
  session: Session;
  choice: ModelChoice;
}): Promise<void> {
  const client = `${vscode.env.appName} ${vscode.version}`;
  const model = toServer(parts.choice.current).name ?? "";
  const server = await parts.session.running();
  const text =
    server === undefined
      ? `editor: ${client}\nserver: it is not running\n`
      : (await server.sendRequest(debugInfo, { client, model })).text;
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage("Scope: The debug information is in the clipboard.", 5_000);
}
