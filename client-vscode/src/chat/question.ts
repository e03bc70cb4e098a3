/** What a request in the editor's chat asks. */

/** The command that answers with the chat's own model. */
export const ASK_MODEL = "model";

/** The command that lets what is not committed go along. */
export const ASK_CHANGES = "changes";

const CHANGES = /(?<=^|\s)#changes\b/i;
const CHANGES_BESIDE = /^\s*#changes\b\s*|\s*(?<=^|\s)#changes\s*$/gi;

const QUESTIONS = new Map<string | undefined, (words: string) => string>([
  ["where", (words) => `Where is ${words}?`],
  ["flow", (words) => `How does ${words} work, step by step?`],
  ["uses", (words) => `Who uses ${words}?`],
]);

/** Returns the question that a command of the chat stands for; the words themselves without one. */
export function questionOf(command: string | undefined, prompt: string): string {
  const words = prompt.replaceAll(CHANGES_BESIDE, "").replace(CHANGES, "these changes").trim();
  if (words === "" && areChangesMeant(command, prompt, [])) {
    return "What do these changes affect?";
  }
  const made = words === "" || isWhole(words) ? undefined : QUESTIONS.get(command);
  return made?.(words) ?? words;
}

/** Whether a request wants the question before it answered by a model: the same again, or none. */
export function isRepeated(command: string | undefined, prompt: string, before: string): boolean {
  return command === ASK_MODEL && ["", before].includes(prompt.trim());
}

/**
 * Whether what is not committed goes along: by the command, a word, or the chat's own `#changes`.
 *
 * @param tools Names of the tools that the request refers to.
 */
export function areChangesMeant(
  command: string | undefined,
  prompt: string,
  tools: readonly string[],
): boolean {
  return (
    command === ASK_CHANGES ||
    prompt.search(CHANGES) >= 0 ||
    tools.some((name) => /chang(?:es|ed)/i.test(name))
  );
}

/** Whether somebody wrote a question in full, which is asked as it stands. */
function isWhole(words: string): boolean {
  return words.endsWith("?");
}
