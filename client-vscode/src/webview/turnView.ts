/** One question and its answer on the page. */
import type { FromWebview } from "../panel/messages";
import type { Turn, TurnMeta } from "../panel/thread";
import { REMEDIES } from "../remedies";
import type { Diagrams } from "./diagrams";
import { button, confirmOn, element, reachable } from "./elements";
import { icon } from "./icons";
import type { Block } from "./markdown";
import { markLinks, staleWords, textButton } from "./stale";
import { blocksOf } from "./markdown";
import { BlockList } from "./patch";
import { modeLine } from "./modeLine";
import type { Sanitiser } from "./sanitise";
import { statsLine, stopNote, totals } from "./stats";
import { StepsView } from "./stepsView";

/** What a view needs of the page. */
export interface Page {
  sanitiser: Sanitiser;
  diagrams: Diagrams;
  /** Ways to answer that can be taken now. */
  modes: readonly string[];
  send: (message: FromWebview) => void;
}

const SHORTEST_PAUSE_MS = 50; // between two renderings: faster than one can read

/** Keeps one turn's elements up to date. */
export class TurnView {
  readonly root = element("article", "turn");
  private readonly progress = element("div", "progress");
  private readonly actions = element("div", "actions");
  private readonly notes = element("div", "notes");
  private readonly mode = element("div", "mode");
  private readonly steps = new StepsView();
  private readonly places = element("details", "places");
  private readonly answer = element("div", "answer");
  private readonly blocks: BlockList;
  private readonly clock: number;
  private markdown: string;
  private meta: TurnMeta;
  private timer: number | undefined;
  private renderMs = 0;
  private renderedAt = 0;

  constructor(
    private readonly page: Page,
    turn: Turn,
  ) {
    this.meta = turn;
    this.markdown = turn.markdown;
    this.blocks = new BlockList(
      this.answer,
      (block) => page.sanitiser.fragment(block.html),
      (added, block) => this.onBlock(added, block),
    );
    this.root.dataset.turn = turn.id;
    const way = element("div", "way");
    way.append(this.steps.root, this.places);
    this.root.append(this.header(), this.notes, way, this.answer);
    this.answer.tabIndex = -1;
    this.clock = window.setInterval(() => this.tick(), 1_000);
    this.setMeta(turn);
    this.render();
  }

  /** The turn as it is shown, for keeping it over a reload. */
  get turn(): Turn {
    return { ...this.meta, markdown: this.markdown };
  }

  /** Adds text; the page follows within a moment. */
  addText(text: string): void {
    this.markdown += text;
    const next = this.renderedAt + Math.max(SHORTEST_PAUSE_MS, 3 * this.renderMs);
    this.timer ??= window.setTimeout(() => this.render(), Math.max(0, next - performance.now()));
  }

  /** Shows everything but the text. */
  setMeta(meta: TurnMeta): void {
    this.meta = meta;
    this.root.dataset.state = meta.state;
    this.answer.setAttribute("aria-busy", String(meta.state === "running"));
    this.showProgress();
    this.showActions();
    this.showNotes();
    this.showMode();
    this.steps.update(meta);
    this.showPlaces();
    markLinks(this.answer, meta);
  }

  /** Shows which ways to answer there are now. */
  setModes(): void {
    this.showMode();
  }

  /** Shows the finished answer. */
  finish(meta: TurnMeta, markdown: string): void {
    this.markdown = markdown;
    this.setMeta(meta);
    this.render();
    this.page.diagrams.refresh(this.answer);
  }

  /** Moves the keyboard to the answer. */
  focus(): void {
    this.answer.focus();
  }

  /** Ends timers; the element is removed by the owner. */
  dispose(): void {
    clearInterval(this.clock);
    clearTimeout(this.timer);
  }

  private render(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const before = performance.now();
    this.blocks.update(blocksOf(this.markdown, this.meta.question, this.meta.state !== "running"));
    markLinks(this.answer, this.meta);
    this.renderedAt = performance.now();
    this.renderMs = this.renderedAt - before;
  }

  private header(): HTMLElement {
    const header = element("header", "question");
    const title = element("h2");
    title.append(...withCode(this.meta.question));
    title.id = `question-${this.meta.id}`;
    this.root.setAttribute("aria-labelledby", title.id);
    header.append(title);
    if (this.meta.about !== "") {
      header.append(element("div", "about", `about ${this.meta.about}`));
    }
    const bar = element("div", "bar");
    bar.append(this.progress, this.actions);
    header.append(bar, this.mode);
    return header;
  }

  private showProgress(): void {
    const { state, phase, done, total } = this.meta;
    if (state !== "running") {
      this.progress.replaceChildren(element("span", "stats", statsLine(this.meta)));
      return;
    }
    const count = total > 0 ? ` ${done.toLocaleString()} of ${total.toLocaleString()} files` : "";
    const spinner = element("span", "spinner");
    spinner.setAttribute("aria-hidden", "true");
    this.progress.replaceChildren(
      spinner,
      element("span", "phase", `${phase}${count}…`),
      element("span", "elapsed", this.elapsed()),
      element("span", "totals", totals(this.meta.usage)),
    );
  }

  private tick(): void {
    const shown = this.progress.querySelector(".elapsed");
    if (shown !== null) {
      shown.textContent = this.elapsed();
    }
  }

  private elapsed(): string {
    const seconds = Math.floor((Date.now() - this.meta.startedAt) / 1_000);
    return seconds < 1 ? "" : `${seconds} s`;
  }

  private showActions(): void {
    const { id, state, documentUri } = this.meta;
    const key = `${state} ${documentUri ?? ""}`;
    if (this.actions.dataset.key === key) {
      return; // replacing a button would take the focus from it
    }
    this.actions.dataset.key = key;
    const { send } = this.page;
    if (state === "running") {
      const stop = button("stop", "Stop Answering", "Stop", () => send({ type: "stop", turn: id }));
      this.actions.replaceChildren(stop);
      return;
    }
    const copy = button("copy", "Copy as Markdown", "", () => {
      send({ type: "copy", turn: id });
      confirmOn(copy);
    });
    const open = button("document", "Open as Document", "", () =>
      send({ type: "document", turn: id }),
    );
    open.hidden = documentUri === undefined;
    const again = button("refresh", "Ask Again", "", () => send({ type: "again", turn: id }));
    this.actions.replaceChildren(again, copy, open);
  }

  private showMode(): void {
    const { id, mode, modeReason, state } = this.meta;
    const { modes, send } = this.page;
    const key = [mode, modeReason, state, ...modes].join(" ");
    if (this.mode.dataset.key !== key) {
      this.mode.dataset.key = key;
      const again = (wanted: string): void => send({ type: "again", turn: id, mode: wanted });
      const connect = (): void => send({ type: "chooseModel" });
      this.mode.replaceChildren(...modeLine(this.meta, modes, again, connect));
    }
  }

  private showNotes(): void {
    const { notices, message } = this.meta;
    const problem = message ?? stopNote(this.meta);
    const made = notices.map((text) => note("info", "", text));
    if (problem !== undefined) {
      const shown = note("warning", "problem", problem);
      shown.append(...this.remedyButtons());
      made.unshift(shown);
    }
    const stale = staleWords(this.meta, this.page.send);
    if (stale !== undefined) {
      const shown = note("warning", "problem stale", stale.text);
      shown.append(...stale.buttons);
      made.unshift(shown);
    }
    this.notes.replaceChildren(...made);
  }

  private remedyButtons(): HTMLElement[] {
    const { id, remedies = [] } = this.meta;
    const { send } = this.page;
    return remedies.map((remedy, at) =>
      textButton(REMEDIES[remedy], () => send({ type: "remedy", turn: id, remedy }), at === 0),
    );
  }

  private showPlaces(): void {
    const { considered, id } = this.meta;
    this.places.hidden = considered.length === 0;
    if (this.places.childElementCount > 0 || considered.length === 0) {
      return;
    }
    const list = element("ol");
    considered.forEach((place, index) => {
      const item = element("li");
      const link = element("a", "place", `${place.path}:${place.lineStart}`);
      link.href = "#";
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.page.send({ type: "openPlace", turn: id, index });
      });
      item.append(
        link,
        element("span", "label", place.label),
        element("span", "reason", place.reason),
      );
      list.append(item);
    });
    const word = considered.length === 1 ? "place" : "places";
    this.places.append(element("summary", "", `${considered.length} ${word} considered`), list);
  }

  private onBlock(added: HTMLElement, block: Block): void {
    if (block.diagram !== undefined) {
      const references = (): TurnMeta["references"] => this.meta.references;
      this.page.diagrams.draw({ place: added, source: block.diagram, references });
    }
    for (const code of added.querySelectorAll<HTMLElement>(".code")) {
      reachable(code.querySelector("pre"));
      const copy = button("copy", "Copy Code", "", () => {
        this.page.send({ type: "copyText", text: code.querySelector("code")?.textContent ?? "" });
        confirmOn(copy);
      });
      code.append(copy);
    }
  }
}

/** A question's words between backticks are shown as code. */
function withCode(question: string): (HTMLElement | string)[] {
  return question
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? element("code", "", part) : part));
}

function note(name: "info" | "warning", kind: string, text: string): HTMLElement {
  const made = element("div", `note ${kind}`);
  made.append(icon(name), element("span", "", text));
  return made;
}
