/** One thing that is attached to a question, with the button that removes it. */
import type { Attachment } from "../attach/attachment";
import { KINDS } from "../attach/attachment";
import { button, element } from "./elements";
import { icon } from "./icons";
import type { Icon } from "./icons";

const ICONS: Record<Attachment["kind"], Icon> = {
  selection: "selection",
  symbol: "symbol",
  problem: "warning",
  file: "file",
  folder: "folder",
  changes: "changes",
};

/** Returns the chip, as an item of a list. */
export function chip(item: Attachment, onRemove: () => void): HTMLElement {
  const made = element("li", "chip");
  made.dataset.kind = item.kind;
  const kind = element("span", "hidden-label", `${KINDS[item.kind]} `);
  const label = element("span", "chip-label", item.label);
  label.title = item.label;
  made.append(icon(ICONS[item.kind]), kind, label);
  made.append(button("close", `Remove ${item.label} From the Question`, "", onRemove));
  return made;
}

/** Returns a suggestion, as an option of a list. */
export function option(item: Attachment): HTMLElement {
  const made = element("li", "option");
  made.setAttribute("role", "option");
  const kind = element("span", "option-kind", item.detail ?? KINDS[item.kind]);
  made.append(icon(ICONS[item.kind]), element("span", "chip-label", item.label), kind);
  return made;
}
