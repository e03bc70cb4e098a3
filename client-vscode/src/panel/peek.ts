/** The lines that a reference cites, for the hover in the panel. */
import * as path from "node:path";
import * as vscode from "vscode";
import { linkTo } from "../documents/marks";
import type { LinkTarget } from "../links";
import { referenceKey } from "../links";
import type { WireReference } from "../protocol";
import type { Peek } from "./messages";
import { linkedFile } from "./open";
import type { Turn } from "./thread";

const MOST_LINES = 40; // more than fits the hover without scrolling is rarely read there

const STATES: Record<string, string> = {
  ok: "verified: what is named beside it stands here",
  corrected: "range corrected",
  in_range: "in range: what is named beside it was not found here",
  unverified: "not confirmed",
  moved: "has moved",
  changed: "has changed since",
  ambiguous: "stands in several places",
  gone: "is gone",
  edited: "was edited in the document since it was checked",
  unchecked: "the commit is not at hand, nothing was checked",
};

/**
 * Returns what to show over a reference, or undefined if its file cannot be read.
 *
 * Code is shown where it is now; of code that is nowhere none is shown.
 */
export async function peekAt(
  href: string,
  given: LinkTarget & { kind: "file" },
  turn: Turn,
): Promise<Peek | undefined> {
  const now = linkTo(turn.verified?.links ?? [], href);
  if (now?.isLost === true) {
    const title = `${given.path.split("/").at(-1) ?? ""}:${given.lineStart ?? 1}`;
    const detail = STATES[now.state] ?? now.state;
    return { title, detail, language: "", firstLine: 1, code: "" };
  }
  const { lineStart, lineEnd } = now ?? given;
  try {
    const uri = now === undefined ? linkedFile(given, turn) : vscode.Uri.parse(now.uri);
    if (now !== undefined && vscode.workspace.getWorkspaceFolder(uri) === undefined) {
      return undefined;
    }
    const lines = (await textOf(uri)).split(/\r?\n/);
    const first = lineStart ?? 1;
    const last = Math.min(lineEnd ?? MOST_LINES, lines.length);
    const shown = lines.slice(first - 1, Math.min(last, first - 1 + MOST_LINES));
    const hidden = last - first + 1 - shown.length;
    const known = find(turn.verified?.references ?? turn.references, given, uri);
    const state = now?.state ?? known?.state ?? "";
    return {
      title: `${vscode.workspace.asRelativePath(uri)}:${first}-${last}`,
      detail: [known?.symbol, STATES[state], hidden > 0 ? `${hidden} more lines` : ""]
        .filter(Boolean)
        .join(" · "),
      language: path.extname(uri.path).slice(1),
      firstLine: first,
      code: shown.join("\n"),
    };
  } catch {
    return undefined;
  }
}

/** The editor's text if the file is open there, the disk's otherwise; the file is not opened. */
export async function textOf(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find(
    (item) => item.uri.toString() === uri.toString(),
  );
  return open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

function find(
  references: readonly WireReference[],
  target: LinkTarget & { kind: "file" },
  uri: vscode.Uri,
): WireReference | undefined {
  const key = referenceKey(target.path, target.lineStart, target.lineEnd);
  const place = `${uri.toString()} ${target.lineStart ?? 0}`;
  return references.find(
    (item) =>
      referenceKey(item.path, item.lineStart, item.lineEnd) === key ||
      `${vscode.Uri.parse(item.uri).toString()} ${item.lineStart}` === place,
  );
}
