/** The side bar's ask box: a question, with what is attached to it, is asked in the panel. */
import * as vscode from "vscode";
import type { Attachment } from "../attach/attachment";
import { attachmentsIn } from "../attach/attachment";
import { resourceOf } from "../attach/gather";
import type { Names } from "../attach/names";
import { answerAskBox } from "../attach/page";
import { askPageHtml } from "../panel/html";
import type { FromAskPage, ToAskBox } from "../panel/messages";

const ID = "scope.ask";

/** Asks in the panel. */
export type AskWith = (question: string, attached: readonly Attachment[]) => Promise<void>;

/** The view; what is attached before it was opened is shown once it is there. */
export class AskView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  private waiting: Attachment[] = [];

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly names: Names,
    private readonly ask: AskWith,
  ) {}

  /** Registers the view. */
  register(): vscode.Disposable {
    const webviewOptions = { retainContextWhenHidden: true }; // a question that was begun stays
    return vscode.window.registerWebviewViewProvider(ID, this, { webviewOptions });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const root = vscode.Uri.joinPath(this.extensionUri, "dist");
    view.webview.options = { enableScripts: true, localResourceRoots: [root] };
    view.webview.onDidReceiveMessage((message: FromAskPage) => void this.receive(message));
    view.onDidDispose(() => (this.view = undefined));
    view.webview.html = askPageHtml(view.webview, this.extensionUri);
  }

  /** Attaches to the question that is typed there, and moves the keyboard to it. */
  async attach(items: readonly Attachment[]): Promise<void> {
    this.waiting.push(...items);
    await vscode.commands.executeCommand(`${ID}.focus`);
    this.flush();
  }

  private async receive(message: FromAskPage): Promise<void> {
    if (message.type === "ready") {
      this.flush();
    } else if (message.type === "ask") {
      await this.ask(message.question, attachmentsIn(message.attached));
    } else {
      await answerAskBox(message, this.names, (answer) => this.post(answer));
    }
  }

  private flush(): void {
    if (this.view !== undefined && this.waiting.length > 0) {
      this.post({ type: "attach", items: this.waiting });
      this.waiting = [];
    }
  }

  private post(message: ToAskBox): void {
    void this.view?.webview.postMessage(message);
  }
}

/** Takes what is dropped on the list of answers: files and folders of the Explorer, tabs. */
export class DropTarget implements vscode.TreeDragAndDropController<unknown> {
  readonly dragMimeTypes = [];
  readonly dropMimeTypes = ["text/uri-list"];

  constructor(private readonly view: AskView) {}

  async handleDrop(_target: unknown, data: vscode.DataTransfer): Promise<void> {
    const list = (await data.get("text/uri-list")?.asString()) ?? "";
    const uris = list.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
    const found = await Promise.all(uris.map((uri) => resourceOf(vscode.Uri.parse(uri))));
    await this.view.attach(found.filter((item) => item !== undefined));
  }
}
