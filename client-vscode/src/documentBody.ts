/** What of a document is for people. */

/** Returns the text without front matter and comments, which are for programs. */
export function bodyOf(source: string): string {
  const withoutFrontMatter = /^---\r?\n/.test(source)
    ? source.replace(/^---\r?\n[\s\S]*?(?:\r?\n---[ \t]*(?:\r?\n|$)|$)/, "")
    : source;
  return withoutComments(withoutFrontMatter);
}

/** Comments at the start of a line end at `-->`, or are still arriving; code blocks keep theirs. */
function withoutComments(text: string): string {
  const parts = text.split(/^( {0,3}(?:```|~~~).*)$/m);
  let fence = "";
  return parts
    .map((part) => {
      const mark = /^ {0,3}(```|~~~)/.exec(part)?.[1];
      if (mark !== undefined) {
        fence = fence === "" ? mark : fence === mark ? "" : fence;
        return part;
      }
      return fence === "" ? part.replace(/^ {0,3}<!--[\s\S]*?(?:-->|$(?![\s\S]))/gm, "") : part;
    })
    .join("");
}
