/** What a request in the editor's chat asks. */

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

/** Whether somebody wrote a question in full, which is asked as it stands. */
function isWhole(words: string): boolean {
  return words.endsWith("?");
}
