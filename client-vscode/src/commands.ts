/** The commands of the palette, the menus and the status item. */
import * as vscode from "vscode";
import { askForQuestion } from "./askBox";
import type { Attachment } from "./attach/attachment";
import { aboutOf, attach, attachmentsIn, paramsOf } from "./attach/attachment";
import { changesOf, resourceOf, selectionOf } from "./attach/gather";
import type { Names } from "./attach/names";
import type { Session } from "./client";
import type { Comparison } from "./compare";
import type { DocumentCommands } from "./documents/commands";
import { copyDebugInfo } from "./debugInfo";
import { CodeFinder } from "./findCode";
import type { History } from "./history";
import type { ModelChoice } from "./model/choice";
import { chooseModel } from "./model/choose";
import type { ModelKey } from "./model/key";
import type { PreviewPage } from "./model/preview";
import type { KeptThread } from "./panel/store";
import type { Panels } from "./panel/panels";
import type { Asked } from "./panel/thread";
import type { AskParams } from "./protocol";
import { serverCommands } from "./protocol";
import { askOrganisation } from "./organisation";
import { labelOf } from "./selection";
import { runningOrTold } from "./serverProblem";
import { deleteThread } from "./sideBar/answers";

/** What the commands work with. */
export interface Parts {
  session: Session;
  names: Names;
  panels: Panels;
  history: History;
  choice: ModelChoice;
  key: ModelKey;
  preview: PreviewPage;
  comparison: Comparison;
  documents: DocumentCommands;
  log: vscode.LogOutputChannel;
}

type Handler = (parts: Parts, argument: unknown, more: unknown) => unknown;

const handlers: Record<string, Handler> = {
  "scope.ui.ask": (parts, argument) =>
    typeof argument === "string"
      ? ask(parts, { question: argument }, "")
      : askAbout(parts, seen(false)),
  "scope.ui.askOrganisation": (parts) =>
    isTrusted() && hasFolder() ? askOrganisation(parts) : undefined,
  "scope.ui.askAboutSelection": (parts) => askAbout(parts, seen(true), SELECTION_EXAMPLE),
  "scope.ui.askAboutHere": askAboutHere,
  "scope.ui.askAboutResource": askAboutResources,
  "scope.ui.askAboutChanges": askAboutChanges,
  "scope.ui.askAboutAttached": (parts, attached) => askAbout(parts, attachmentsIn(attached)),
  "scope.ui.findCode": findCode,
  "scope.ui.showLastAnswer": async ({ panels }) =>
    (await panels.showLast()) ||
    vscode.window.showInformationMessage("Scope: Nothing was asked yet."),
  "scope.ui.showEarlier": ({ panels }) => panels.showEarlier(),
  "scope.ui.verifyDocument": ({ documents }) => isTrusted() && documents.verifyActive(),
  "scope.ui.verifyAll": ({ documents }) => isTrusted() && hasFolder() && documents.verifyAll(),
  "scope.ui.openAsDocument": ({ panels }) => panels.active?.openDocument(),
  "scope.ui.cancel": ({ panels }) =>
    panels.cancel() > 0 || vscode.window.setStatusBarMessage("Scope: Nothing is running.", 3_000),
  "scope.ui.rebuildIndex": rebuildIndex,
  "scope.ui.restartServer": ({ session }) => isTrusted() && session.restart(),
  "scope.ui.showLog": ({ log }) => log.show(),
  "scope.ui.clearHistory": ({ history }) => history.clear(),
  "scope.ui.preview": previewQuestion,
  "scope.ui.chooseModel": ({ choice }) => chooseModel(choice),
  "scope.ui.setModelKey": ({ key }) => key.set(),
  "scope.ui.removeModelKey": ({ key }) => key.remove(),
  "scope.ui.copyDebugInfo": (parts) => copyDebugInfo(parts),
  "scope.ui.menu": showMenu,
  "scope.ui.setUp": ({ session, log }) => isTrusted() && runningOrTold(session, log),
  "scope.ui.openThread": ({ panels }, kept) => isKept(kept) && panels.show(kept.id, kept.thread),
  "scope.ui.askThreadAgain": (parts, kept) => isKept(kept) && askThreadAgain(parts, kept),
  "scope.ui.compareThreads": ({ comparison }, kept, selected) =>
    isKept(kept) && comparison.show(kept, Array.isArray(selected) ? selected.filter(isKept) : []),
  "scope.ui.deleteThread": ({ panels }, kept) => isKept(kept) && deleteThread(panels, kept),
};

/** Registers every command. */
export function registerCommands(parts: Parts): vscode.Disposable {
  const registered = Object.entries(handlers).map(([id, handler]) =>
    vscode.commands.registerCommand(id, (argument: unknown, more: unknown) =>
      handler(parts, argument, more),
    ),
  );
  return vscode.Disposable.from(...registered);
}

/** Asks in the panel; also what the server's code actions come to. */
export async function ask(parts: Parts, params: Asked, about: string): Promise<void> {
  if (isTrusted() && hasFolder()) {
    await parts.history.add(params.question);
    await parts.panels.ask(params, about);
  }
}

/** Asks what a code action of the server stands for. */
export function askFromServer(parts: Parts, params: AskParams): Promise<void> {
  return ask(parts, params, labelOf(params.location));
}

const EXAMPLE = "How does authentication work?";
const CHANGES_EXAMPLE = "What do these changes affect?";
const SELECTION_EXAMPLE = "What does this do, and who uses it?";

/** Asks what the user types, with what is attached shown and removable. */
async function askAbout(
  parts: Parts,
  attached: readonly Attachment[],
  placeholder = attached.length > 0 ? "What do you want to know about it?" : EXAMPLE,
): Promise<void> {
  if (isTrusted() && hasFolder()) {
    const options = { title: "Scope: Ask", placeholder, attached };
    const asked = await askForQuestion(parts, options);
    if (asked !== undefined) {
      const params = paramsOf(asked.question, asked.attached);
      await ask(parts, params, aboutOf(asked.attached));
    }
  }
}

/** What the user selected, if anything. */
function seen(isMeant: boolean): Attachment[] {
  const selected = selectionOf(vscode.window.activeTextEditor, isMeant);
  return selected === undefined ? [] : [selected];
}

async function askAboutHere(parts: Parts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const here = editor === undefined ? undefined : await parts.names.here(editor);
  await askAbout(parts, here === undefined ? [] : [here]);
}

/** From the Explorer, which hands all that is selected, or from a tab. */
async function askAboutResources(parts: Parts, uri: unknown, selected: unknown): Promise<void> {
  const uris = Array.isArray(selected) && selected.length > 0 ? (selected as unknown[]) : [uri];
  const found = await Promise.all(
    uris.filter((item): item is vscode.Uri => item instanceof vscode.Uri).map(resourceOf),
  );
  const attached = found.filter((item) => item !== undefined);
  await askAbout(parts, attached.reduce<Attachment[]>(attach, []));
}

/** From the Source Control view, which hands itself, or the files that were chosen in it. */
async function askAboutChanges(parts: Parts, first: unknown, second: unknown): Promise<void> {
  await askAbout(parts, changesOf([first, second]), CHANGES_EXAMPLE);
}

async function previewQuestion(parts: Parts): Promise<void> {
  if (!isTrusted() || !hasFolder()) {
    return;
  }
  const options = { title: "Scope: Preview What Would Be Sent", placeholder: EXAMPLE };
  const asked = await askForQuestion(parts, options);
  if (asked !== undefined) {
    await parts.preview.show(paramsOf(asked.question, asked.attached));
  }
}

async function findCode(parts: Parts): Promise<void> {
  const client =
    isTrusted() && hasFolder() ? await runningOrTold(parts.session, parts.log) : undefined;
  if (client !== undefined) {
    new CodeFinder(client).show();
  }
}

/** Asks the first question of a thread once more, in a thread of its own. */
async function askThreadAgain(parts: Parts, { thread }: KeptThread): Promise<void> {
  const [first] = thread.turns;
  if (first !== undefined) {
    await ask(parts, first.asked ?? { question: first.question }, first.about);
  }
}

function isKept(value: unknown): value is KeptThread {
  return typeof value === "object" && value !== null && "thread" in value && "id" in value;
}

async function rebuildIndex(parts: Parts): Promise<void> {
  const client = isTrusted() ? await runningOrTold(parts.session, parts.log) : undefined;
  if (client !== undefined) {
    const location = vscode.ProgressLocation.Window;
    await vscode.window.withProgress({ location, title: "Scope: rebuilding the index" }, () =>
      client.sendRequest("workspace/executeCommand", { command: serverCommands.reindex }),
    );
  }
}

interface MenuItem extends vscode.QuickPickItem {
  command?: string;
}

async function showMenu(): Promise<void> {
  const items: MenuItem[] = [
    { label: "$(search-fuzzy) Ask a question", command: "scope.ui.ask" },
    { label: "$(list-selection) Find code", command: "scope.ui.findCode" },
    { label: "$(comment) Show the last answer", command: "scope.ui.showLastAnswer" },
    { label: "$(history) Show earlier answers", command: "scope.ui.showEarlier" },
    { label: "$(eye) Preview what would be sent", command: "scope.ui.preview" },
    { label: "$(sparkle) Choose the model", command: "scope.ui.chooseModel" },
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    { label: "$(refresh) Rebuild the index", command: "scope.ui.rebuildIndex" },
    { label: "$(debug-restart) Restart the server", command: "scope.ui.restartServer" },
    { label: "$(output) Show the log", command: "scope.ui.showLog" },
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: "Scope" });
  if (chosen?.command !== undefined) {
    await vscode.commands.executeCommand(chosen.command);
  }
}

/** Whether the workspace is trusted; says what to do if not. */
function isTrusted(): boolean {
  if (!vscode.workspace.isTrusted) {
    void offerTrust();
  }
  return vscode.workspace.isTrusted;
}

async function offerTrust(): Promise<void> {
  const manage = "Manage Workspace Trust";
  const message = "Scope: This folder is not trusted. Nothing of it is read until you trust it.";
  if ((await vscode.window.showWarningMessage(message, manage)) === manage) {
    await vscode.commands.executeCommand("workbench.trust.manage");
  }
}

function hasFolder(): boolean {
  const isOpen = (vscode.workspace.workspaceFolders ?? []).length > 0;
  if (!isOpen) {
    void vscode.window.showInformationMessage(
      "Scope: Open a folder first; questions are about its code.",
    );
  }
  return isOpen;
}
