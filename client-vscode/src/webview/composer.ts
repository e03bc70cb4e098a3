/** The box for a question: what is attached above it, names behind `#` and `@` completed. */
import type { Attachment } from "../attach/attachment";
import { attach, detach } from "../attach/attachment";
import { triggerIn } from "../attach/trigger";
import type { FromAskBox } from "../panel/messages";
import { chip } from "./chips";
import { button } from "./elements";
import { icon } from "./icons";
import { Suggestions } from "./suggestions";

const SUGGEST_AFTER_MS = 120;

/** Grows with its text, sends on Enter; Shift+Enter makes a new line. */
export class Composer {
  private readonly form = find("composer", HTMLFormElement);
  private readonly box = find("question", HTMLTextAreaElement);
  private readonly usual = { placeholder: this.box.placeholder, label: this.box.ariaLabel };
  private readonly sendButton = find("send", HTMLButtonElement);
  private readonly chips = find("attached", HTMLElement);
  private readonly suggestions: Suggestions;
  private attached: readonly Attachment[] = [];
  private timer: number | undefined;

  constructor(
    private readonly send: (message: FromAskBox) => void,
    private readonly onQuestion: (question: string, attached: readonly Attachment[]) => void,
  ) {
    this.sendButton.append(icon("arrowUp"));
    this.suggestions = new Suggestions(find("suggestions", HTMLElement), this.box, (item) =>
      this.choose(item),
    );
    const add = button("add", "Attach a File, Folder, Symbol or Changes (#)", "", () =>
      this.begin(),
    );
    this.sendButton.before(add);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    this.box.addEventListener("input", () => this.onInput());
    this.box.addEventListener("blur", () => this.suggestions.hide());
    this.box.addEventListener("keydown", (event) => this.onKey(event));
    for (const type of ["dragover", "drop"] as const) {
      this.form.addEventListener(type, (event) => this.onDrag(event));
    }
    this.fit();
  }

  /** Shows the box once there is an answer to follow up on; it waits while one is written. */
  show(isPossible: boolean, isBusy: boolean, asksOrganisation = false): void {
    const words = asksOrganisation ? "Ask the organisation again" : undefined;
    this.box.placeholder = words ?? this.usual.placeholder;
    this.box.ariaLabel = words ?? this.usual.label;
    this.form.hidden = !isPossible;
    this.form.dataset.busy = String(isBusy);
    this.fit();
  }

  /** Adds what the extension made of something that was dropped or chosen elsewhere. */
  attach(items: readonly Attachment[]): void {
    this.attached = items.reduce(attach, [...this.attached]);
    this.showChips();
  }

  /** Shows what can be named so, if that is still what is typed. */
  suggest(name: string, items: readonly Attachment[]): void {
    if (triggerIn(this.typed)?.name === name) {
      this.suggestions.show(items);
    }
  }

  /** Moves the keyboard into the box. */
  focus(): void {
    this.box.focus();
  }

  private get typed(): string {
    return this.box.value.slice(0, this.box.selectionStart);
  }

  private begin(): void {
    const before = this.box.value;
    this.box.value = `${before}${before === "" || /\s$/.test(before) ? "" : " "}#`;
    this.box.focus();
    this.onInput();
  }

  private onInput(): void {
    this.fit();
    clearTimeout(this.timer);
    const trigger = triggerIn(this.typed);
    if (trigger === undefined) {
      this.suggestions.hide();
    } else {
      const ask = (): void => this.send({ type: "suggest", name: trigger.name });
      this.timer = window.setTimeout(ask, SUGGEST_AFTER_MS);
    }
  }

  private onKey(event: KeyboardEvent): void {
    const { box } = this;
    if (event.isComposing || this.suggestions.onKey(event)) {
      return;
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.submit();
    } else if (event.key === "Backspace" && box.value === "") {
      this.attached = this.attached.slice(0, -1);
      this.showChips();
    }
  }

  private choose(item: Attachment): void {
    const { box, typed } = this;
    const start = triggerIn(typed)?.start ?? typed.length;
    box.value = box.value.slice(0, start) + box.value.slice(typed.length).trimStart();
    box.selectionStart = box.selectionEnd = start;
    this.attach([item]);
    this.fit();
    box.focus();
  }

  private showChips(): void {
    this.chips.hidden = this.attached.length === 0;
    const made = this.attached.map((item) =>
      chip(item, () => {
        this.attached = detach(this.attached, item);
        this.showChips();
        this.box.focus();
      }),
    );
    this.chips.replaceChildren(...made);
    this.chips.scrollTop = this.chips.scrollHeight; // the newest, where there is little room
  }

  /** The editor hands over a drag from its Explorer while Shift is held. */
  private onDrag(event: DragEvent): void {
    event.preventDefault();
    if (event.type === "drop") {
      const types = ["application/vnd.code.uri-list", "text/uri-list"];
      const lists = types.map((type) => event.dataTransfer?.getData(type) ?? "");
      const uris = (lists.find((list) => list !== "") ?? "").split(/\r?\n/);
      this.send({ type: "dropped", uris: uris.filter((uri) => /^file:/.test(uri)) });
    }
  }

  private submit(): void {
    const question = this.box.value.trim();
    if (question !== "" && this.form.dataset.busy !== "true") {
      const { attached } = this;
      this.box.value = "";
      this.attached = [];
      this.showChips();
      this.fit();
      this.onQuestion(question, attached);
    }
  }

  private fit(): void {
    const { box } = this;
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight + 2, 160)}px`;
    this.sendButton.disabled = box.value.trim() === "" || this.form.dataset.busy === "true";
  }
}

function find<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) {
    throw new Error(`The page has no #${id}.`);
  }
  return found;
}
