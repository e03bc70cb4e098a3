/** `#` and `@` in a question: what is being named, so that it can be attached. */

const TRIGGER = /(^|\s)[#@]([^\s#@]*)$/;

/** A name that is being typed. */
export interface Trigger {
  /** What stands behind the sign. */
  name: string;
  /** Where the sign stands, counted in UTF-16 units from 0. */
  start: number;
}

/** Returns what is being named at the end of a text; undefined if nothing is. */
export function triggerIn(text: string): Trigger | undefined {
  const match = TRIGGER.exec(text);
  return match === null
    ? undefined
    : { name: match[2] ?? "", start: match.index + (match[1] ?? "").length };
}
