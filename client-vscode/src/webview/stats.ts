/** What an answer took, in words. */
import type { TurnMeta } from "../panel/thread";

const STOPS: Record<string, string> = {
  cancelled: "Stopped on your request. This is what was found until then.",
  budget: "Stopped at the limit of tokens or money. This is what was found until then.",
  timeout: "Stopped at the time limit. This is what was found until then.",
};

/** Returns the line under the question of an answer that has ended. */
export function statsLine({ state, stats, elapsedMs, references }: TurnMeta): string {
  const elapsed = stats?.elapsedS ?? elapsedMs / 1_000;
  const seconds = elapsed < 0.1 ? "under 0.1 s" : `${elapsed.toFixed(1)} s`;
  if (state === "failed") {
    return "No answer";
  }
  if (state === "interrupted" || state === "cancelled") {
    return `${state === "cancelled" ? "Stopped" : "Interrupted"} after ${seconds}`;
  }
  if (stats === undefined) {
    return seconds;
  }
  const files = `${stats.filesAnalyzed} ${stats.filesAnalyzed === 1 ? "file" : "files"}`;
  return [files, ...checked(references), seconds, ...modelParts(stats)].join(" · ");
}

/** Returns why an answer is not complete, if it is not. */
export function stopNote({ state, stats }: TurnMeta): string | undefined {
  if (state === "cancelled") {
    return STOPS.cancelled;
  }
  const reason = stats?.stopReason ?? "done";
  return reason === "done"
    ? undefined
    : (STOPS[reason] ?? `Stopped early: ${reason.replaceAll("_", " ")}.`);
}

function checked(references: TurnMeta["references"]): string[] {
  const good = references.filter(({ state }) => state === "ok" || state === "corrected").length;
  const all = references.length;
  if (all === 0) {
    return [];
  }
  const words = all === 1 ? "reference" : "references";
  return [good === all ? `${all} ${words} checked` : `${good} of ${all} ${words} verified`];
}

function modelParts(stats: NonNullable<TurnMeta["stats"]>): string[] {
  if (stats.llmCalls === 0) {
    return ["offline, no model"];
  }
  const tokens = (stats.tokensIn + stats.tokensOut).toLocaleString();
  const cost =
    stats.costUsd === undefined ? "" : `$${stats.costUsd.toFixed(stats.costUsd < 0.1 ? 3 : 2)}`;
  const calls = `${stats.llmCalls} ${stats.llmCalls === 1 ? "call" : "calls"}`;
  return [stats.model, calls, `${tokens} tokens`, cost].filter((part) => part !== "");
}
