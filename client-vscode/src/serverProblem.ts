/** Says why there is no server, where no panel can say it. */
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { Session } from "./client";
import { takeRemedy } from "./panel/takeRemedy";
import { REMEDIES } from "./remedies";

/** Returns the running client; without one the user is told why, with the next steps. */
export async function runningOrTold(
  session: Session,
  log: vscode.LogOutputChannel,
): Promise<LanguageClient | undefined> {
  const client = await session.running();
  if (client === undefined && session.problem !== undefined) {
    void tell(session, log);
  }
  return client;
}

async function tell(session: Session, log: vscode.LogOutputChannel): Promise<void> {
  const { message = "", remedies = [] } = session.problem ?? {};
  const labels = remedies.map((remedy) => REMEDIES[remedy]);
  const answer = await vscode.window.showWarningMessage(`Scope: ${message}`, ...labels);
  const remedy = remedies.find((item) => REMEDIES[item] === answer);
  if (remedy === "setUp") {
    await runningOrTold(session, log);
  } else if (remedy !== undefined) {
    await takeRemedy(remedy, log);
  }
}
