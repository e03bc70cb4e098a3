/** Marks stale links in the editor's own preview of a document, and leads them to where the code is. */
import type { WireLink } from "../protocol";
import { linkTo, markOf } from "./marks";

/** What of markdown-it is used; the editor brings its own. */
export interface Renderer {
  renderer: { rules: Record<string, Rule | undefined> };
}

type Rule = (
  tokens: Token[],
  at: number,
  options: unknown,
  environment: unknown,
  self: { renderToken: (tokens: Token[], at: number, options: unknown) => string },
) => string;

interface Token {
  type: string;
  meta: unknown;
  attrGet: (name: string) => string | number | null;
  attrSet: (name: string, value: string) => void;
}

/** What the links of a document became; its URI is the editor's. */
export type LinksOf = (document: unknown) => readonly WireLink[];

const render: Rule = (tokens, at, options, _, self) => self.renderToken(tokens, at, options);

/** Adds the marks to a renderer. */
export function markStaleLinks<T extends Renderer>(markdown: T, linksOf: LinksOf): T {
  const { rules } = markdown.renderer;
  const [open, close] = [rules.link_open ?? render, rules.link_close ?? render];
  rules.link_open = (tokens, at, options, environment, self) => {
    const token = tokens[at];
    const link = token && linkOf(token, linksOf(documentOf(environment)));
    if (token !== undefined) {
      show(token, link);
    }
    return open(tokens, at, options, environment, self);
  };
  rules.link_close = (tokens, at, options, environment, self) => {
    const opened = tokens[openingOf(tokens, at)];
    const mark = markOf(opened && linkOf(opened, linksOf(documentOf(environment))));
    const shown = mark === undefined ? "" : `<span class="scope-mark">${mark.text}</span>`;
    return close(tokens, at, options, environment, self) + shown;
  };
  return markdown;
}

/** Tokens are kept by the editor and rendered again, so the document's own target is kept in them. */
function targetOf(token: Token): string {
  const meta = token.meta as { scopeTarget?: string } | null;
  if (meta?.scopeTarget !== undefined) {
    return meta.scopeTarget;
  }
  const target = String(token.attrGet("href") ?? "");
  token.meta = { ...meta, scopeTarget: target };
  return target;
}

function linkOf(token: Token, links: readonly WireLink[]): WireLink | undefined {
  return linkTo(links, targetOf(token));
}

/**
 * Marks a link and leads it to where its code is now. One to lost code leads to no lines, and what
 * an earlier rendering has left is taken back.
 */
function show(token: Token, link: WireLink | undefined): void {
  const target = targetOf(token);
  const mark = markOf(link);
  const wasMarked = /\bscope-stale\b/.test(String(token.attrGet("class") ?? ""));
  if (mark === undefined && !wasMarked) {
    return;
  }
  token.attrSet("class", mark === undefined ? "" : `scope-stale scope-${mark.state}`);
  token.attrSet("title", mark?.title ?? "");
  const now = mark === undefined ? target : targetNow(target, link);
  token.attrSet("href", now);
  token.attrSet("data-href", now);
}

function targetNow(target: string, link: WireLink | undefined): string {
  const [file = ""] = target.split("#");
  if (link === undefined || link.isLost) {
    return file;
  }
  // Code that is in another file now is one click away in the document itself, not here.
  const sameFile = link.uri.endsWith(`/${file.split("/").at(-1) ?? ""}`);
  return sameFile ? `${file}#L${link.lineStart}-L${link.lineEnd}` : file;
}

function openingOf(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let i = at; i >= 0; i--) {
    const type = tokens[i]?.type;
    depth += type === "link_close" ? 1 : type === "link_open" ? -1 : 0;
    if (depth === 0) {
      return i;
    }
  }
  return -1;
}

function documentOf(environment: unknown): unknown {
  return (environment as { currentDocument?: unknown } | undefined)?.currentDocument;
}
