/** The typed events of a run, as `scope/runEvent` carries them. Unknown types are ignored. */
import type { WireStats } from "./protocol";

/** A place that ranking proposes. */
export interface CandidateBody {
  path: string;
  lineStart: number;
  lineEnd: number;
  symbol?: string;
  kind: string;
  signature: string;
  reasons: string[];
}

/** One event; `type` says which. */
export type RunEventBody =
  | { type: "phase"; phase: string; detail?: string }
  | { type: "index"; done: number; total: number }
  | { type: "candidates"; candidates: CandidateBody[] }
  | { type: "tool_call"; callId: string; tool: string; arguments?: Record<string, unknown> }
  | {
      type: "tool_result";
      callId: string;
      tool: string;
      size: number;
      elapsedS: number;
      ok: boolean;
      summary?: string;
    }
  | { type: "decision"; decision: string; reason: string }
  | {
      type: "usage";
      llmCalls: number;
      tokensIn: number;
      tokensOut: number;
      costUsd?: number;
      limitTokens?: number;
      limitUsd?: number;
    }
  | { type: "text"; text: string }
  | { type: "notice"; message: string }
  | { type: "finished"; documentUri?: string; stopReason?: string; stats?: WireStats };
