/** What the side bar says of a thread. */
import type { Thread } from "../panel/thread";
import { asksOrganisation } from "../panel/thread";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Returns how the newest question of a thread stands. */
export function stateOf({ turns }: Thread): "running" | "done" | "problem" {
  const state = turns.at(-1)?.state;
  return state === "running" || state === "done" ? state : "problem";
}

/** Returns when a thread changed, and how many questions follow the first. */
export function detailOf(thread: Thread, at: number, now: number): string {
  const more = thread.turns.length - 1;
  const follow = more > 0 ? `, ${more} follow-up${more === 1 ? "" : "s"}` : "";
  return `${asksOrganisation(thread) ? "organisation, " : ""}${agoOf(at, now)}${follow}`;
}

function agoOf(at: number, now: number): string {
  const passed = Math.max(0, now - at);
  if (passed < MINUTE_MS) {
    return "now";
  }
  if (passed < HOUR_MS) {
    return `${Math.floor(passed / MINUTE_MS)} min ago`;
  }
  return passed < DAY_MS
    ? `${Math.floor(passed / HOUR_MS)} h ago`
    : new Date(at).toLocaleDateString();
}
