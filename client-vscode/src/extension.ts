/** Puts the extension together; everything else is in the modules it imports. */
import * as vscode from "vscode";
import { aboutOf, paramsOf } from "./attach/attachment";
import { Names } from "./attach/names";
import { registerProblemActions } from "./attach/problemActions";
import { registerParticipant } from "./chat/participant";
import { Session } from "./client";
import type { Parts } from "./commands";
import { ask, askFromServer, registerCommands } from "./commands";
import { Comparison } from "./compare";
import { DocumentCommands } from "./documents/commands";
import type { MarkdownExtension } from "./documents/preview";
import { previewExtension, refreshPreviews } from "./documents/preview";
import { DocumentStates } from "./documents/states";
import { History } from "./history";
import { jumps } from "./jumps";
import { ModelChoice } from "./model/choice";
import { ModelKey } from "./model/key";
import { PreviewPage } from "./model/preview";
import { ModelVariables } from "./model/variables";
import { Panels } from "./panel/panels";
import { ServerFinder } from "./server";
import { changesServer } from "./settings";
import { AskView } from "./sideBar/askView";
import { createSideBar } from "./sideBar/register";
import { createStatus } from "./status";
import { registerTools } from "./tools";
import { showUses } from "./uses";

let session: Session | undefined;

/** Called by VS Code once, before the first command or when a folder is open. */
export function activate(context: vscode.ExtensionContext): MarkdownExtension {
  const log = vscode.window.createOutputChannel("Scope", { log: true });
  const choice = new ModelChoice(context.globalState);
  const key = new ModelKey(context.secrets);
  const variables = new ModelVariables(choice, key);
  const finder = new ServerFinder(context, log, variables);
  const started: Session = new Session(finder, log, choice, {
    ask: (params) => askFromServer(parts, params),
    uses: (params) => showUses(started, params),
    askAgain: (params) => documents.askAgain(params),
    citing: (params) => documents.citing(params),
    verify: ({ documentUri }) => documents.verify(documentUri),
  });
  const states = new DocumentStates(started);
  const panels = new Panels(context, started, log, states);
  const documents = new DocumentCommands(started, panels);
  const parts: Parts = {
    session: started,
    names: new Names(started),
    panels,
    history: new History(context.workspaceState),
    choice,
    key,
    preview: new PreviewPage(started),
    comparison: new Comparison(panels),
    documents,
    log,
  };
  const askView = new AskView(context.extensionUri, parts.names, (question, attached) =>
    ask(parts, paramsOf(question, attached), aboutOf(attached)),
  );
  session = started;
  context.subscriptions.push(
    log,
    started,
    states,
    refreshPreviews(states),
    panels,
    choice,
    key,
    key.onChange(() => void started.startQuietly()),
    choice.onChange(() => variables.dependOnChoice && void started.startQuietly()),
    createStatus(started),
    createSideBar(started, panels, choice, askView),
    registerCommands(parts),
    parts.preview,
    parts.comparison.register(),
    registerProblemActions(),
    registerTools(started, context.extension),
    registerParticipant(started, vscode.Uri.joinPath(context.extensionUri, "media/panel.svg")),
    followSelections(),
    followWorkspace(started),
  );
  if ((vscode.workspace.workspaceFolders ?? []).length > 0) {
    void started.startQuietly();
  }
  return previewExtension(states);
}

/** Trust and settings decide whether there is a server, and how it is started. */
function followWorkspace(started: Session): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidGrantWorkspaceTrust(() => void started.startQuietly()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (changesServer(event)) {
        void started.reconfigure();
      }
    }),
  );
}

/** A selection that the user made ends the last jump. */
function followSelections(): vscode.Disposable {
  return vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections: [selection] }) => {
    if (selection !== undefined) {
      jumps.selected(textEditor.document.uri.toString(), selection);
    }
  });
}

/** Called by VS Code when the window closes; the server is given time to end. */
export async function deactivate(): Promise<void> {
  await session?.stop();
}
