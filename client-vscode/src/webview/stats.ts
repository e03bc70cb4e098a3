/** What an answer took, in words. */
import { type RemarkableEnd, unremarkableEnds } from "../ends";
import type { TurnMeta, Usage } from "../panel/thread";
import { referencesNow } from "../panel/thread";

/** A sentence for each: the compiler holds the list to the server's. */
const STOPS: Record<RemarkableEnd, string> = {
  cancelled: "Stopped on your request. This is what was found until then.",
  budget_tokens: "Stopped at the limit of tokens. This is what was found until then.",
  budget_usd: "Stopped at the limit of money. This is what was found until then.",
  time: "Stopped at the time limit. This is what was found until then.",
  turns: "Stopped after as many turns as allowed. This is what was found until then.",
  answer_cut: "The answer was cut: it reached the most that the model may write at once.",
  no_progress: "Stopped because nothing new was found.",
  limit: "Stopped at the limit of steps. This is what was found until then.",
  failed: "A fault in Scope ended the search. This is what was found until then.",
  model_unavailable: "The model gave no answer. This is what was found without it.",
  model_refused: "The model gave no usable answer. This is what was found without it.",
  not_approved: "You did not allow the request. This is what was found without the model.",
  max_rounds: "The search ended after as many rounds as allowed, before the model was confident.",
  no_more_actions: "The search ended before the model was confident: it asked for nothing new.",
  budget_exhausted: "The search ended when its budget of code or tokens was used up.",
};

/** Returns the line under the question of an answer that has ended. */
export function statsLine(turn: TurnMeta): string {
  const { state, stats, elapsedMs, usage } = turn;
  const elapsed = stats?.elapsedS ?? elapsedMs / 1_000;
  const seconds = elapsed < 0.1 ? "under 0.1\u00a0s" : `${elapsed.toFixed(1)}\u00a0s`;
  if (state === "failed") {
    return "No answer";
  }
  if (state === "interrupted" || state === "cancelled") {
    const words = `${state === "cancelled" ? "Stopped" : "Interrupted"} after ${seconds}`;
    return [words, totals(usage)].filter((part) => part !== "").join(" · ");
  }
  if (stats === undefined) {
    return seconds;
  }
  const files = `${stats.filesAnalyzed} ${stats.filesAnalyzed === 1 ? "file" : "files"}`;
  return [files, ...states(referencesNow(turn)), seconds, ...modelParts(stats, usage)].join(" · ");
}

/** Returns why an answer is not complete, if it is not. */
export function stopNote({ state, stats }: TurnMeta): string | undefined {
  if (state === "cancelled") {
    return STOPS.cancelled;
  }
  const reason = stats?.stopReason ?? "done";
  if (unremarkableEnds.includes(reason)) {
    return undefined;
  }
  const known: Partial<Record<string, string>> = STOPS;
  return known[reason] ?? `Stopped early: ${reason.replaceAll("_", " ")}.`;
}

/** Returns what a running question took so far, and what it may take. */
export function totals(usage: Usage | undefined): string {
  if (usage === undefined || usage.llmCalls === 0) {
    return "";
  }
  const { llmCalls, tokensIn, tokensOut, limitTokens, costUsd, limitUsd } = usage;
  const calls = `${llmCalls} ${llmCalls === 1 ? "call" : "calls"}`;
  const tokens = `${(tokensIn + tokensOut).toLocaleString()}${ofLimit(limitTokens?.toLocaleString())} tokens`;
  const limit = limitUsd === undefined ? undefined : `$${limitUsd.toFixed(2)}`;
  const cost = costUsd === undefined ? "" : `${dollars(costUsd)}${ofLimit(limit)}`;
  return [calls, tokens, cost].filter((part) => part !== "").join(" · ");
}

function ofLimit(limit: string | undefined): string {
  return limit === undefined ? "" : ` of ${limit}`;
}

function dollars(usd: number): string {
  return `$${usd.toFixed(usd < 0.1 ? 3 : 2)}`;
}

/** Returns how many references are in which state; that lines were checked is not that a text is right. */
function states(references: ReturnType<typeof referencesNow>): string[] {
  const all = references.length;
  if (all === 0) {
    return [];
  }
  const count = (...wanted: string[]) =>
    references.filter(({ state }) => wanted.includes(state)).length;
  const inRange = count("in_range");
  const good = count("ok", "corrected");
  const moved = count("moved");
  const changed = count("changed", "ambiguous", "gone", "edited");
  const others = all - good - inRange - moved - changed;
  const words = all === 1 ? "reference" : "references";
  return [
    [
      `${good} of ${all} ${words} verified`,
      ...(inRange > 0 ? [`${inRange} in range`] : []),
      ...(moved > 0 ? [`${moved} moved since`] : []),
      ...(changed > 0 ? [`${changed} changed since`] : []),
      ...(others > 0 ? [`${others} not confirmed`] : []),
    ].join(", "),
  ];
}

function modelParts(stats: NonNullable<TurnMeta["stats"]>, usage: Usage | undefined): string[] {
  if (stats.llmCalls === 0) {
    return [stats.mode === "organisation" ? "no model" : "offline, no model"];
  }
  const { llmCalls, tokensIn, tokensOut, costUsd } = stats;
  const { limitTokens, limitUsd } = usage ?? {};
  const taken = totals({ llmCalls, tokensIn, tokensOut, costUsd, limitTokens, limitUsd });
  return [stats.model, taken].filter((part) => part !== "");
}
