/** What a run does on its way to an answer: tools called, decisions taken. Pure data. */
import type { RunEventBody } from "../events";

/** One step, ready to be shown. */
export interface Step {
  kind: "tool" | "decision";
  /** The tool's name, or the decision. */
  title: string;
  /** A call's arguments in short, or the decision's reason. */
  detail: string;
  state: "running" | "ok" | "failed" | "stopped";
  callId?: string;
  arguments?: Record<string, unknown>;
  summary?: string;
  size?: number;
  elapsedS?: number;
}

const MOST_STEPS = 400; // more than any mode takes; what comes then is counted by the totals alone
const MODE_CHOSEN = /^answer in mode (\w+)$/;

/** Changes the steps by an event of their run. */
export function applyStep(steps: Step[], event: RunEventBody): void {
  if (event.type === "tool_call" && steps.length < MOST_STEPS) {
    const given = event.arguments ?? {};
    steps.push({
      kind: "tool",
      title: event.tool,
      detail: inShort(given),
      state: "running",
      callId: event.callId,
      arguments: given,
    });
  } else if (event.type === "tool_result") {
    const step = steps.findLast(
      ({ callId, state }) => callId === event.callId && state === "running",
    );
    if (step !== undefined) {
      const { ok, summary = "", size, elapsedS } = event;
      Object.assign(step, { state: ok ? "ok" : "failed", summary, size, elapsedS });
    }
  } else if (event.type === "decision" && !isRepeated(event) && steps.length < MOST_STEPS) {
    const { decision, reason } = event;
    steps.push({ kind: "decision", title: decision, detail: reason, state: "ok" });
  }
}

/** Without a reason, the decision to call a tool says no more than the call that follows. */
function isRepeated({ decision, reason }: { decision: string; reason: string }): boolean {
  return reason === "" && decision.startsWith("call ");
}

/** Marks what was under way when the run ended. */
export function stopSteps(steps: Step[]): void {
  for (const step of steps) {
    step.state = step.state === "running" ? "stopped" : step.state;
  }
}

/** Returns why a run has its mode, if that is what an event tells. */
export function modeReason(event: RunEventBody): { mode: string; reason: string } | undefined {
  const mode = event.type === "decision" ? MODE_CHOSEN.exec(event.decision)?.[1] : undefined;
  return event.type === "decision" && mode !== undefined
    ? { mode, reason: event.reason }
    : undefined;
}

/** Returns arguments as one reads them at a glance. */
function inShort(given: Record<string, unknown>): string {
  return Object.values(given)
    .filter((value) => value !== null && value !== "")
    .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
    .join(", ");
}
