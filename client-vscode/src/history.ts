/** The questions asked before, newest first. */

/** Where the list is kept; VS Code's `Memento` fits. */
export interface HistoryStore {
  get<T>(key: string, fallback: T): T;
  update(key: string, value: unknown): Thenable<void>;
}

const KEY = "scope.history";
const LIMIT = 50; // enough for a few weeks of work, and quick to look through

/** Questions of this workspace; asking one again moves it to the top. */
export class History {
  constructor(private readonly store: HistoryStore) {}

  /** Returns the questions, newest first. */
  list(): readonly string[] {
    const kept = this.store.get<unknown>(KEY, []);
    return Array.isArray(kept) ? kept.filter((item) => typeof item === "string") : [];
  }

  /** Puts a question on top. */
  async add(question: string): Promise<void> {
    const text = question.trim();
    if (text !== "") {
      await this.store.update(KEY, [text, ...this.without(text)].slice(0, LIMIT));
    }
  }

  /** Forgets one question. */
  async remove(question: string): Promise<void> {
    await this.store.update(KEY, this.without(question));
  }

  /** Forgets every question. */
  async clear(): Promise<void> {
    await this.store.update(KEY, []);
  }

  private without(question: string): string[] {
    return this.list().filter((item) => item !== question);
  }
}
