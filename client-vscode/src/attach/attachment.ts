/** What goes along with a question. Everything attached is shown to the user, and can be removed. */
import type { Range } from "../jumps";
import type { AskParams } from "../protocol";

/** A place in the code, or a file or folder that the search is limited to. */
export interface Attachment {
  kind: "selection" | "symbol" | "problem" | "file" | "folder" | "changes";
  /** Of changes, the folder that they are in. */
  uri: string;
  /** What the user reads: `shop/cart.py:3-5`, `Cart.total`, `shop/`. */
  label: string;
  /** Of a place; files and folders have none. */
  range?: Range;
  /** Qualified name of a symbol. */
  symbol?: string;
  /** Where a symbol stands, to tell it from others of its name. */
  detail?: string;
  /** Which changes: `uncommitted`, a commit or a range. */
  changes?: string;
  /** Message of a problem. */
  problem?: string;
  /** It lies in no open folder: it is shown, and said to be left out. */
  isOutside?: boolean;
}

/** What each kind is called. */
export const KINDS: Record<Attachment["kind"], string> = {
  selection: "selection",
  symbol: "symbol",
  problem: "problem",
  file: "file",
  folder: "folder",
  changes: "changes",
};

/** What is in the working tree and staged, and in no commit. */
export const UNCOMMITTED = "uncommitted";

const OUTSIDE = "left out: it lies in no open folder";

/** Returns the lines of a range as they are counted for people; a line is in it if any of it is. */
export function linesOf({ start, end }: Range): string {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return start.line === last ? `${start.line + 1}` : `${start.line + 1}-${last + 1}`;
}

/** Returns the list with one more: none is there twice, and of places and changes only the last. */
export function attach(list: readonly Attachment[], added: Attachment): Attachment[] {
  const isReplaced = (item: Attachment): boolean =>
    keyOf(item) === keyOf(added) ||
    (isPlace(item) && isPlace(added)) ||
    (item.kind === "changes" && added.kind === "changes");
  return [...list.filter((item) => !isReplaced(item)), added];
}

/** Returns the list without one. */
export function detach(list: readonly Attachment[], removed: Attachment): Attachment[] {
  return list.filter((item) => keyOf(item) !== keyOf(removed));
}

/** Returns a question with all that is attached, for the server. */
export function paramsOf(question: string, attached: readonly Attachment[]): AskParams {
  const readable = attached.filter(({ isOutside }) => isOutside !== true);
  const place = readable.find(isPlace);
  const within = readable.filter(isResource).map(({ uri }) => uri);
  const changes = readable.find(({ kind }) => kind === "changes")?.changes;
  return {
    question,
    ...(place?.range === undefined ? {} : { location: { uri: place.uri, range: place.range } }),
    ...(place?.symbol === undefined ? {} : { symbol: place.symbol }),
    ...(place?.problem === undefined ? {} : { diagnostic: place.problem }),
    ...(within.length === 0 ? {} : { within }),
    ...(changes === undefined ? {} : { changes }),
  };
}

/** Returns what a question is about, for the reader; empty if nothing is attached. */
export function aboutOf(attached: readonly Attachment[]): string {
  return attached
    .map(({ label, isOutside }) => (isOutside === true ? `${label} (${OUTSIDE})` : label))
    .join(", ");
}

/** Returns what a page sent, as far as these are attachments. */
export function attachmentsIn(value: unknown): Attachment[] {
  return Array.isArray(value) ? value.filter(isAttachment) : [];
}

function isAttachment(value: unknown): value is Attachment {
  const item = value as Partial<Attachment> | null;
  return (
    typeof item === "object" &&
    typeof item?.uri === "string" &&
    typeof item.label === "string" &&
    typeof item.kind === "string" &&
    Object.hasOwn(KINDS, item.kind)
  );
}

function isPlace({ kind }: Attachment): boolean {
  return kind === "selection" || kind === "symbol" || kind === "problem";
}

function isResource({ kind }: Attachment): boolean {
  return kind === "file" || kind === "folder";
}

function keyOf({ kind, uri, range, problem, changes }: Attachment): string {
  return JSON.stringify([kind, uri, range ?? null, problem ?? "", changes ?? ""]);
}
