/** What the editor's chat shows of a document: its page takes no HTML, and has no fold. */
import { bodyOf } from "../documentBody";
import { parseLink } from "../links";

const FENCE = /^ {0,3}(```+|~~~+)/;

// Code is left as it is; of a link the target alone is looked at.
const CODE = /(`[^`]*`)/;
const TARGET = /(?<=\]\()[^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?=\))/g;

// The line below the answer counts the references, and says who answered.
const TOLD_BELOW = ["## Code References", "## How this was answered"];

/** Returns words as markdown that shows them as they are, and may break its lines between them. */
export function plainText(words: string): string {
  return words.replaceAll(/[\\`*_{}[\]()#+\-!|<>~&]/g, "\\$&");
}

/**
 * Returns what stands above the fold, without title and without what is for programs.
 *
 * @param document URI of the document, to which links are relative: the chat loses the lines of relative ones.
 */
export function chatTextOf(source: string, document: string | undefined): string {
  const shown: string[] = [];
  let fence = "";
  let isFolded = false;
  let isToldBelow = false;
  for (const line of bodyOf(source).trim().split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1]?.slice(0, 3);
    if (mark !== undefined) {
      fence = fence === "" ? mark : fence === mark ? "" : fence;
    }
    const isText = fence === "" && mark === undefined;
    if (isText && line.startsWith("## ")) {
      isToldBelow = TOLD_BELOW.includes(line.trim());
    }
    if (isText && line === "<details>") {
      isFolded = true;
    } else if (isText && line === "</details>") {
      isFolded = false;
    } else if (
      !isFolded &&
      !isToldBelow &&
      !(isText && shown.length === 0 && line.startsWith("# "))
    ) {
      shown.push(isText ? withWholeLinks(line, document) : line);
    }
  }
  return shown.join("\n").trim();
}

function withWholeLinks(line: string, document: string | undefined): string {
  if (document === undefined) {
    return line;
  }
  const whole = (href: string): string =>
    parseLink(href)?.kind === "file" ? new URL(href, document).href : href;
  return line
    .split(CODE)
    .map((part, at) => (at % 2 === 0 ? part.replace(TARGET, whole) : part))
    .join("");
}
