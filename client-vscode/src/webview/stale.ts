/** What is not true any more of an answer, as the page shows it. */
import { linkTo, markOf } from "../documents/marks";
import type { TurnMeta } from "../panel/thread";
import type { FromWebview } from "../panel/messages";
import { element } from "./elements";

/** Returns what to say of an answer whose code has changed, and the buttons for what can be done. */
export function staleWords(
  { id, verified, state }: TurnMeta,
  send: (message: FromWebview) => void,
): { text: string; buttons: HTMLElement[] } | undefined {
  if (verified === undefined || verified.summary === "" || state === "running") {
    return undefined;
  }
  const update = textButton(
    "Update Moved",
    () => send({ type: "updateReferences", turn: id }),
    true,
  );
  const again = textButton("Ask Again", () => send({ type: "askAgain", turn: id }));
  const buttons = verified.moved > 0 ? [update, again] : [again];
  return { text: verified.summary.replace(/\.?$/, "."), buttons };
}

/** Marks the links of an answer whose code is not what was cited. */
export function markLinks(answer: HTMLElement, { verified }: TurnMeta): void {
  const links = verified?.links ?? [];
  for (const link of answer.querySelectorAll<HTMLElement>("a.reference")) {
    const mark = markOf(linkTo(links, link.dataset.href ?? ""));
    link.classList.toggle("stale", mark !== undefined);
    if (mark === undefined) {
      delete link.dataset.stale;
    } else {
      link.dataset.stale = mark.text;
    }
  }
}

/** Returns a button with words on it, for a note. */
export function textButton(label: string, act: () => void, isFirst = false): HTMLElement {
  const made = element("button", isFirst ? "remedy first" : "remedy", label);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}
