/** The settings that the client itself uses; all others belong to the server. */
import * as vscode from "vscode";

export const SECTION = "scope";

/** Sections of `scope.*` that the server knows; the others are the client's and are not sent. */
const SERVER_SECTIONS = ["workspace", "index", "answer"];

/** Command line of the server to use instead of the private environment; empty if not set. */
export function serverPath(): string {
  return machineString("server.path");
}

/** Python for the private environment; empty to look for one. */
export function interpreter(): string {
  return machineString("server.interpreter");
}

/** Returns the part of the `scope` section that the server understands, without unset values. */
export function forServer(section: unknown): Record<string, unknown> {
  const all = (section ?? {}) as Record<string, unknown>;
  const kept = SERVER_SECTIONS.filter((name) => name in all).map((name) => [
    name,
    withoutUnset(all[name]),
  ]);
  return Object.fromEntries(kept) as Record<string, unknown>;
}

/** Whether a change concerns which server runs. */
export function changesServer(event: vscode.ConfigurationChangeEvent): boolean {
  return event.affectsConfiguration(`${SECTION}.server`);
}

/** A setting that says what runs is read from the user's and machine's settings only. */
function machineString(name: string): string {
  const found = vscode.workspace.getConfiguration(SECTION).inspect<unknown>(name);
  const value = found?.globalValue ?? found?.defaultValue;
  return typeof value === "string" ? value.trim() : "";
}

/** An empty text means "not set" in VS Code's settings editor. */
function withoutUnset(section: unknown): unknown {
  if (typeof section !== "object" || section === null || Array.isArray(section)) {
    return section;
  }
  return Object.fromEntries(
    Object.entries(section).filter(([, value]) => value !== "" && value !== null),
  );
}
