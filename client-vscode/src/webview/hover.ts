/** Shows the cited lines over a reference, for the mouse and for the keyboard. */
import type { FromWebview, Peek } from "../panel/messages";
import { element } from "./elements";
import { highlighted } from "./highlight";
import type { Sanitiser } from "./sanitise";

const SHOW_AFTER_MS = 250;
const HIDE_AFTER_MS = 200; // time to move the pointer into the box

/** The one box of the page. */
export class Hover {
  private request = 0;
  private link: HTMLElement | undefined;
  private timer: number | undefined;

  constructor(
    private readonly box: HTMLElement,
    private readonly sanitiser: Sanitiser,
    private readonly send: (message: FromWebview) => void,
  ) {
    const { body } = document;
    body.addEventListener("mouseover", (event) => this.onEnter(event.target, SHOW_AFTER_MS));
    body.addEventListener("focusin", (event) => this.onEnter(event.target, SHOW_AFTER_MS));
    body.addEventListener("focusout", () => this.hide());
    body.addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
    window.addEventListener("blur", () => this.hide());
    document.addEventListener("scroll", (event) => event.target === document && this.hide(), true);
  }

  /** Shows what the extension read, if the reader is still there. */
  show(request: number, peek: Peek): void {
    if (request !== this.request || this.link === undefined) {
      return;
    }
    const title = element("div", "peek-title", peek.title);
    title.append(element("span", "peek-detail", peek.detail));
    this.box.replaceChildren(title);
    if (peek.code !== "") {
      const code = element("pre");
      code.append(this.sanitiser.fragment(numbered(peek)));
      this.box.append(code);
    }
    this.box.hidden = false;
    this.link.setAttribute("aria-describedby", this.box.id);
    this.place(this.link);
  }

  /** Hides the box. */
  hide(): void {
    clearTimeout(this.timer);
    this.request++;
    this.link?.removeAttribute("aria-describedby");
    this.link = undefined;
    this.box.hidden = true;
  }

  private onEnter(target: EventTarget | null, waitMs: number): void {
    if (!(target instanceof Element) || this.box.contains(target)) {
      clearTimeout(this.timer);
      return;
    }
    const link = target.closest<HTMLElement>(".reference[data-href]");
    if (link === this.link) {
      clearTimeout(this.timer);
      return;
    }
    clearTimeout(this.timer);
    if (link === null) {
      this.timer = window.setTimeout(() => this.hide(), HIDE_AFTER_MS);
    } else {
      this.timer = window.setTimeout(() => this.ask(link), waitMs);
    }
  }

  private ask(link: HTMLElement): void {
    this.hide();
    const turn = link.closest<HTMLElement>("[data-turn]")?.dataset.turn;
    const { href } = link.dataset;
    if (turn !== undefined && href !== undefined) {
      this.link = link;
      this.send({ type: "peek", turn, href, request: this.request });
    }
  }

  private place(link: HTMLElement): void {
    const at = link.getBoundingClientRect();
    const { width, height } = this.box.getBoundingClientRect();
    const left = Math.max(8, Math.min(at.left, window.innerWidth - width - 8));
    const isBelow = at.bottom + height + 12 < window.innerHeight || at.top < height + 12;
    this.box.style.left = `${left}px`;
    this.box.style.top = `${isBelow ? at.bottom + 4 : at.top - height - 4}px`;
  }
}

function numbered({ code, language, firstLine }: Peek): string {
  const width = String(firstLine + code.split("\n").length).length;
  return highlighted(code, language)
    .split("\n")
    .map(
      (line, at) =>
        `<span class="line-number">${String(firstLine + at).padStart(width)}</span>${line}`,
    )
    .join("\n");
}
