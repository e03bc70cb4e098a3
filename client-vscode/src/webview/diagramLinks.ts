/** Makes the boxes and arrows of a drawn chart lead to the code. */
import type { WireReference } from "../protocol";
import type { Chart } from "./diagramSource";
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
    link(shape, reference, hrefs, box.name);
  }
  const seen = new Map<string, number>();
  for (const arrow of chart.arrows) {
    const pair = `${arrow.from}_${arrow.to}`;
    const count = seen.get(pair) ?? 0;
    seen.set(pair, count + 1);
    const words = svg.querySelector(`.edgeLabel [data-id$="L_${pair}_${count}"]`);
    const [from, to] = [arrow.from, arrow.to].map(
      (id) => chart.boxes.find((box) => box.id === id)?.name ?? id,
    );
    const call = callOf(arrow, chart, references);
    // The name begins as what is written there, for whoever speaks it to click.
    const says = `${words?.textContent.trim() ?? ""}: ${from} ${arrow.words} ${to}`;
    link(words ?? undefined, call, hrefs, says);
  }
}

function link(
  shape: Element | undefined,
  reference: WireReference | undefined,
  hrefs: ReadonlyMap<string, string>,
  says: string,
): void {
  const place = reference === undefined ? "" : placeOf(reference);
  const href = hrefs.get(place);
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

/** The links of the answer by the end of what they lead to: paths are relative to the document. */
function hrefsOf(answer: Element | null): Map<string, string> {
  const found = new Map<string, string>();
  for (const item of answer?.querySelectorAll<HTMLElement>("a.reference") ?? []) {
    const href = item.dataset.href ?? "";
    found.set(safelyDecoded(href).replace(/^(?:\.{1,2}\/)+|^\//, ""), href);
  }
  return found;
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
