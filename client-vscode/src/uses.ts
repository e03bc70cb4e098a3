/** Shows who uses a symbol in the editor's own list of references. */
import * as vscode from "vscode";
import type { Session } from "./client";
import type { UsesParams, UsesResult, WireLocation } from "./protocol";
import { uses } from "./protocol";
import { usesMessage } from "./usesMessage";

/** Finds the uses of the symbol at a place and shows them beside the code. */
export async function showUses(session: Session, params: UsesParams): Promise<void> {
  const client = await session.running();
  if (client === undefined) {
    return;
  }
  const title = `Scope: finding uses of ${params.symbol ?? "the symbol"}`;
  const location = vscode.ProgressLocation.Window;
  const found = await vscode.window.withProgress({ location, title }, () =>
    client.sendRequest(uses, params),
  );
  await show(params, found);
}

async function show(params: UsesParams, found: UsesResult): Promise<void> {
  const message = usesMessage(params.symbol ?? found.symbol, found);
  const shown = found.references.length > 0 ? found.references : found.unverified;
  if (shown.length === 0) {
    void vscode.window.showInformationMessage(message);
    return;
  }
  await showLocations(params, shown);
  vscode.window.setStatusBarMessage(message, 15_000);
}

/** Shows places in the editor's own list of references, at the place that was asked about. */
export async function showLocations(
  asked: Pick<UsesParams, "uri" | "position">,
  found: readonly WireLocation[],
): Promise<void> {
  const { line, character } = asked.position;
  await vscode.commands.executeCommand(
    "editor.action.showReferences",
    vscode.Uri.parse(asked.uri),
    new vscode.Position(line, character),
    found.map(locationFrom),
  );
}

/** Returns a location of the server as the editor's. */
function locationFrom({ uri, range: { start, end } }: WireLocation): vscode.Location {
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  return new vscode.Location(vscode.Uri.parse(uri), range);
}
