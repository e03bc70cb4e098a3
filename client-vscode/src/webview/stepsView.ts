/** The steps of a run, folded to one line each; they fold away when the answer is there. */
import type { Step } from "../panel/steps";
import type { TurnMeta } from "../panel/thread";
import { element } from "./elements";
import type { Icon } from "./icons";
import { icon } from "./icons";

const ICONS: Record<Step["state"], Icon | undefined> = {
  running: undefined,
  ok: "check",
  failed: "error",
  stopped: "stop",
};

const WORDS: Record<Step["state"], string> = {
  running: "under way",
  ok: "",
  failed: "could not answer",
  stopped: "stopped",
};

/** Keeps the list of one turn up to date; what the reader unfolded stays so. */
export class StepsView {
  readonly root = element("details", "steps");
  private readonly summary = element("summary");
  private readonly list = element("ol");
  private readonly shown: string[] = [];
  private wasRunning = false;

  constructor() {
    this.root.append(this.summary, this.list);
    this.root.hidden = true;
  }

  /** Shows the steps so far. */
  update({ steps, state }: TurnMeta): void {
    this.root.hidden = steps.length === 0;
    const isRunning = state === "running";
    if (isRunning !== this.wasRunning) {
      this.root.open = isRunning;
      this.wasRunning = isRunning;
    }
    this.summary.textContent = `${steps.length} ${steps.length === 1 ? "step" : "steps"}`;
    steps.forEach((step, at) => this.show(step, at));
  }

  private show(step: Step, at: number): void {
    const key = JSON.stringify(step);
    if (this.shown[at] === key) {
      return;
    }
    this.shown[at] = key;
    const made = step.kind === "tool" ? toolStep(step) : decisionStep(step);
    const old = this.list.children[at];
    if (old === undefined) {
      this.list.append(made);
      this.list.scrollTop = this.list.scrollHeight;
      return;
    }
    const isOpen = old.querySelector("details")?.open ?? false;
    old.replaceWith(made);
    const details = made.querySelector("details");
    if (details !== null) {
      details.open = isOpen;
    }
  }
}

function decisionStep({ title, detail }: Step): HTMLElement {
  const item = element("li", "step decision");
  const arrow = icon("arrowRight");
  item.append(arrow, element("span", "step-title", title), element("span", "step-detail", detail));
  item.title = detail;
  return item;
}

function toolStep(step: Step): HTMLElement {
  const item = element("li", "step tool");
  item.dataset.state = step.state;
  const details = element("details");
  const line = element("summary");
  line.append(
    stateSign(step),
    element("span", "step-title", step.title),
    element("span", "step-detail", step.detail),
    element("span", "step-size", measures(step)),
  );
  const lines = Object.entries(step.arguments ?? {}).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  details.append(line, element("pre", "", lines.join("\n") || "no arguments"));
  if (step.summary) {
    details.append(element("div", "step-summary", step.summary));
  }
  item.append(details);
  return item;
}

function stateSign({ state }: Step): HTMLElement {
  const sign = element("span", "step-sign");
  const name = ICONS[state];
  if (name === undefined) {
    sign.append(element("span", "spinner"));
  } else {
    sign.append(icon(name));
  }
  if (WORDS[state] !== "") {
    sign.append(element("span", "hidden-label", WORDS[state]));
  }
  return sign;
}

function measures({ state, size, elapsedS }: Step): string {
  if (state === "stopped") {
    return "stopped";
  }
  if (size === undefined || elapsedS === undefined) {
    return "";
  }
  const time = elapsedS < 0.1 ? "under 0.1 s" : `${elapsedS.toFixed(1)} s`;
  return `${size.toLocaleString()} characters · ${time}`;
}
