/** What a panel shows: questions and their answers. Pure data, kept over a reload of the window. */
import { wholeEnds } from "../ends";
import type { RunEventBody } from "../events";
import type { AskParams, VerifyResult, WireReference, WireStats } from "../protocol";
import type { Remedy } from "../remedies";
import { knownRemedies } from "../remedies";
import type { Step } from "./steps";
import { applyStep, modeReason, stopSteps } from "./steps";

/** Running totals of the calls of a model. */
export type Usage = Omit<Extract<RunEventBody, { type: "usage" }>, "type">;

export type TurnState = "running" | "done" | "cancelled" | "interrupted" | "failed";

/** A question, to the code that is open or to an organisation's repositories. */
export interface Asked extends AskParams {
  /** Whether the organisation's repositories are asked; then only the question goes there. */
  organisation?: boolean;
}

/** A place that was considered, ready to be shown. */
export interface Considered {
  path: string;
  lineStart: number;
  lineEnd: number;
  label: string;
  reason: string;
}

/** One question and its answer, so far as it has arrived. */
export interface Turn {
  id: string;
  question: string;
  /** What the question was asked about, for the reader; empty if nothing special. */
  about: string;
  /** All that was asked, so that it can be asked again; the question alone if absent. */
  asked?: Asked;
  state: TurnState;
  markdown: string;
  phase: string;
  done: number;
  total: number;
  startedAt: number;
  elapsedMs: number;
  notices: string[];
  steps: Step[];
  /** What the models took so far. */
  usage?: Usage;
  /** How it is answered, once that is known, and why if nobody chose. */
  mode?: string;
  modeReason?: string;
  considered: Considered[];
  references: WireReference[];
  /** What became of its document, once that is known. */
  verified?: VerifyResult;
  baseUri?: string;
  documentUri?: string;
  stats?: WireStats;
  /** Why it failed or was interrupted. */
  message?: string;
  /** What can be done about it. */
  remedies?: Remedy[];
}

/** A turn without its text, which is sent in pieces. */
export type TurnMeta = Omit<Turn, "markdown">;

/** The questions of one panel, oldest first. */
export interface Thread {
  turns: Turn[];
}

/** Returns a turn without its text. */
export function metaOf(turn: Turn): TurnMeta {
  return { ...turn, markdown: undefined } as TurnMeta;
}

/** Whether a thread is about an organisation's repositories. */
export function asksOrganisation({ turns }: Thread): boolean {
  return turns.at(-1)?.asked?.organisation === true;
}

/** Returns what the tab of a thread says. */
export function titleOf({ turns }: Thread): string {
  const question = (turns[0]?.question ?? "").replaceAll("`", "");
  const short = question.length > 40 ? `${question.slice(0, 39)}…` : question;
  return short === "" ? "Scope" : `Scope: ${short}`;
}

const PHASES: Record<string, string> = {
  indexing: "Reading the code",
  discovery: "Looking for the places that matter",
  exploration: "Following the code",
  synthesis: "Writing the answer",
  verification: "Checking every reference",
  writing: "Saving the document",
};

/** Returns what a run does now, in words. */
export function phaseOf({ phase, detail }: { phase: string; detail?: string }): string {
  return [PHASES[phase] ?? phase, detail].filter(Boolean).join(": ");
}

/** Returns the first state of a turn. */
export function newTurn(id: string, question: string, about: string, now: number): Turn {
  return {
    id,
    question,
    about,
    state: "running",
    markdown: "",
    phase: "Starting",
    done: 0,
    total: 0,
    startedAt: now,
    elapsedMs: 0,
    notices: [],
    steps: [],
    considered: [],
    references: [],
  };
}

/** Changes a turn by an event of its run; returns whether only text was added. */
export function applyEvent(turn: Turn, event: RunEventBody): boolean {
  switch (event.type) {
    case "text":
      turn.markdown += event.text;
      return true;
    case "phase":
      turn.phase = phaseOf(event);
      turn.done = turn.total = 0;
      return false;
    case "index":
      turn.done = event.done;
      turn.total = event.total;
      return false;
    case "candidates":
      turn.considered = event.candidates.map((item) => ({
        path: item.path,
        lineStart: item.lineStart,
        lineEnd: item.lineEnd,
        label: item.symbol ?? "",
        reason: item.reasons[0] ?? "",
      }));
      return false;
    case "tool_call":
      turn.phase = `Using ${event.tool.replaceAll("_", " ")}`;
      applyStep(turn.steps, event);
      return false;
    case "notice":
      turn.notices.push(event.message);
      return false;
    case "finished":
      turn.documentUri = event.documentUri ?? turn.documentUri;
      turn.stats = event.stats ?? turn.stats;
      return false;
    case "tool_result":
      applyStep(turn.steps, event);
      return false;
    case "decision":
      decided(turn, event);
      return false;
    case "usage":
      turn.usage = event;
      return false;
    default:
      return false; // a newer server may send what this client does not know
  }
}

/** The mode is shown above the answer, every other decision among the steps. */
function decided(turn: Turn, event: RunEventBody): void {
  const chosen = modeReason(event);
  if (chosen === undefined) {
    applyStep(turn.steps, event);
  } else {
    turn.mode = chosen.mode;
    turn.modeReason = chosen.reason;
  }
}

const AS_WRITTEN = ["ok", "corrected", "in_range", "unverified"];

/**
 * Returns the references of an answer as they stand now; what was never confirmed stays so.
 *
 * As long as nothing has changed these are the ones that its document counts. What became of the
 * others, such as each line of code that is shown, is told once something of it is another thing.
 */
export function referencesNow({ references, verified }: TurnMeta): readonly WireReference[] {
  return verified === undefined ||
    verified.references.every(({ state }) => AS_WRITTEN.includes(state))
    ? references
    : [...verified.references, ...references.filter(({ state }) => state === "unverified")];
}

/** Whether a turn waits for the code to be read. */
export function isReading(turn: Turn): boolean {
  return turn.state === "running" && turn.phase === PHASES.indexing;
}

/** Ends a turn. */
export function endTurn(turn: Turn, state: TurnState, now: number, message?: string): void {
  turn.state = state;
  turn.elapsedMs = Math.max(0, now - turn.startedAt);
  turn.message = message;
  turn.mode = turn.stats?.mode ?? turn.mode;
  stopSteps(turn.steps);
}

/** Takes the earlier try at a question off a thread if there is nothing in it that a reader loses. */
export function settleRetry(thread: Thread, earlier: Turn, fresh: Turn): void {
  const isWhole = fresh.state === "done" && wholeEnds.includes(fresh.stats?.stopReason ?? "done");
  if (isWhole || earlier.markdown === "") {
    thread.turns = thread.turns.filter((turn) => turn !== earlier);
  }
}

/** Returns a thread from what was kept over a reload; what was running then is interrupted. */
export function revive(kept: unknown): Thread {
  const turns = (kept as { turns?: unknown } | undefined)?.turns;
  const thread = { turns: Array.isArray(turns) ? turns.filter(isTurn) : [] };
  for (const turn of thread.turns) {
    turn.steps = (turn as Partial<Turn>).steps ?? []; // a thread of an older version has none
    if (turn.remedies !== undefined) {
      turn.remedies = knownRemedies(turn.remedies);
    }
    stopSteps(turn.steps);
    if (turn.state === "running") {
      turn.state = "interrupted";
      turn.message = "The window was reloaded while this was being answered.";
    }
  }
  return thread;
}

function isTurn(value: unknown): value is Turn {
  const turn = value as Partial<Turn> | null;
  return (
    typeof turn === "object" &&
    typeof turn?.id === "string" &&
    typeof turn.question === "string" &&
    typeof turn.markdown === "string" &&
    Array.isArray(turn.notices) &&
    Array.isArray(turn.considered) &&
    Array.isArray(turn.references)
  );
}
