/** Marks on links whose code is not what was cited. Pure, and shared by the panel and the preview. */
import type { WireLink } from "../protocol";

const GOOD = ["ok", "corrected", "in_range"];

/** What is shown behind a link. */
export interface LinkMark {
  /** A word or two. */
  text: string;
  /** A sentence. */
  title: string;
  state: string;
}

/** Returns the link of a document that has a target, as the document has it. */
export function linkTo(links: readonly WireLink[], target: string): WireLink | undefined {
  const wanted = decoded(target);
  return links.find((link) => decoded(link.target) === wanted);
}

/** Returns what to show behind a link; undefined if its code is what was cited. */
export function markOf(link: WireLink | undefined): LinkMark | undefined {
  if (link === undefined || GOOD.includes(link.state)) {
    return undefined;
  }
  const { state, sentence, lineStart, lineEnd } = link;
  const lines = lineEnd > lineStart ? `${lineStart}-${lineEnd}` : String(lineStart);
  return { text: state === "moved" ? `moved to ${lines}` : state, title: sentence, state };
}

/** Returns what of a document is marked, as one text: a preview is drawn anew only if it has changed. */
export function marksOf(links: readonly WireLink[]): string {
  return links
    .flatMap((link) => {
      const mark = markOf(link);
      return mark === undefined ? [] : [[link.target, link.uri, mark.text, mark.title].join("\t")];
    })
    .join("\n");
}

function decoded(target: string): string {
  try {
    return decodeURI(target);
  } catch {
    return target; // a stray percent sign
  }
}
