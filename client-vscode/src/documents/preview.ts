/** The editor's own preview of documents: stale links are marked in it. */
import * as vscode from "vscode";
import { marksOf } from "./marks";
import type { Renderer } from "./previewPlugin";
import { markStaleLinks } from "./previewPlugin";
import type { DocumentStates } from "./states";

const REFRESH_AFTER_MS = 100; // one edit changes the states of many documents

/** What the editor takes from the extension to render markdown. */
export interface MarkdownExtension {
  extendMarkdownIt: <T extends Renderer>(markdown: T) => T;
}

/** Returns what the editor's preview asks for. */
export function previewExtension(states: DocumentStates): MarkdownExtension {
  return {
    extendMarkdownIt: (markdown) =>
      markStaleLinks(markdown, (document) =>
        document instanceof vscode.Uri ? (states.get(document)?.links ?? []) : [],
      ),
  };
}

/** Has the previews drawn anew when other links of a document are to be marked than before. */
export function refreshPreviews(states: DocumentStates): vscode.Disposable {
  const shown = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  return states.onChange((document) => {
    const key = document.toString();
    const [before, now] = [shown.get(key) ?? "", marksOf(states.get(document)?.links ?? [])];
    shown.set(key, now);
    // Drawing anew loses what is scrolled and selected, so what is only verified again is left alone.
    if (now !== before) {
      timer ??= setTimeout(() => {
        timer = undefined;
        refreshShown();
      }, REFRESH_AFTER_MS);
    }
  });
}

function refreshShown(): void {
  const isPreview = (tab: vscode.Tab): boolean =>
    tab.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith("markdown.preview");
  if (vscode.window.tabGroups.all.some((group) => group.tabs.some(isPreview))) {
    void vscode.commands.executeCommand("markdown.preview.refresh");
  }
}
