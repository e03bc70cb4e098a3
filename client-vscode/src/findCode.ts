/** "Scope: Find Code": places for a question or a name, previewed while moving through them. */
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { WireHit } from "./protocol";
import { analyze } from "./protocol";
import { codeColumn, showLines } from "./showLines";

interface Found extends vscode.QuickPickItem {
  hit?: WireHit;
}

const PAUSE_MS = 150; // between the last key and the search
const ICONS: Record<string, string> = {
  class: "symbol-class",
  function: "symbol-function",
  method: "symbol-method",
  interface: "symbol-interface",
  enum: "symbol-enum",
  variable: "symbol-variable",
  property: "symbol-property",
  type: "symbol-interface",
};

/** Lets the user search and choose a place; goes back to where they were if they leave. */
export class CodeFinder {
  private readonly box = vscode.window.createQuickPick<Found>();
  private readonly before = vscode.window.activeTextEditor;
  private readonly selectionBefore = this.before?.selection;
  private readonly tabsBefore = openFiles();
  private readonly viewColumn = columnForCode();
  private timer: NodeJS.Timeout | undefined;
  private search: vscode.CancellationTokenSource | undefined;
  private isAccepted = false;

  constructor(private readonly client: LanguageClient) {
    this.box.title = "Scope: Find Code";
    this.box.placeholder = "A question, a name, or a path";
    this.box.matchOnDescription = this.box.matchOnDetail = true;
    this.box.onDidChangeValue(() => this.onType());
    this.box.onDidChangeActive(([item]) => void this.preview(item?.hit, true));
    this.box.onDidAccept(() => {
      this.isAccepted = true;
      void this.preview(this.box.activeItems[0]?.hit, false);
      this.box.hide();
    });
    this.box.onDidHide(() => void this.onHide());
  }

  /** Opens the box. */
  show(): void {
    this.box.show();
  }

  private onType(): void {
    clearTimeout(this.timer);
    this.search?.cancel();
    this.timer = setTimeout(() => void this.find(this.box.value.trim()), PAUSE_MS);
  }

  private async find(query: string): Promise<void> {
    if (query === "") {
      this.box.items = [];
      return;
    }
    const search = new vscode.CancellationTokenSource();
    this.search = search;
    this.box.busy = true;
    try {
      const { hits, searched } = await this.client.sendRequest(
        analyze,
        { query, topK: 30 },
        search.token,
      );
      this.box.items = hits.length > 0 ? hits.map(itemOf) : [nothing(searched.complete)];
    } catch (error) {
      if (!search.token.isCancellationRequested) {
        this.box.items = [{ label: `$(error) ${String(error)}`, alwaysShow: true }];
      }
    } finally {
      this.box.busy = this.search !== search && this.box.busy;
      search.dispose();
    }
  }

  private async preview(hit: WireHit | undefined, preserveFocus: boolean): Promise<void> {
    if (hit !== undefined) {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(hit.uri));
      const { viewColumn } = this;
      const options = { preview: true, preserveFocus, viewColumn };
      await showLines(document, hit.lineStart - 1, hit.lineEnd - 1, options);
    }
  }

  private async onHide(): Promise<void> {
    clearTimeout(this.timer);
    this.search?.cancel();
    this.box.dispose();
    if (this.isAccepted) {
      return;
    }
    await vscode.window.tabGroups.close(this.previews(), true);
    if (this.before !== undefined) {
      const { document, viewColumn } = this.before;
      const selection = this.selectionBefore;
      await vscode.window.showTextDocument(document, { viewColumn, selection });
    }
  }

  /** The tab that shows a preview now, unless it was there before. */
  private previews(): vscode.Tab[] {
    const isPreview = ({ input, isPreview: isOne }: vscode.Tab): boolean =>
      isOne && input instanceof vscode.TabInputText && !this.tabsBefore.has(input.uri.toString());
    return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(isPreview);
  }
}

/** Returns the files that are shown in tabs. */
function openFiles(): Set<string> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const inputs = tabs.map(({ input }) => input);
  const shown = inputs.filter((input) => input instanceof vscode.TabInputText);
  return new Set(shown.map(({ uri }) => uri.toString()));
}

/** Returns where to show code: where the user reads it, or beside the answer that is in front. */
function columnForCode(): vscode.ViewColumn {
  const { activeTab, viewColumn } = vscode.window.tabGroups.activeTabGroup;
  return activeTab?.input instanceof vscode.TabInputWebview ? codeColumn(viewColumn) : viewColumn;
}

function itemOf(hit: WireHit): Found {
  const icon = ICONS[hit.kind] ?? "file-code";
  return {
    label: `$(${icon}) ${hit.symbol ?? hit.path.split("/").at(-1) ?? hit.path}`,
    description: `${hit.path}:${hit.lineStart}`,
    detail: hit.signature || hit.reasons[0],
    alwaysShow: true, // found by meaning, so the typed words need not occur in it
    hit,
  };
}

function nothing(isComplete: boolean): Found {
  const more = isComplete ? "" : "; the code is still being read";
  return { label: `$(info) Nothing found${more}`, alwaysShow: true };
}
