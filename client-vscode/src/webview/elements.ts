/** Short ways to make elements. */
import type { Icon } from "./icons";
import { icon } from "./icons";

/** Returns an element with a class and text. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  text = "",
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Returns a button with an icon, and words if it has room for them. */
export function button(
  name: Icon,
  label: string,
  words: string,
  onClick: () => void,
): HTMLButtonElement {
  const made = element("button", words === "" ? "icon" : "action");
  made.type = "button";
  made.title = label;
  made.append(icon(name));
  if (words === "") {
    made.setAttribute("aria-label", label);
  } else {
    made.append(element("span", "", words));
  }
  made.addEventListener("click", onClick);
  return made;
}

/** Shows for a moment that an action was done. */
export function confirmOn(made: HTMLButtonElement): void {
  const old = made.querySelector("svg");
  const tick = icon("check");
  old?.replaceWith(tick);
  setTimeout(() => {
    if (old !== null) {
      tick.replaceWith(old);
    }
  }, 1_500);
}

/** Lets the keyboard scroll an element while it holds more than it shows. */
export function reachable(made: HTMLElement | null): void {
  if (made === null) {
    return;
  }
  new ResizeObserver(() => {
    if (made.scrollWidth > made.clientWidth) {
      made.tabIndex = 0;
    } else {
      made.removeAttribute("tabindex");
    }
  }).observe(made);
}
