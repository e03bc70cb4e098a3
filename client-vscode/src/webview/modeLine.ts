/** How a question was answered, and the ways to have it answered otherwise. */
import type { TurnMeta } from "../panel/thread";
import { element } from "./elements";

/** Returns the line under a finished question: its mode, the reason, and a button for each other mode. */
export function modeLine(
  { mode, modeReason, state }: TurnMeta,
  modes: readonly string[],
  onChoice: (mode: string) => void,
): HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (mode !== undefined) {
    parts.push(element("span", "mode-why", modeReason ?? `Mode: ${mode}.`));
  }
  const others = modes.filter((item) => item !== mode);
  if (state !== "running" && others.length > 0) {
    const choices = element("span", "mode-choices");
    choices.append(element("span", "", "Answer again with"));
    for (const other of others) {
      const made = element("button", "link", other);
      made.type = "button";
      made.title = `Answer Again in Mode ${other}`;
      made.addEventListener("click", () => onChoice(other));
      choices.append(made);
    }
    parts.push(choices);
  }
  return parts;
}
