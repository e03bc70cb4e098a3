/** How a question was answered, and the ways to have it answered otherwise. */
import type { TurnMeta } from "../panel/thread";
import { element } from "./elements";

/**
 * Returns the line under a finished question: its mode, the reason, and a button for each other
 * mode that can be taken; where that is none for want of a model, a way to one.
 *
 * @param modes Ways to answer that can be taken now; empty while that is not known.
 */
export function modeLine(
  { mode, modeReason, state, asked }: TurnMeta,
  modes: readonly string[],
  onChoice: (mode: string) => void,
  onConnect: () => void,
): HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (mode !== undefined) {
    parts.push(element("span", "mode-why", modeReason ?? `Mode: ${mode}.`));
  }
  if (state === "running" || asked?.organisation === true) {
    return parts; // an organisation is asked in one way only
  }
  const choices = element("span", "mode-choices");
  const others = modes.filter((item) => item !== mode);
  if (others.length > 0) {
    choices.append(element("span", "", "Answer again with"));
    const made = others.map((other) =>
      link(other, `Answer Again in Mode ${other}`, () => onChoice(other)),
    );
    choices.append(...made);
  }
  if (modes.length === 1) {
    choices.append(link("Connect a model", "Choose the Model That Answers", onConnect));
  }
  return choices.childElementCount > 0 ? [...parts, choices] : parts;
}

function link(label: string, title: string, onClick: () => void): HTMLButtonElement {
  const made = element("button", "link", label);
  made.type = "button";
  made.title = title;
  made.addEventListener("click", onClick);
  return made;
}
