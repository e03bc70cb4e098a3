/** Makes attachments of what the user points at: a selection, a problem, files, folders. */
import * as vscode from "vscode";
import { focusOf, labelOf } from "../selection";
import type { Attachment } from "./attachment";
import { UNCOMMITTED } from "./attachment";

/** Returns the selection that stands in an editor, unless a jump made it; undefined without one. */
export function selectionOf(
  editor: vscode.TextEditor | undefined,
  isMeant: boolean,
): Attachment | undefined {
  const focus = focusOf(editor, isMeant);
  return focus === undefined
    ? undefined
    : {
        kind: "selection",
        uri: focus.location.uri,
        ...outside(vscode.Uri.parse(focus.location.uri)),
        label: focus.label,
        range: focus.location.range,
      };
}

/** Returns a file or folder; undefined if it is none of the disk. */
export async function resourceOf(uri: vscode.Uri): Promise<Attachment | undefined> {
  if (uri.scheme !== "file") {
    return undefined;
  }
  const found = await vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
  if (found === undefined) {
    return undefined;
  }
  const isFolder = (found.type & vscode.FileType.Directory) !== 0;
  const path = vscode.workspace.asRelativePath(uri);
  const place = { uri: uri.toString(), ...outside(uri) };
  return isFolder
    ? { kind: "folder", ...place, label: `${path}/` }
    : { kind: "file", ...place, label: path };
}

/** Returns lines that were pointed at elsewhere in the editor. */
export function placeOf({ uri, range }: vscode.Location): Attachment {
  const location = { uri: uri.toString(), range: plain(range) };
  return { kind: "selection", ...location, ...outside(uri), label: labelOf(location) };
}

/** Returns what is not committed of a folder, the first one unless it is named. */
export function uncommittedOf(folder?: vscode.Uri): Attachment[] {
  const uri = folder ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  return uri === undefined
    ? []
    : [
        {
          kind: "changes",
          uri: uri.toString(),
          label: "uncommitted changes",
          changes: UNCOMMITTED,
        },
      ];
}

/** Returns what is not committed, limited to the files that were chosen in Source Control. */
export function changesOf(chosen: readonly unknown[]): Attachment[] {
  const uris = chosen.map((item) => (item ?? {}) as { rootUri?: unknown; resourceUri?: unknown });
  const [root] = uris.flatMap(({ rootUri }) => (rootUri instanceof vscode.Uri ? [rootUri] : []));
  const files = uris.flatMap(({ resourceUri }) =>
    resourceUri instanceof vscode.Uri ? [resourceUri] : [],
  );
  // A file that is gone can be among them, so none is looked for on the disk.
  const named = files.map((uri): Attachment => {
    const label = vscode.workspace.asRelativePath(uri);
    return { kind: "file", uri: uri.toString(), label, ...outside(uri) };
  });
  return [...uncommittedOf(root), ...named];
}

/** Returns a problem of a file. */
export function problemOf(uri: vscode.Uri, { message, range }: vscode.Diagnostic): Attachment {
  const location = { uri: uri.toString(), range: plain(range) };
  const [first = ""] = message.split("\n");
  const short = first.length > 60 ? `${first.slice(0, 59)}…` : first;
  const label = `${short} (${labelOf(location)})`;
  return { kind: "problem", ...location, ...outside(uri), label, problem: message };
}

function outside(uri: vscode.Uri): { isOutside?: boolean } {
  return vscode.workspace.getWorkspaceFolder(uri) === undefined ? { isOutside: true } : {};
}

function plain({ start, end }: vscode.Range): NonNullable<Attachment["range"]> {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}
