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

/** A sentence of the answer on an arrow: who does what with whom, and on which line. */
export interface Call {
  source: string;
  words: string;
  target: string;
  path: string;
  /** 1-based. */
  line: number;
  /** Where its link leads to, as the document has it. */
  href: string;
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
      (path === "" || plain(item.path) === plain(path)),
  );
  const files = new Set(found.map((item) => item.path));
  // A line inside of it may be cited by its name too.
  return files.size === 1 ? found.toSorted((a, b) => nLines(b) - nLines(a))[0] : undefined;
}

/** Returns the sentence that an arrow stands for; undefined if the answer has none. */
export function callOf(
  { from, to, words }: Arrow,
  { boxes }: Chart,
  calls: readonly Call[],
): Call | undefined {
  const [source, target] = [from, to].map((id) => boxes.find((box) => box.id === id));
  if (source === undefined || target === undefined || words === "") {
    return undefined;
  }
  return calls.find(
    (call) =>
      plain(call.source) === plain(source.name) &&
      plain(call.path) === plain(source.path) &&
      plain(call.target) === plain(target.name) &&
      call.words === words,
  );
}

/** Returns the source with the number of its line on each arrow that stands for one. */
export function withLines(source: string, calls: readonly Call[]): string {
  const chart = chartOf(source);
  return source
    .split("\n")
    .map((line) => {
      const [, indent = "", from = "", kind = "", words = "", to = ""] = ARROW.exec(line) ?? [];
      const call = callOf({ from, to, words }, chart, calls);
      return call === undefined ? line : `${indent}${from} ${kind}|"${words} :${call.line}"| ${to}`;
    })
    .join("\n");
}

function nLines({ lineStart, lineEnd }: WireReference): number {
  return lineEnd - lineStart + 1;
}

/** The server leaves out signs with a meaning in charts. */
function plain(text: string): string {
  return text.replace(/[^\w./$-]/g, "_");
}
