/** What can be attached by its name or by a place; the server knows what is searched. */
import * as vscode from "vscode";
import type { Session } from "../client";
import type { AttachableParams, WireAttachable } from "../protocol";
import { attachable } from "../protocol";
import type { Attachment } from "./attachment";
import { UNCOMMITTED } from "./attachment";
import { resourceOf, selectionOf } from "./gather";

/** Asks the server, as long as it runs: nothing is started for a completion. */
export class Names {
  constructor(private readonly session: Session) {}

  /** Returns what can be attached by a name; what is open, and changes, if there is none yet. */
  async suggestions(name: string): Promise<Attachment[]> {
    return name === "" ? this.open() : this.found({ name });
  }

  /** Returns what the cursor is on: the selection, else the symbol around it, else the file. */
  async here(editor: vscode.TextEditor): Promise<Attachment | undefined> {
    const { document, selection } = editor;
    if (!selection.isEmpty) {
      return selectionOf(editor, true);
    }
    const { line, character } = selection.active;
    const at = { line, character };
    const location = { uri: document.uri.toString(), range: { start: at, end: at } };
    const [around] = await this.found({ location });
    return around ?? resourceOf(document.uri);
  }

  /** What the user looks at now, and the files that are open. */
  private async open(): Promise<Attachment[]> {
    const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
    const looked = [
      selectionOf(editor, false),
      editor === undefined ? undefined : await this.here(editor),
    ];
    const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: items }) => items);
    const uris = tabs.flatMap(({ input }) =>
      input instanceof vscode.TabInputText ? [input.uri] : [],
    );
    const [open, named] = await Promise.all([
      Promise.all(uris.map(resourceOf)),
      this.found({ name: UNCOMMITTED }),
    ]);
    const changed = named.filter(({ changes }) => changes === UNCOMMITTED);
    return unique([...looked, ...changed, ...open]);
  }

  private async found(params: AttachableParams): Promise<Attachment[]> {
    const client = this.session.connected;
    try {
      const result = await client?.sendRequest(attachable, params);
      return (result?.items ?? []).flatMap(attachmentOf);
    } catch {
      return []; // the code is still being read, or the server is on its way out
    }
  }
}

function attachmentOf(item: WireAttachable): Attachment[] {
  const { kind, uri, label, detail, range, changes } = item;
  if (kind === "changes") {
    return changes === undefined ? [] : [{ kind, uri, label, detail, changes }];
  }
  if (kind === "symbol") {
    return [{ kind, uri, label, symbol: label, range, detail }];
  }
  return kind === "file" || kind === "folder" ? [{ kind, uri, label }] : [];
}

function unique(items: readonly (Attachment | undefined)[]): Attachment[] {
  const found = new Map<string, Attachment>();
  for (const item of items) {
    if (item !== undefined) {
      found.set(`${item.kind} ${item.uri} ${item.label}`, item);
    }
  }
  return [...found.values()];
}
