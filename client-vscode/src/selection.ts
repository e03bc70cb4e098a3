/** What the user looks at in the active editor, as the context of a question. */
import * as vscode from "vscode";
import { jumps } from "./jumps";
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
    label: placeLabel(vscode.workspace.asRelativePath(document.uri), start.line, end.line),
  };
}

/** Returns how a location that the server names is shown to the user. */
export function labelOf(location: WireLocation | undefined): string {
  if (location === undefined) {
    return "";
  }
  const path = vscode.workspace.asRelativePath(vscode.Uri.parse(location.uri));
  return placeLabel(path, location.range.start.line, location.range.end.line);
}

function placeLabel(path: string, first: number, last: number): string {
  return first === last ? `${path}:${first + 1}` : `${path}:${first + 1}-${last + 1}`;
}
