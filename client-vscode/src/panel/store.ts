/** Threads on disk, so that a reload, a crash of the editor or a closed panel loses nothing. */
import * as fs from "node:fs/promises";
import * as path from "node:path";
import type { Thread } from "./thread";
import { revive } from "./thread";

const KEPT = 500; // files; so many that only the forgotten ones go
const NAME = /^[\w-]+\.json$/;

/** A thread as it lies on the disk, and when it changed last. */
export interface KeptThread {
  id: string;
  thread: Thread;
  /** Milliseconds since 1970. */
  at: number;
}

/** Keeps the thread of each panel in a file of its own, in the workspace's storage folder. */
export class ThreadStore {
  private writing: Promise<void> = Promise.resolve();
  private readonly removed = new Set<string>();

  /**
   * @param folder Where the files lie; undefined if there is no workspace to keep them for.
   * @param most How many files are kept.
   */
  constructor(
    private readonly folder: string | undefined,
    private readonly most = KEPT,
  ) {}

  /** Writes a thread; later calls win, and a file is never half-written. */
  save(id: string, thread: Thread): Promise<void> {
    if (this.removed.has(id)) {
      return this.writing; // whoever still shows it does not bring it back
    }
    const text = JSON.stringify(thread);
    this.writing = this.writing.then(() => this.write(id, text)).catch(() => undefined);
    return this.writing;
  }

  /** Returns the thread of a panel; empty if it is not known. */
  async load(id: string): Promise<Thread> {
    const file = this.file(id);
    return file === undefined ? { turns: [] } : read(file);
  }

  /** Returns the thread that was changed last, with its id. */
  async last(): Promise<{ id: string; thread: Thread } | undefined> {
    const [newest] = await this.newestFirst();
    if (this.folder === undefined || newest === undefined) {
      return undefined;
    }
    const thread = await read(path.join(this.folder, newest));
    return { id: path.basename(newest, ".json"), thread };
  }

  /** Returns every thread in which something was asked, newest first, with when it changed. */
  async all(): Promise<KeptThread[]> {
    const { folder } = this;
    const names = folder === undefined ? [] : await this.newestFirst();
    const kept = await Promise.all(
      names.map(async (name) => {
        const file = path.join(folder ?? "", name);
        const [thread, at] = [await read(file), await changedAt(file)];
        return { id: path.basename(name, ".json"), thread, at };
      }),
    );
    return kept.filter(({ thread }) => thread.turns.length > 0);
  }

  /** Deletes a thread for good, after what is still being written. */
  async remove(id: string): Promise<void> {
    this.removed.add(id);
    const file = this.file(id);
    await this.writing;
    if (file !== undefined) {
      await fs.rm(file, { force: true });
    }
  }

  private file(id: string): string | undefined {
    const name = `${id}.json`;
    return this.folder === undefined || !NAME.test(name) ? undefined : path.join(this.folder, name);
  }

  private async write(id: string, text: string): Promise<void> {
    const file = this.file(id);
    if (file === undefined || this.folder === undefined) {
      return;
    }
    await fs.mkdir(this.folder, { recursive: true });
    await fs.writeFile(`${file}.part`, text);
    await fs.rename(`${file}.part`, file);
    const old = (await this.newestFirst()).slice(this.most);
    await Promise.all(
      old.map((name) => fs.rm(path.join(this.folder ?? "", name), { force: true })),
    );
  }

  private async newestFirst(): Promise<string[]> {
    const { folder } = this;
    if (folder === undefined) {
      return [];
    }
    const names = (await fs.readdir(folder).catch(() => [])).filter((name) => NAME.test(name));
    const stats = await Promise.all(
      names.map(async (name) => ({ name, at: await changedAt(path.join(folder, name)) })),
    );
    return stats.sort((a, b) => b.at - a.at).map(({ name }) => name);
  }
}

async function changedAt(file: string): Promise<number> {
  return fs.stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

async function read(file: string): Promise<Thread> {
  try {
    return revive(JSON.parse(await fs.readFile(file, "utf8")) as unknown);
  } catch {
    return { turns: [] };
  }
}
