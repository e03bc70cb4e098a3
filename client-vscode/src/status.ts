/** The status bar item: what the server is doing, and the way to everything else. */
import * as vscode from "vscode";
import type { Session, SessionState } from "./client";
import type { StatusParams } from "./protocol";

const TEXTS: Record<SessionState, { text: string; tooltip: string; isProblem?: boolean }> = {
  off: { text: "$(circle-slash) Scope", tooltip: "Scope is not running." },
  untrusted: {
    text: "$(shield) Scope",
    tooltip: "Scope reads code only in a trusted workspace.",
  },
  notSetUp: {
    text: "$(desktop-download) Scope: Set Up",
    tooltip: "Scope needs a one-time set-up.",
  },
  starting: { text: "$(loading~spin) Scope", tooltip: "Scope is starting." },
  running: { text: "$(search-fuzzy) Scope", tooltip: "Scope is ready." },
  restarting: {
    text: "$(loading~spin) Scope",
    tooltip: "The language server stopped and is started again.",
    isProblem: true,
  },
  failed: {
    text: "$(warning) Scope",
    tooltip: "The language server is not running.",
    isProblem: true,
  },
};

/** Creates the status item and keeps it up to date. */
export function createStatus(session: Session): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    "scope.status",
    vscode.StatusBarAlignment.Right,
    90,
  );
  item.name = "Scope";
  item.command = "scope.ui.menu";
  const show = (text: string, tooltip: string, isProblem = false): void => {
    item.text = text;
    item.tooltip = `${tooltip}\nClick for what Scope can do.`;
    item.accessibilityInformation = { label: `Scope: ${tooltip}`, role: "button" };
    const color = "statusBarItem.warningBackground";
    item.backgroundColor = isProblem ? new vscode.ThemeColor(color) : undefined;
  };
  const onState = (state: SessionState): void => {
    const { text, tooltip, isProblem } = TEXTS[state];
    show(text, tooltip, isProblem);
  };
  onState("off");
  item.show();
  return vscode.Disposable.from(
    item,
    session.onState(onState),
    session.onStatus((params) => show(...shown(params))),
  );
}

function shown({ state, message, done, total }: StatusParams): [string, string, boolean] {
  if (state === "indexing") {
    const count = total > 0 ? ` ${done} of ${total}` : "";
    return [`$(loading~spin) Scope${count}`, message || `Reading the code:${count} files.`, false];
  }
  if (state === "problem") {
    return ["$(warning) Scope", message || "Something is wrong; see the log.", true];
  }
  const fallback = state === "ready" ? "Scope is ready." : "Scope is starting.";
  return [
    state === "ready" ? "$(search-fuzzy) Scope" : "$(loading~spin) Scope",
    message || fallback,
    false,
  ];
}
