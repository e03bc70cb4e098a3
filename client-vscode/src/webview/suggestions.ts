/** The list of what can be attached, above the box, moved through from within the box. */
import type { Attachment } from "../attach/attachment";
import { option } from "./chips";

/** Shows itself while there is something to choose. */
export class Suggestions {
  private items: readonly Attachment[] = [];
  private active = 0;

  constructor(
    private readonly list: HTMLElement,
    private readonly box: HTMLElement,
    private readonly onChoice: (item: Attachment) => void,
  ) {
    list.addEventListener("mousedown", (event) => {
      event.preventDefault(); // the focus stays in the box
      const target = event.target instanceof Element ? event.target.closest(".option") : null;
      this.choose(target === null ? -1 : [...list.children].indexOf(target));
    });
  }

  /** Shows these; hides itself if there are none. */
  show(items: readonly Attachment[]): void {
    this.items = items;
    this.list.hidden = items.length === 0;
    this.list.replaceChildren(
      ...items.map((item, at) => {
        const made = option(item);
        made.id = `suggestion-${at}`;
        return made;
      }),
    );
    this.activate(0);
  }

  /** Hides itself. */
  hide(): void {
    this.show([]);
  }

  /** Takes a key of the box; returns whether it was meant for the list. */
  onKey(event: KeyboardEvent): boolean {
    if (this.items.length === 0) {
      return false;
    }
    const { length } = this.items;
    switch (event.key) {
      case "ArrowDown":
        this.activate((this.active + 1) % length);
        break;
      case "ArrowUp":
        this.activate((this.active + length - 1) % length);
        break;
      case "Enter":
      case "Tab":
        this.choose(this.active);
        break;
      case "Escape":
        this.hide();
        break;
      default:
        return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  private choose(at: number): void {
    const item = this.items[at];
    if (item !== undefined) {
      this.hide();
      this.onChoice(item);
    }
  }

  private activate(at: number): void {
    this.active = at;
    [...this.list.children].forEach((item, index) => {
      item.setAttribute("aria-selected", String(index === at));
      if (index === at) {
        item.scrollIntoView({ block: "nearest" });
      }
    });
    if (this.items.length > 0) {
      this.box.setAttribute("aria-activedescendant", `suggestion-${at}`);
    } else {
      this.box.removeAttribute("aria-activedescendant");
    }
  }
}
