/** A drawn chart with its tools: zoom, full screen, copies. */
import { button, confirmOn, element } from "./elements";

const SMALLEST_SCALE = 0.75; // letters of 13 pixels stay above 9
const STEP = 1.25;
const MOST = 6;

/** What the tools hand out. */
export interface DiagramCopies {
  /** The chart as the document has it. */
  source: string;
  copy: (text: string) => void;
}

/** Holds one chart; the reader's zoom stays when it is drawn again. */
export class DiagramView {
  readonly root = element("figure", "diagram");
  private readonly pane = element("div", "diagram-pane");
  private readonly dialog = element("dialog", "diagram-dialog");
  private readonly stage = element("div", "diagram-stage");
  private svg: SVGSVGElement | undefined;
  private scale: number | undefined;

  constructor(private readonly copies: DiagramCopies) {
    this.root.setAttribute("aria-label", "Diagram");
    this.pane.tabIndex = 0;
    this.pane.setAttribute("role", "group");
    this.pane.setAttribute("aria-label", "Diagram; plus and minus zoom");
    this.pane.addEventListener("keydown", (event) => this.onKey(event));
    this.pane.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    this.stage.append(this.tools(), this.pane);
    this.dialog.setAttribute("aria-label", "Diagram in full");
    this.dialog.addEventListener("close", () => this.root.prepend(this.stage));
    this.root.append(this.stage, this.dialog);
  }

  /** Shows a drawing. */
  show(nodes: DocumentFragment): void {
    this.svg = nodes.querySelector("svg") ?? undefined;
    this.pane.replaceChildren(nodes);
    this.fit();
    // Folded away, it has no size yet.
    new ResizeObserver((_, observer) => {
      if (this.pane.clientWidth > 0) {
        observer.disconnect();
        this.showStart();
      }
    }).observe(this.pane);
  }

  /** Scrolls a chart that is larger than its pane to the box that it begins with. */
  private showStart(): void {
    const { pane, svg } = this;
    const start = svg?.querySelector('g.node[id*="flowchart-n1-"]') ?? svg?.querySelector("g.node");
    if (start) {
      const [inner, outer] = [start.getBoundingClientRect(), pane.getBoundingClientRect()];
      pane.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
      pane.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
    }
  }

  private get width(): number {
    return Number(this.svg?.getAttribute("viewBox")?.split(/[ ,]+/)[2]) || 0;
  }

  /** A wide diagram is made smaller only as far as it can still be read; beyond that it scrolls. */
  private fit(): void {
    const { svg, width, scale } = this;
    if (svg !== undefined && width > 0) {
      const exact = scale === undefined ? "" : `${Math.round(width * scale)}px`;
      svg.style.width = exact;
      svg.style.maxWidth = exact === "" ? `${width}px` : "none";
      svg.style.minWidth = exact === "" ? `${Math.round(width * SMALLEST_SCALE)}px` : "";
    }
  }

  private zoom(by: number): void {
    const now = (this.svg?.getBoundingClientRect().width ?? 0) / (this.width || 1);
    this.scale = Math.min(MOST, Math.max(0.2, (this.scale ?? (now || 1)) * by));
    this.fit();
  }

  private onKey(event: KeyboardEvent): void {
    const by = { "+": STEP, "=": STEP, "-": 1 / STEP }[event.key];
    if (by !== undefined && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.zoom(by);
    } else if (event.key === "0" && !event.ctrlKey && !event.metaKey) {
      this.reset();
    }
  }

  private onWheel(event: WheelEvent): void {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? STEP : 1 / STEP);
    }
  }

  private reset(): void {
    this.scale = undefined;
    this.fit();
  }

  private enlarge(): void {
    if (this.dialog.open) {
      this.dialog.close();
    } else {
      this.dialog.append(this.stage);
      this.dialog.showModal();
      this.pane.focus();
    }
  }

  private tools(): HTMLElement {
    const bar = element("div", "diagram-tools");
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", "Diagram");
    const svg = button("picture", "Copy as SVG", "", () => {
      this.copies.copy(this.asFile());
      confirmOn(svg);
    });
    const source = button("copy", "Copy as Mermaid", "", () => {
      this.copies.copy(this.copies.source);
      confirmOn(source);
    });
    bar.append(
      button("zoomIn", "Zoom In (+)", "", () => this.zoom(STEP)),
      button("zoomOut", "Zoom Out (-)", "", () => this.zoom(1 / STEP)),
      button("fit", "Fit (0)", "", () => this.reset()),
      button("fullScreen", "Full Screen", "", () => this.enlarge()),
      svg,
      source,
    );
    return bar;
  }

  /** The drawing by itself, without what leads to the code here. */
  private asFile(): string {
    if (this.svg === undefined) {
      return "";
    }
    const copy = this.svg.cloneNode(true) as SVGSVGElement;
    copy.style.width = copy.style.minWidth = "";
    for (const item of [...copy.querySelectorAll("[data-href]")]) {
      ["data-href", "role", "tabindex", "aria-label"].forEach((name) => item.removeAttribute(name));
    }
    copy.querySelectorAll("style").forEach((style) => style.removeAttribute("nonce"));
    return new XMLSerializer().serializeToString(copy);
  }
}
