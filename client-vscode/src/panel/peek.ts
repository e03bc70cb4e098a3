/** The lines that a reference cites, for the hover in the panel. */
import * as path from "node:path";
import * as vscode from "vscode";
import type { LinkTarget } from "../links";
import { referenceKey } from "../links";
import type { WireReference } from "../protocol";
import type { Peek } from "./messages";
import { fileOf } from "./open";

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
};

/** Returns what to show over a reference, or undefined if its file cannot be read. */
export async function peekAt(
  target: LinkTarget & { kind: "file" },
  base: vscode.Uri | undefined,
  references: readonly WireReference[],
): Promise<Peek | undefined> {
  try {
    const uri = fileOf(target, base);
    const lines = (await textOf(uri)).split(/\r?\n/);
    const first = target.lineStart ?? 1;
    const last = Math.min(target.lineEnd ?? MOST_LINES, lines.length);
    const shown = lines.slice(first - 1, Math.min(last, first - 1 + MOST_LINES));
    const hidden = last - first + 1 - shown.length;
    const known = find(references, target);
    return {
      title: `${vscode.workspace.asRelativePath(uri)}:${first}-${last}`,
      detail: [
        known?.symbol,
        known && STATES[known.state],
        hidden > 0 ? `${hidden} more lines` : "",
      ]
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
async function textOf(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find(
    (item) => item.uri.toString() === uri.toString(),
  );
  return open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

function find(
  references: readonly WireReference[],
  target: LinkTarget & { kind: "file" },
): WireReference | undefined {
  const key = referenceKey(target.path, target.lineStart, target.lineEnd);
  return references.find((item) => referenceKey(item.path, item.lineStart, item.lineEnd) === key);
}
