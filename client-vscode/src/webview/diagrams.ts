/** Draws mermaid diagrams; the library is loaded when the first one is met. */
import { element } from "./elements";
import type { Look } from "./look";
import { currentLook } from "./look";
import type { Sanitiser } from "./sanitise";

/** What the separate script `mermaid.js` puts on the page. */
export interface MermaidScript {
  draw: (id: string, source: string, look: Look) => Promise<string>;
}

declare global {
  interface Window {
    scopeMermaid?: MermaidScript;
  }
}

const SMALLEST_SCALE = 0.6; // letters of 13 pixels stay above 7

interface Diagram {
  place: HTMLElement;
  source: string;
}

/** All diagrams of the page; drawn again when the theme changes. */
export class Diagrams {
  private script: Promise<MermaidScript> | undefined;
  private readonly shown = new Set<Diagram>();
  private readonly drawn = new Map<string, string>();
  private count = 0;

  constructor(
    private readonly sanitiser: Sanitiser,
    private readonly url: string,
    private readonly nonce: string,
  ) {
    new MutationObserver(() => this.redraw()).observe(document.body, {
      attributeFilter: ["class"],
    });
  }

  /** Replaces a place's content by the diagram; its source stays if it cannot be drawn. */
  draw(place: HTMLElement, source: string): void {
    const diagram = { place, source };
    this.shown.add(diagram);
    place.dataset.drawing = "true";
    void this.show(diagram);
  }

  private redraw(): void {
    for (const diagram of this.shown) {
      if (diagram.place.isConnected) {
        void this.show(diagram);
      } else {
        this.shown.delete(diagram);
      }
    }
  }

  private async show({ place, source }: Diagram): Promise<void> {
    const look = currentLook();
    const key = `${JSON.stringify(look)}\n${source}`;
    try {
      const svg = this.drawn.get(key) ?? (await this.svgOf(source, look));
      this.drawn.set(key, svg);
      const nodes = this.sanitiser.diagram(svg);
      this.allowStyles(nodes);
      keepReadable(nodes);
      const holder = element("div", "diagram");
      holder.setAttribute("role", "img");
      holder.setAttribute("aria-label", `Diagram. Its source: ${source}`);
      holder.append(nodes);
      delete place.dataset.drawing;
      place.replaceChildren(holder);
    } catch (error) {
      delete place.dataset.drawing;
      place.dataset.problem = error instanceof Error ? error.message : String(error);
    }
  }

  private async svgOf(source: string, look: Look): Promise<string> {
    this.script ??= this.load();
    const script = await this.script;
    return script.draw(`diagram-${this.count++}`, source, look);
  }

  private load(): Promise<MermaidScript> {
    this.allowStyleElements();
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.nonce = this.nonce;
      script.src = this.url;
      script.onload = () => {
        if (window.scopeMermaid === undefined) {
          reject(new Error("the diagram library did not load"));
        } else {
          resolve(window.scopeMermaid);
        }
      };
      script.onerror = () => reject(new Error("the diagram library did not load"));
      document.head.append(script);
    });
  }

  /** Mermaid measures text under style elements of its own, which need the nonce to have effect. */
  private allowStyleElements(): void {
    for (const method of ["createElement", "createElementNS"]) {
      const create = Reflect.get<Document, string>(document, method) as (
        ...args: string[]
      ) => Element;
      const value = (...args: string[]): Element => {
        const made = create.apply(document, args);
        if (made instanceof HTMLStyleElement || made instanceof SVGStyleElement) {
          made.nonce = this.nonce;
        }
        return made;
      };
      Object.defineProperty(document, method, { value });
    }
  }

  private allowStyles(nodes: DocumentFragment): void {
    for (const old of nodes.querySelectorAll("style")) {
      const style = element("style", "", old.textContent);
      style.nonce = this.nonce;
      old.replaceWith(style);
    }
  }
}

/** A wide diagram is made smaller only as far as it can still be read; beyond that it scrolls. */
function keepReadable(nodes: DocumentFragment): void {
  const svg = nodes.querySelector("svg");
  const width = Number(svg?.getAttribute("viewBox")?.split(/[ ,]+/)[2]);
  if (svg !== null && width > 0) {
    svg.style.minWidth = `${Math.round(width * SMALLEST_SCALE)}px`;
  }
}
