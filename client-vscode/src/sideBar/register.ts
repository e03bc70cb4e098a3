/** The views of the side bar. */
import * as vscode from "vscode";
import type { Session } from "../client";
import type { ModelChoice } from "../model/choice";
import type { Panels } from "../panel/panels";
import { Answers } from "./answers";
import { type AskView, DropTarget } from "./askView";
import { StateRows } from "./state";

/** Shows both views, and keeps what their welcome texts depend on. */
export function createSideBar(
  session: Session,
  panels: Panels,
  choice: ModelChoice,
  ask: AskView,
): vscode.Disposable {
  const answers = new Answers(panels);
  const state = new StateRows(session, choice);
  return vscode.Disposable.from(
    answers,
    state,
    ask.register(),
    vscode.window.createTreeView("scope.answers", {
      treeDataProvider: answers,
      canSelectMany: true,
      dragAndDropController: new DropTarget(ask),
    }),
    vscode.window.createTreeView("scope.state", { treeDataProvider: state }),
    session.onState((now) => {
      const isNeeded = now === "notSetUp";
      void vscode.commands.executeCommand("setContext", "scope.setUpNeeded", isNeeded);
    }),
  );
}
