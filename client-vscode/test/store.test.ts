import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { test } from "node:test";
import { ThreadStore } from "../src/panel/store";
import { newTurn } from "../src/panel/thread";

async function inFolder(play: (folder: string) => Promise<void>): Promise<void> {
  const folder = await fs.mkdtemp(path.join(tmpdir(), "scope-threads-"));
  try {
    await play(folder);
  } finally {
    await fs.rm(folder, { recursive: true });
  }
}

const thread = (question: string) => ({
  turns: [{ ...newTurn(question, question, "", 0), state: "done" as const }],
});

test("a thread comes back, the newest one without its id", () =>
  inFolder(async (folder) => {
    const store = new ThreadStore(path.join(folder, "threads"));
    assert.equal(await store.last(), undefined);
    await store.save("a", thread("first"));
    await store.save("b", thread("second"));
    await fs.utimes(path.join(folder, "threads/a.json"), 1, 1);
    assert.deepEqual(await store.load("a"), thread("first"));
    assert.deepEqual(await store.last(), { id: "b", thread: thread("second") });
  }));

test("a deleted thread is gone, the others stay", () =>
  inFolder(async (folder) => {
    const store = new ThreadStore(folder);
    await store.save("a", thread("first"));
    await store.save("b", thread("second"));
    void store.save("a", thread("first, changed"));
    await store.remove("a");
    await store.remove("unknown");
    await store.remove("../b");
    assert.deepEqual(
      (await store.all()).map(({ id }) => id),
      ["b"],
    );
  }));

test("a panel that still shows a deleted thread does not bring it back", () =>
  inFolder(async (folder) => {
    const store = new ThreadStore(folder);
    await store.save("a", thread("first"));
    const removed = store.remove("a");
    await store.save("a", thread("first, changed"));
    await removed;
    await store.save("a", thread("first, changed again"));
    assert.deepEqual(await store.all(), []);
  }));

test("the last of many writes wins", () =>
  inFolder(async (folder) => {
    const store = new ThreadStore(folder);
    await Promise.all(["1", "2", "3"].map((question) => store.save("a", thread(question))));
    assert.deepEqual(await store.load("a"), thread("3"));
    assert.deepEqual(await fs.readdir(folder), ["a.json"]);
  }));

test("only the newest are kept", () =>
  inFolder(async (folder) => {
    const store = new ThreadStore(folder, 20);
    for (let i = 0; i < 25; i++) {
      await store.save(`t${i}`, thread("x"));
    }
    assert.equal((await fs.readdir(folder)).length, 20);
  }));

test("all threads are listed, newest first, those without a question left out", () =>
  inFolder(async (folder) => {
    const store = new ThreadStore(folder);
    assert.deepEqual(await new ThreadStore(undefined).all(), []);
    await store.save("a", thread("first"));
    await store.save("b", thread("second"));
    await store.save("empty", { turns: [] });
    await fs.utimes(path.join(folder, "a.json"), 1, 1);
    assert.deepEqual(
      (await store.all()).map(({ id, thread: { turns } }) => [id, turns[0]?.question]),
      [
        ["b", "second"],
        ["a", "first"],
      ],
    );
  }));

test("damage, strange ids and a missing folder do no harm", () =>
  inFolder(async (folder) => {
    await fs.writeFile(path.join(folder, "x.json"), '{"turns": [');
    const store = new ThreadStore(folder);
    for (const id of ["x", "nothing", "../x", ""]) {
      assert.deepEqual(await store.load(id), { turns: [] });
    }
    const nowhere = new ThreadStore(undefined);
    await nowhere.save("a", thread("x"));
    assert.equal(await nowhere.last(), undefined);
  }));
