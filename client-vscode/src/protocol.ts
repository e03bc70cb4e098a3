/**
 * Every custom message between the editor and `scope-lsp`.
 *
 * Mirrors `lsp_server/protocol.py`; `docs/protocol.md` describes each field. A test holds the three
 * together, so the names of the interfaces are those of the Python classes.
 */
import type { Position, Range } from "vscode-languageclient/node";
import { NotificationType, RequestType } from "vscode-languageclient/node";
import type { RunEventBody } from "./events";

/** A range in a file. */
export interface WireLocation {
  uri: string;
  range: Range;
}

/** Params of `scope/ask` and of the command `scope.ask`. */
export interface AskParams {
  question: string;
  mode?: string;
  location?: WireLocation;
  symbol?: string;
  diagnostic?: string;
  runId?: string;
  followUp?: string;
}

/** A code reference of an answer. */
export interface WireReference {
  path: string;
  uri: string;
  lineStart: number;
  lineEnd: number;
  symbol?: string;
  description?: string;
  state: string;
  newPath?: string;
  newLineStart?: number;
  newLineEnd?: number;
}

/** What an answer took. */
export interface WireStats {
  mode: string;
  model: string;
  llmCalls: number;
  tokensIn: number;
  tokensOut: number;
  costUsd?: number;
  filesAnalyzed: number;
  elapsedS: number;
  filesParsed: number;
  stopReason: string;
}

/** Result of `scope/ask`. */
export interface AskResult {
  runId: string;
  documentUri?: string;
  markdown: string;
  references: WireReference[];
  stats: WireStats;
}

/** Params of the notification `scope/runEvent`. */
export interface RunEvent {
  runId: string;
  baseUri: string;
  event: RunEventBody;
}

/** Params of the notification `scope/status`. */
export interface StatusParams {
  state: string;
  message: string;
  done: number;
  total: number;
}

/** Params of `scope/analyze`. */
export interface AnalyzeParams {
  query: string;
  topK?: number;
  language?: string;
  path?: string;
  includeCode?: boolean;
  maxTokens?: number;
}

/** One place that `scope/analyze` proposes. */
export interface WireHit {
  path: string;
  uri: string;
  lineStart: number;
  lineEnd: number;
  symbol?: string;
  kind: string;
  signature: string;
  score: number;
  reasons: string[];
  code?: string;
}

/** How much of the code base was searched. */
export interface WireSearched {
  files: number;
  skipped: Record<string, number>;
  complete: boolean;
}

/** Result of `scope/analyze`. */
export interface AnalyzeResult {
  query: string;
  hits: WireHit[];
  leftOut: number;
  searched: WireSearched;
}

/** Params of `scope/verify`. */
export interface VerifyParams {
  documentUri: string;
}

/** Result of `scope/verify`. */
export interface VerifyResult {
  references: WireReference[];
  counts: Record<string, number>;
}

/** Params of `scope/uses` and of the command `scope.uses`. */
export interface UsesParams {
  uri: string;
  position: Position;
  symbol?: string;
}

/** Result of `scope/uses`. */
export interface UsesResult {
  symbol: string;
  definitions: WireLocation[];
  references: WireLocation[];
  unverified: WireLocation[];
  complete: boolean;
  stoppedBy?: string;
}

/** Argument of the command `scope.cancel`. */
export interface RunParams {
  runId?: string;
}

/** What a client can do beyond the protocol; `client` in its initialization options. */
export interface ClientAbilities {
  complete?: boolean;
  approve?: boolean;
}

/** Params of `scope/approve`. */
export interface ApproveParams {
  runId: string;
  tool: string;
  scopes: string[];
  tokens: number;
  files: string[];
  host: string;
  model: string;
}

/** Result of `scope/approve`. */
export interface ApproveResult {
  decision: "once" | "session" | "always" | "deny";
}

/** Params of the notification `scope/useModel`. */
export interface UseModelParams {
  name?: string;
  contextTokens?: number;
}

/** One turn of a conversation with the editor's model. */
export interface CompleteTurn {
  role: "user" | "assistant";
  text: string;
}

/** Params of `scope/complete`. */
export interface CompleteParams {
  completionId: string;
  turns: CompleteTurn[];
  maxOutputTokens: number;
}

/** Result of `scope/complete`, after the last piece of text. */
export interface CompleteResult {
  fault?: string;
  message?: string;
}

/** Params of the notification `scope/completeText`. */
export interface CompleteTextParams {
  completionId: string;
  text: string;
}

/** A range of lines. */
export interface WireLines {
  lineStart: number;
  lineEnd: number;
}

/** What of one file would be in the first request. */
export interface WirePreviewFile {
  path: string;
  uri: string;
  ranges: WireLines[];
  isOutlined: boolean;
  redacted: string[];
}

/** One request, with its estimate. */
export interface WirePreviewPhase {
  name: string;
  tokensIn: number;
  tokensOut: number;
  costUsd?: number;
  isExact: boolean;
}

/** Result of `scope/preview`. */
export interface PreviewResult {
  mode: string;
  model: string;
  host: string;
  files: WirePreviewFile[];
  phases: WirePreviewPhase[];
  scopes: string[];
  withheld: string[];
  notes: string[];
}

/** Params of `scope/tool`. */
export interface ToolParams {
  name: string;
  arguments?: Record<string, unknown>;
}

/** Result of `scope/tool`. */
export interface ToolResult {
  text: string;
  ok: boolean;
}

export const ask = new RequestType<AskParams, AskResult, void>("scope/ask");
export const analyze = new RequestType<AnalyzeParams, AnalyzeResult, void>("scope/analyze");
export const verify = new RequestType<VerifyParams, VerifyResult, void>("scope/verify");
export const uses = new RequestType<UsesParams, UsesResult, void>("scope/uses");
export const preview = new RequestType<AskParams, PreviewResult, void>("scope/preview");
export const tool = new RequestType<ToolParams, ToolResult, void>("scope/tool");
export const complete = new RequestType<CompleteParams, CompleteResult, void>("scope/complete");
export const approve = new RequestType<ApproveParams, ApproveResult, void>("scope/approve");
export const completeText = new NotificationType<CompleteTextParams>("scope/completeText");
export const useModel = new NotificationType<UseModelParams>("scope/useModel");
export const runEvent = new NotificationType<RunEvent>("scope/runEvent");
export const status = new NotificationType<StatusParams>("scope/status");

/** Commands that the server advertises; the language client registers them itself. */
export const serverCommands = {
  ask: "scope.ask",
  uses: "scope.uses",
  cancel: "scope.cancel",
  reindex: "scope.reindex",
  status: "scope.status",
} as const;
