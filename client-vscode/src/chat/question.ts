/** What a request in the editor's chat asks. */

/** The command that answers with the chat's own model. */
export const ASK_MODEL = "model";

const QUESTIONS = new Map<string | undefined, (words: string) => string>([
  ["where", (words) => `Where is ${words}?`],
  ["flow", (words) => `How does ${words} work, step by step?`],
  ["uses", (words) => `Who uses ${words}?`],
]);

/** Returns the question that a command of the chat stands for; the words themselves without one. */
export function questionOf(command: string | undefined, prompt: string): string {
  const words = prompt.trim();
  const made = words === "" || isWhole(words) ? undefined : QUESTIONS.get(command);
  return made?.(words) ?? words;
}

/** Whether a request wants the question before it answered by a model: the same again, or none. */
export function isRepeated(command: string | undefined, prompt: string, before: string): boolean {
  return command === ASK_MODEL && ["", before].includes(prompt.trim());
}

/** Whether somebody wrote a question in full, which is asked as it stands. */
function isWhole(words: string): boolean {
  return words.endsWith("?");
}
