/** Shows a list of blocks in an element, touching only those that changed. */
import type { Block } from "./markdown";

interface Shown {
  html: string;
  element: HTMLElement;
}

/** One answer on the page; keeps what it showed last to compare with. */
export class BlockList {
  private shown: Shown[] = [];
  /** What is folded away; it is the end of the answer. */
  private fold: HTMLDetailsElement | undefined;

  constructor(
    private readonly parent: HTMLElement,
    private readonly nodesOf: (block: Block) => DocumentFragment,
    private readonly onAdded: (element: HTMLElement, block: Block) => void,
  ) {}

  /** Shows the blocks; those that are equal at the start and at the end keep their elements. */
  update(blocks: readonly Block[]): void {
    const keys = blocks.map(keyOf);
    const head = commonStart(this.shown, keys);
    const tail = commonEnd(this.shown.slice(head), keys.slice(head));
    const kept = this.shown.slice(this.shown.length - tail);
    const removed = this.shown.slice(head, this.shown.length - tail);
    const before = kept[0]?.element ?? null;
    const added = blocks.slice(head, blocks.length - tail).map((block) => this.add(block, before));
    removed.forEach(({ element }) => element.remove());
    this.shown = [...this.shown.slice(0, head), ...added, ...kept];
    if (!blocks.some((block) => block.fold !== undefined)) {
      this.fold?.remove();
      this.fold = undefined;
    }
  }

  private folded(words: string): HTMLElement {
    if (this.fold === undefined) {
      const document = this.parent.ownerDocument;
      this.fold = document.createElement("details");
      this.fold.className = "fold";
      this.fold.append(document.createElement("summary"));
      this.parent.append(this.fold);
    }
    const summary = this.fold.querySelector("summary");
    if (summary !== null) {
      summary.textContent = words;
    }
    return this.fold;
  }

  private add(block: Block, before: HTMLElement | null): Shown {
    const element = this.parent.ownerDocument.createElement("div");
    element.className = "block";
    element.append(this.nodesOf(block));
    const home = block.fold === undefined ? this.parent : this.folded(block.fold);
    const next = before?.parentElement === home ? before : null;
    home.insertBefore(element, next ?? (home === this.parent ? (this.fold ?? null) : null));
    this.onAdded(element, block);
    return { html: keyOf(block), element };
  }
}

/** A diagram that became complete is another block than the text it was while it arrived. */
function keyOf(block: Block): string {
  const key = block.diagram === undefined ? block.html : `diagram:${block.html}`;
  return block.fold === undefined ? key : `fold:${key}`;
}

function commonStart(shown: readonly Shown[], keys: readonly string[]): number {
  let count = 0;
  while (count < shown.length && count < keys.length && shown[count]?.html === keys[count]) {
    count++;
  }
  return count;
}

function commonEnd(shown: readonly Shown[], keys: readonly string[]): number {
  let count = 0;
  while (
    count < shown.length &&
    count < keys.length &&
    shown.at(-1 - count)?.html === keys.at(-1 - count)
  ) {
    count++;
  }
  return count;
}
