/** Markdown to HTML, block by block, so that a growing answer changes only at its end. */
import type { Token } from "markdown-it";
import createMarkdown from "markdown-it";
import { bodyOf } from "../documentBody";
import { parseLink } from "../links";
import { highlighted } from "./highlight";

/** One top-level block of a document. */
export interface Block {
  html: string;
  /** Source of a diagram, if the block is one and is complete. */
  diagram?: string;
  /** Under which words it is folded away; not, if undefined. */
  fold?: string;
}

const markdown = createMarkdown({ html: false, linkify: false, breaks: false });
markdown.validateLink = () => true; // what may be followed is decided in link_open, below

markdown.renderer.rules.link_open = (tokens, at) => {
  const href = hrefOf(tokens[at]);
  const target = parseLink(href);
  if (target === undefined) {
    return '<span class="dead-link">';
  }
  const kind = target.kind === "external" ? "external" : "reference";
  return `<a class="${kind}" href="#" data-href="${markdown.utils.escapeHtml(href)}">`;
};

markdown.renderer.rules.link_close = (tokens, at) => {
  let depth = 0;
  for (let i = at; i >= 0; i--) {
    const token = tokens[i];
    depth += token?.type === "link_close" ? 1 : token?.type === "link_open" ? -1 : 0;
    if (depth === 0) {
      return parseLink(hrefOf(token)) === undefined ? "</span>" : "</a>";
    }
  }
  return "</a>";
};

// No picture is loaded, from nowhere: its description stands for it.
markdown.renderer.rules.image = (tokens, at) =>
  `<span class="image">${markdown.utils.escapeHtml(tokens[at]?.content || "image")}</span>`;

markdown.renderer.rules.fence = (tokens, at) => {
  const token = tokens[at];
  const [language = ""] = (token?.info ?? "").trim().split(/\s+/);
  const code = highlighted(token?.content ?? "", language);
  const label = markdown.utils.escapeHtml(language);
  return `<div class="code" data-language="${label}"><pre><code>${code}</code></pre></div>\n`;
};

markdown.renderer.rules.code_block = markdown.renderer.rules.fence;
markdown.renderer.rules.table_open = () => '<div class="table"><table>';
markdown.renderer.rules.table_close = () => "</table></div>";

function hrefOf(token: Token | undefined): string {
  return String(token?.attrGet("href") ?? "");
}

/** Returns the document's blocks; `isComplete` is false while more text is to come. */
export function blocksOf(source: string, question: string, isComplete: boolean): Block[] {
  const text = bodyOf(source);
  const environment = {};
  const tokens = withoutTitle(markdown.parse(text, environment), question);
  const groups = grouped(tokens);
  const blocks: Block[] = [];
  let fold: string | undefined;
  groups.forEach((group, at) => {
    const mark = foldMark(group);
    if (mark !== undefined) {
      fold = mark === "" ? undefined : mark;
      return;
    }
    const block: Block = { html: markdown.renderer.render(group, markdown.options, environment) };
    const [first] = group;
    const isDiagram = first?.type === "fence" && first.info.trim() === "mermaid";
    const isClosed = isComplete || at < groups.length - 1;
    if (isDiagram && isClosed) {
      block.diagram = first.content;
    }
    if (fold !== undefined) {
      block.fold = fold;
    }
    blocks.push(block);
  });
  return blocks;
}

/** Returns the words of a fold that begins with a group, "" if one ends there. No other HTML is. */
function foldMark(group: readonly Token[]): string | undefined {
  const text = group[0]?.type === "paragraph_open" ? group[1]?.content : undefined;
  return text === "</details>"
    ? ""
    : /^<details>\n<summary>([^<>\n]+)<\/summary>$/.exec(text ?? "")?.[1];
}

/** The panel already shows the question above the answer. */
function withoutTitle(tokens: Token[], question: string): Token[] {
  const title = tokens[1];
  const isTitle = tokens[0]?.type === "heading_open" && tokens[0].tag === "h1";
  const same = plain(title?.content ?? "") === plain(question);
  return isTitle && same ? tokens.slice(3) : tokens;
}

function plain(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}

function grouped(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0) {
      groups.push([]);
    }
    groups.at(-1)?.push(token);
    depth += token.nesting;
  }
  return groups;
}
