/** What a flow chart of an answer says of the code: which definition a box is, where a call stands. */
import type { WireReference } from "../protocol";

/** A box of the chart. */
export interface Box {
  id: string;
  name: string;
  /** File of the group that it lies in; empty outside of any. */
  path: string;
}

/** An arrow of the chart. */
export interface Arrow {
  from: string;
  to: string;
  /** `calls`; empty if nothing is written on it. */
  words: string;
}

/** A chart, as far as it was understood. */
export interface Chart {
  boxes: Box[];
  arrows: Arrow[];
}

const GROUP = /^\s*subgraph\s+\S+\["([^"]*)"\]/;
const BOX = /^\s*([\w-]+)\["([^"]*)"\]/;
const ARROW = /^(\s*)([\w-]+)\s*(-->|==>|-\.->)\s*(?:\|"?([^|"]*)"?\|\s*)?([\w-]+)\s*$/;

/** Returns the boxes and arrows of a chart; lines in other forms are passed over. */
export function chartOf(source: string): Chart {
  const chart: Chart = { boxes: [], arrows: [] };
  let path = "";
  for (const line of source.split("\n")) {
    const [group, box, arrow] = [GROUP.exec(line), BOX.exec(line), ARROW.exec(line)];
    if (group !== null) {
      path = group[1] ?? "";
    } else if (/^\s*end\s*$/.test(line)) {
      path = "";
    } else if (arrow !== null) {
      chart.arrows.push({ from: arrow[2] ?? "", to: arrow[5] ?? "", words: arrow[4] ?? "" });
    } else if (box !== null) {
      chart.boxes.push({ id: box[1] ?? "", name: box[2] ?? "", path });
    }
  }
  return chart;
}

/** Returns the definition that a box stands for; undefined if the answer cites none of its name. */
export function definitionOf(
  { name, path }: Box,
  references: readonly WireReference[],
): WireReference | undefined {
  const wanted = plain(name.replace(/\(\)$/, ""));
  const found = references.filter(
    (item) =>
      item.symbol !== undefined &&
      plain(item.symbol) === wanted &&
      !isCall(item) &&
      (path === "" || plain(item.path) === plain(path)),
  );
  const files = new Set(found.map((item) => item.path));
  return files.size === 1 ? found[0] : undefined;
}

/** Returns the line that an arrow stands for; undefined if the answer cites none. */
export function callOf(
  { from, to, words }: Arrow,
  { boxes }: Chart,
  references: readonly WireReference[],
): WireReference | undefined {
  const [source, target] = [from, to].map((id) => boxes.find((box) => box.id === id));
  if (source === undefined || target === undefined || words === "") {
    return undefined;
  }
  return references.find(
    (item) =>
      item.symbol !== undefined &&
      plain(item.symbol) === plain(source.name) &&
      plain(item.path) === plain(source.path) &&
      plain(item.description) === plain(`${words} ${target.name}`),
  );
}

/** Returns the source with the number of its line on each arrow that stands for one. */
export function withLines(source: string, references: readonly WireReference[]): string {
  const chart = chartOf(source);
  return source
    .split("\n")
    .map((line) => {
      const [, indent = "", from = "", kind = "", words = "", to = ""] = ARROW.exec(line) ?? [];
      const call = callOf({ from, to, words }, chart, references);
      return call === undefined
        ? line
        : `${indent}${from} ${kind}|"${words} :${call.lineStart}"| ${to}`;
    })
    .join("\n");
}

/** A line, not a definition: its description says what happens there. */
function isCall({ description, lineStart, lineEnd }: WireReference): boolean {
  return lineStart === lineEnd && / /.test(description);
}

/** The server leaves out signs with a meaning in charts. */
function plain(text: string): string {
  return text.replace(/[^\w./$-]/g, "_");
}
