/** What the user looks at in the active editor, as the context of a question. */
import * as vscode from "vscode";
import { linesOf } from "./attach/attachment";
import { jumps, type Range } from "./jumps";
import type { WireLocation } from "./protocol";

/** A place in the code, and how to name it to the user. */
export interface Focus {
  location: WireLocation;
  label: string;
}

/**
 * Returns the selection of the active editor: what the user selected, not what a jump did.
 *
 * @param isMeant The question is about it in any case: then a jump's lines will do, or the cursor.
 */
export function focusOf(
  editor: vscode.TextEditor | undefined,
  isMeant: boolean,
): Focus | undefined {
  if (editor?.document.uri.scheme !== "file") {
    return undefined;
  }
  const { selection, document } = editor;
  if (!isMeant && (selection.isEmpty || jumps.made(document.uri.toString(), selection))) {
    return undefined;
  }
  const { start, end } = selection;
  const range = {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
  return {
    location: { uri: document.uri.toString(), range },
    label: placeLabel(document.uri, range),
  };
}

/** Returns how a location that the server names is shown to the user. */
export function labelOf(location: WireLocation | undefined): string {
  if (location === undefined) {
    return "";
  }
  return placeLabel(vscode.Uri.parse(location.uri), location.range);
}

function placeLabel(uri: vscode.Uri, range: Range): string {
  return `${vscode.workspace.asRelativePath(uri)}:${linesOf(range)}`;
}
