/** Asks the user before a request goes to a model or a tool runs. */
import * as vscode from "vscode";
import type { ApproveParams, ApproveResult } from "../protocol";
import { approveDetail, approveQuestion } from "./approveText";

interface Answer extends vscode.MessageItem {
  decision: ApproveResult["decision"];
}

const ANSWERS: Answer[] = [
  { title: "Once", decision: "once" },
  { title: "This Session", decision: "session" },
  { title: "Always", decision: "always" },
  { title: "Deny", decision: "deny", isCloseAffordance: true },
];

/** One dialog at a time; a question whose run has ended meanwhile is not asked any more. */
export class Approvals {
  private last: Promise<unknown> = Promise.resolve();

  /** Answers `scope/approve`; a closed dialog is a no. */
  ask(params: ApproveParams, token: vscode.CancellationToken): Promise<ApproveResult> {
    const asked = this.last.then(() => answer(params, token));
    this.last = asked.catch(() => undefined);
    return asked;
  }
}

async function answer(
  params: ApproveParams,
  token: vscode.CancellationToken,
): Promise<ApproveResult> {
  if (token.isCancellationRequested) {
    return { decision: "deny" };
  }
  const options = { modal: true, detail: approveDetail(params) };
  const question = `Scope: ${approveQuestion(params)}`;
  const chosen = await vscode.window.showWarningMessage(question, options, ...ANSWERS);
  return { decision: chosen?.decision ?? "deny" };
}
