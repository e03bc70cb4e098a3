/** Draws mermaid diagrams; the library is loaded when the first one is met. */
import type { WireReference } from "../protocol";
import { callsOf, linkDiagram } from "./diagramLinks";
import { chartOf, withLines } from "./diagramSource";
import { DiagramView } from "./diagramView";
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

/** Where a chart stands, and what it is of. */
export interface DiagramPlace {
  place: HTMLElement;
  /** The chart as the document has it. */
  source: string;
  /** What the answer cites now: more while it is being written. */
  references: () => readonly WireReference[];
}

interface Diagram extends DiagramPlace {
  view: DiagramView;
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
    private readonly copy: (text: string) => void,
  ) {
    new MutationObserver(() => this.redraw()).observe(document.body, {
      attributeFilter: ["class"],
    });
  }

  /** Replaces a place's content by the diagram; its source stays if it cannot be drawn. */
  draw({ place, source, references }: DiagramPlace): void {
    const view = new DiagramView({ source, copy: this.copy });
    const diagram = { place, source, references, view };
    this.shown.add(diagram);
    place.dataset.drawing = "true";
    void this.show(diagram);
  }

  /** Draws those of an answer again, once its references are known. */
  refresh(answer: Element): void {
    for (const diagram of this.shown) {
      if (answer.contains(diagram.place)) {
        void this.show(diagram);
      }
    }
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

  private async show({ place, source, references, view }: Diagram): Promise<void> {
    const look = currentLook();
    const answer = place.closest(".answer");
    const shown = withLines(source, callsOf(answer));
    const key = `${JSON.stringify(look)}\n${shown}`;
    try {
      const svg = this.drawn.get(key) ?? (await this.svgOf(shown, look));
      this.drawn.set(key, svg);
      const nodes = this.sanitiser.diagram(svg);
      this.allowStyles(nodes);
      const drawn = nodes.querySelector("svg");
      if (drawn !== null) {
        linkDiagram(drawn, chartOf(source), references(), answer);
      }
      view.show(nodes);
      delete place.dataset.drawing;
      if (view.root.parentElement !== place) {
        place.replaceChildren(view.root);
      }
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
