/** Which answers can be compared, and what they are called there. */
import type { Turn } from "./panel/thread";

/** Returns the other answers with a text, those to the same question first, then the newest. */
export function pairable(first: Turn | undefined, turns: readonly Turn[]): Turn[] {
  const isSame = (turn: Turn): number => Number(turn.question === first?.question);
  return turns
    .filter((turn) => turn.id !== first?.id && turn.markdown !== "")
    .sort((one, other) => isSame(other) - isSame(one) || other.startedAt - one.startedAt);
}

/** Returns the question, the mode and the time of an answer, short enough for a tab. */
export function documentTitle({ question, mode, startedAt }: Turn): string {
  const plain = question.replaceAll("`", "");
  const short = plain.length > 30 ? `${plain.slice(0, 29)}…` : plain;
  const time = new Date(startedAt).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return `${short} (${[mode, time].filter(Boolean).join(", ")})`;
}
