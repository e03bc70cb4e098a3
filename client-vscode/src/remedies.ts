/** What a user can do when there is no server. */

/** A next step; what it does is decided by the extension, never by the page that shows it. */
export type Remedy = "setUp" | "choosePython" | "serverPath" | "showLog";

/** What a step is called where it is offered. */
export const REMEDIES: Record<Remedy, string> = {
  setUp: "Set Up Scope",
  choosePython: "Choose Python",
  serverPath: "Open Setting",
  showLog: "Show Log",
};

/** Returns those of a list that exist, for a list that was kept by another version. */
export function knownRemedies(kept: unknown): Remedy[] {
  return Array.isArray(kept)
    ? kept.filter(
        (item): item is Remedy => typeof item === "string" && Object.hasOwn(REMEDIES, item),
      )
    : [];
}
