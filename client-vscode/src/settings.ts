/** The settings that the client itself uses; all others belong to the server. */
import * as vscode from "vscode";

export const SECTION = "scope";

/** Sections of `scope.*` that are the client's and are not sent. */
const CLIENT_SECTIONS = ["server", "trace"];

/** Command line of the server to use instead of the private environment; empty if not set. */
export function serverPath(): string {
  return machineString("server.path");
}

/** Python for the private environment; empty to look for one. */
export function interpreter(): string {
  return machineString("server.interpreter");
}

/** Returns the part of the `scope` section that the server understands. */
export function forServer(section: unknown): Record<string, unknown> {
  const all = Object.entries((section ?? {}) as Record<string, unknown>);
  const kept = all.filter(([name]) => !CLIENT_SECTIONS.includes(name));
  return Object.fromEntries(kept.map(([name, values]) => [name, withNull(values)]));
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
function withNull(section: unknown): unknown {
  if (typeof section !== "object" || section === null || Array.isArray(section)) {
    return section;
  }
  return Object.fromEntries(
    Object.entries(section).map(([name, value]) => [
      name,
      value === "" ? null : (value as unknown),
    ]),
  );
}

/** The service of an organisation's index that is set; empty if none is. */
export function organisationService(): string {
  return machineString("organisation.service");
}

/** The model that is set by its name; empty if none is. */
export function modelName(): string {
  return vscode.workspace.getConfiguration("scope").get<string | null>("model.name") ?? "";
}
