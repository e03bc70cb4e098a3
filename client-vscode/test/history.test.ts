import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../src/history";

function historyOn(kept: Map<string, unknown>): History {
  return new History({
    get: <T>(key: string, fallback: T) => (kept.get(key) as T | undefined) ?? fallback,
    update: (key, value) => {
      kept.set(key, structuredClone(value));
      return Promise.resolve();
    },
  });
}

test("newest first, each once, without blanks", async () => {
  const history = historyOn(new Map());
  for (const question of ["a", " b ", "", "a", "c"]) {
    await history.add(question);
  }
  assert.deepEqual(history.list(), ["c", "a", "b"]);
});

test("kept, forgotten, and never too long", async () => {
  const kept = new Map<string, unknown>();
  for (let i = 0; i < 80; i++) {
    await historyOn(kept).add(`question ${i}`);
  }
  assert.equal(historyOn(kept).list().length, 50);
  assert.equal(historyOn(kept).list()[0], "question 79");
  await historyOn(kept).remove("question 79");
  assert.equal(historyOn(kept).list()[0], "question 78");
  await historyOn(kept).clear();
  assert.deepEqual(historyOn(kept).list(), []);
});

test("what another version kept does no harm", () => {
  assert.deepEqual(historyOn(new Map([["scope.history", { a: 1 }]])).list(), []);
  assert.deepEqual(historyOn(new Map([["scope.history", ["x", 3, null]]])).list(), ["x"]);
});
