/** Opens what an answer refers to, and only that: files of the workspace, and web pages. */
import * as vscode from "vscode";
import { linkTo } from "../documents/marks";
import type { LinkTarget } from "../links";
import { parseLink } from "../links";
import { codeColumn, showLines } from "../showLines";
import type { Turn } from "./thread";

/** A link that cannot be followed, with the reason for the user. */
export class CannotOpen extends Error {}

/**
 * Returns the file that a link of an answer means.
 *
 * @param base Folder of the document, to which relative links are relative.
 * @throws CannotOpen if it lies outside the workspace.
 */
export function fileOf(
  target: LinkTarget & { kind: "file" },
  base: vscode.Uri | undefined,
): vscode.Uri {
  return inWorkspace(joined(target, base));
}

/**
 * Returns the file that a link of an answer means. An answer out of an organisation's repositories
 * leads into clones, which need not lie in the workspace: those that the server found are opened.
 */
export function linkedFile(target: LinkTarget & { kind: "file" }, turn: Turn): vscode.Uri {
  const uri = joined(target, baseOf(turn));
  const known = turn.asked?.organisation === true ? turn.references : [];
  const isCited = known.some((item) => vscode.Uri.parse(item.uri).fsPath === uri.fsPath);
  return isCited ? uri : inWorkspace(uri);
}

function joined(target: LinkTarget & { kind: "file" }, base: vscode.Uri | undefined): vscode.Uri {
  const root = rootOf(base);
  if (root === undefined) {
    throw new CannotOpen("No folder is open to which the reference could belong.");
  }
  return vscode.Uri.joinPath(target.rooted ? root : (base ?? root), target.path);
}

/** Returns the file at a path from the root of the code base. */
function fileAt(path: string, base: vscode.Uri | undefined): vscode.Uri {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const [label = "", ...rest] = path.split("/");
  const labelled = folders.length > 1 ? folders.find((folder) => folder.name === label) : undefined;
  if (labelled !== undefined && rest.length > 0) {
    return inWorkspace(vscode.Uri.joinPath(labelled.uri, ...rest));
  }
  return fileOf({ kind: "file", path, rooted: true }, base);
}

/** Follows a link of an answer; one that must not be followed does nothing. */
export async function openLink(
  href: string,
  turn: Turn | undefined,
  panelColumn: vscode.ViewColumn | undefined,
): Promise<void> {
  const target = parseLink(href);
  if (target === undefined || turn === undefined) {
    return;
  }
  if (target.kind === "external") {
    await vscode.env.openExternal(vscode.Uri.parse(target.url, true));
    return;
  }
  const now = linkTo(turn.verified?.links ?? [], href);
  if (now?.isLost === true) {
    throw new CannotOpen(now.sentence);
  }
  if (now !== undefined) {
    const uri = inWorkspace(vscode.Uri.parse(now.uri));
    await openAt(uri, now.lineStart, now.lineEnd, panelColumn);
    return;
  }
  await openAt(linkedFile(target, turn), target.lineStart, target.lineEnd, panelColumn);
}

/** Opens one of the places that an answer considered. */
export async function openPlace(
  index: number,
  turn: Turn | undefined,
  panelColumn: vscode.ViewColumn | undefined,
): Promise<void> {
  const place = turn?.considered[index];
  if (turn !== undefined && place !== undefined) {
    await openAt(fileAt(place.path, baseOf(turn)), place.lineStart, place.lineEnd, panelColumn);
  }
}

/** Returns the folder to which the links of an answer are relative, once that is known. */
export function baseOf(turn: Turn): vscode.Uri | undefined {
  if (turn.documentUri !== undefined) {
    return vscode.Uri.joinPath(vscode.Uri.parse(turn.documentUri), "..");
  }
  return turn.baseUri === undefined ? undefined : vscode.Uri.parse(turn.baseUri);
}

/** Opens a file with the lines selected, in the group where the user already reads code. */
async function openAt(
  uri: vscode.Uri,
  lineStart: number | undefined,
  lineEnd: number | undefined,
  panelColumn: vscode.ViewColumn | undefined,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri).then(undefined, () => {
    throw new CannotOpen(
      `${vscode.workspace.asRelativePath(uri)} cannot be opened. Does it still exist?`,
    );
  });
  const options = { viewColumn: codeColumn(panelColumn), preview: true };
  if (lineStart === undefined) {
    await vscode.window.showTextDocument(document, options);
    return;
  }
  const last = document.lineCount;
  await showLines(document, lineStart - 1, (lineEnd ?? lineStart) - 1, options);
  if (lineStart > last) {
    const name = vscode.workspace.asRelativePath(uri);
    throw new CannotOpen(
      `${name} has only ${last} lines now; the reference is to line ${lineStart}.`,
    );
  }
}

/** The workspace folder in which a document lies, or the first one. */
function rootOf(base: vscode.Uri | undefined): vscode.Uri | undefined {
  const folder = base === undefined ? undefined : vscode.workspace.getWorkspaceFolder(base);
  return (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri;
}

function inWorkspace(uri: vscode.Uri): vscode.Uri {
  if (vscode.workspace.getWorkspaceFolder(uri) === undefined) {
    throw new CannotOpen(`${uri.fsPath} lies outside the workspace and is not opened.`);
  }
  return uri;
}
