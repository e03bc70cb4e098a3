/** What a link in an answer points to. Pure, and shared by the extension and its webview. */

/** A link that may be followed. */
export type LinkTarget =
  | { kind: "external"; url: string }
  | { kind: "file"; path: string; rooted: boolean; lineStart?: number; lineEnd?: number };

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const LINES = /^L?(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?$/;

/**
 * Returns where a link leads, or undefined if it must not be followed.
 *
 * Only web addresses and files relative to the document or the workspace are links; everything
 * else (`command:`, `file:`, `vscode:`, drive letters, network paths) is plain text.
 */
export function parseLink(href: string): LinkTarget | undefined {
  const trimmed = href.trim();
  if (/^https?:\/\//i.test(trimmed)) {
    return { kind: "external", url: trimmed };
  }
  if (trimmed === "" || trimmed.startsWith("#") || SCHEME.test(trimmed)) {
    return undefined;
  }
  const [rawPath, fragment] = splitOnce(trimmed, "#");
  const path = decoded(rawPath);
  if (path === undefined || path.startsWith("//") || /[\\\0]/.test(path) || SCHEME.test(path)) {
    return undefined;
  }
  const rooted = path.startsWith("/");
  const target = { kind: "file" as const, path: rooted ? path.slice(1) : path, rooted };
  return { ...target, ...lines(fragment) };
}

/** Returns a path from the root of the code base, whatever folder the document lies in. */
export function pathFromRoot(path: string): string {
  return path.replace(/^(?:\.\.?\/)+/, "");
}

/** Returns the key under which an answer's references are found from its links. */
export function referenceKey(path: string, lineStart?: number, lineEnd?: number): string {
  return `${pathFromRoot(path)}:${lineStart ?? 0}-${lineEnd ?? lineStart ?? 0}`;
}

function lines(fragment: string | undefined): { lineStart?: number; lineEnd?: number } {
  const match = fragment === undefined ? null : LINES.exec(fragment);
  const start = Number(match?.[1] ?? 0);
  if (start < 1) {
    return {};
  }
  return { lineStart: start, lineEnd: Math.max(start, Number(match?.[2] ?? start)) };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // a stray percent sign: no link that any writer of ours makes
  }
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
