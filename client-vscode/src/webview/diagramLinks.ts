/** Makes the boxes and arrows of a drawn chart lead to the code. */
import type { WireReference } from "../protocol";
import type { Call, Chart } from "./diagramSource";
import { callOf, definitionOf } from "./diagramSource";

/** Gives each box and each arrow's words the link that the answer has for its lines. */
export function linkDiagram(
  svg: Element,
  chart: Chart,
  references: readonly WireReference[],
  answer: Element | null,
): void {
  const hrefs = hrefsOf(answer);
  for (const box of chart.boxes) {
    const reference = definitionOf(box, references);
    const shape = [...svg.querySelectorAll("g.node")].find((node) => boxIdOf(node) === box.id);
    const place = reference === undefined ? "" : placeOf(reference);
    link(shape, place, hrefs.get(place), box.name);
  }
  const calls = callsOf(answer);
  const seen = new Map<string, number>();
  for (const arrow of chart.arrows) {
    const pair = `${arrow.from}_${arrow.to}`;
    const count = seen.get(pair) ?? 0;
    seen.set(pair, count + 1);
    const words = svg.querySelector(`.edgeLabel [data-id$="L_${pair}_${count}"]`);
    const [from, to] = [arrow.from, arrow.to].map(
      (id) => chart.boxes.find((box) => box.id === id)?.name ?? id,
    );
    const call = callOf(arrow, chart, calls);
    // The name begins as what is written there, for whoever speaks it to click.
    const says = `${words?.textContent.trim() ?? ""}: ${from} ${arrow.words} ${to}`;
    link(words ?? undefined, call ? `${call.path}#L${call.line}` : "", call?.href, says);
  }
}

/**
 * Returns the sentences of an answer that say where a call stands: "`a` calls `b` at [m.py:7](…)",
 * each a point of a list.
 */
export function callsOf(answer: Element | null): Call[] {
  return [...(answer?.querySelectorAll("li") ?? [])].flatMap((item) => {
    const [source, words, target, at, place] = [...item.childNodes];
    const href = place instanceof HTMLElement ? place.dataset.href : undefined;
    const [, path, line] = /^(.+)#L(\d+)$/.exec(pathOf(href ?? "")) ?? [];
    const isCall =
      [source, target].every((name) => name?.nodeName === "CODE") && at?.textContent === " at ";
    return isCall && href !== undefined && path !== undefined
      ? [
          {
            source: source?.textContent ?? "",
            words: words?.textContent?.trim() ?? "",
            target: target?.textContent ?? "",
            path,
            line: Number(line),
            href,
          },
        ]
      : [];
  });
}

function link(
  shape: Element | undefined,
  place: string,
  href: string | undefined,
  says: string,
): void {
  if (shape !== undefined && href !== undefined) {
    shape.classList.add("reference");
    shape.setAttribute("data-href", href);
    shape.setAttribute("role", "link");
    shape.setAttribute("tabindex", "0");
    shape.setAttribute("aria-label", `${says}, ${place.replace("#L", ":").replace("-L", "-")}`);
  }
}

function placeOf({ path, lineStart, lineEnd }: WireReference): string {
  return lineStart === lineEnd ? `${path}#L${lineStart}` : `${path}#L${lineStart}-L${lineEnd}`;
}

/** The links of the answer by what they lead to. */
function hrefsOf(answer: Element | null): Map<string, string> {
  const found = new Map<string, string>();
  for (const item of answer?.querySelectorAll<HTMLElement>("a.reference") ?? []) {
    const href = item.dataset.href ?? "";
    found.set(pathOf(href), href);
  }
  return found;
}

/** What a link leads to, without the way up from the document. */
function pathOf(href: string): string {
  return safelyDecoded(href).replace(/^(?:\.{1,2}\/)+|^\//, "");
}

function safelyDecoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

function boxIdOf(node: Element): string {
  return /(?:^|-)flowchart-(.+)-\d+$/.exec(node.id)?.[1] ?? "";
}
