/** What the panel's two sides say to each other. */
import type { Attachment } from "../attach/attachment";
import type { Remedy } from "../remedies";
import type { Thread, TurnMeta } from "./thread";

/** To the ask box of a page. */
export type ToAskBox =
  | { type: "suggested"; name: string; items: readonly Attachment[] }
  | { type: "attach"; items: readonly Attachment[] };

/** From the ask box of a page. */
export type FromAskBox =
  { type: "suggest"; name: string } | { type: "dropped"; uris: readonly string[] };

/** From the page of the side bar's ask box. */
export type FromAskPage =
  | FromAskBox
  | { type: "ready" }
  | { type: "ask"; question: string; attached: readonly Attachment[] };

/** From the extension to the webview. */
export type ToWebview =
  | ToAskBox
  | { type: "thread"; id: string; thread: Thread }
  | { type: "added"; thread: Thread }
  | { type: "turns"; thread: Thread }
  | { type: "modes"; modes: readonly string[] }
  | { type: "text"; turn: string; text: string }
  | { type: "meta"; turn: TurnMeta }
  | { type: "finished"; turn: TurnMeta; markdown: string }
  | { type: "refreshed"; turn: TurnMeta; markdown: string }
  | { type: "peeked"; request: number; peek: Peek }
  | { type: "focus" };

/** The lines that a reference cites. */
export interface Peek {
  title: string;
  detail: string;
  language: string;
  firstLine: number;
  code: string;
}

/** From the webview to the extension. */
export type FromWebview =
  | FromAskBox
  | { type: "ready" }
  | { type: "open"; turn: string; href: string; beside: boolean }
  | { type: "openPlace"; turn: string; index: number }
  | { type: "peek"; turn: string; href: string; request: number }
  | { type: "stop"; turn: string }
  | { type: "again"; turn: string; mode?: string }
  | { type: "askAgain"; turn: string }
  | { type: "updateReferences"; turn: string }
  | { type: "copy"; turn: string }
  | { type: "copyText"; text: string }
  | { type: "document"; turn: string }
  | { type: "followUp"; question: string; attached: readonly Attachment[] }
  | { type: "chooseModel" }
  | { type: "remedy"; turn: string; remedy: Remedy }
  | { type: "showLog" };
