import assert from "node:assert/strict";
import { test } from "node:test";
import { newTurn } from "../src/panel/thread";
import type { TurnState } from "../src/panel/thread";
import { detailOf, stateOf } from "../src/sideBar/answerText";

const thread = (...states: TurnState[]) => ({
  turns: states.map((state, at) => ({ ...newTurn(String(at), "Why?", "", 0), state })),
});

test("the newest question says how a thread stands", () => {
  assert.equal(stateOf(thread("done", "running")), "running");
  assert.equal(stateOf(thread("failed", "done")), "done");
  for (const state of ["failed", "cancelled", "interrupted"] as const) {
    assert.equal(stateOf(thread("done", state)), "problem");
  }
  assert.equal(stateOf(thread()), "problem");
});

test("how long ago, and how many follow", () => {
  const now = Date.UTC(2026, 5, 15, 12);
  const minute = 60_000;
  assert.equal(detailOf(thread("done"), now - 59_000, now), "now");
  assert.equal(detailOf(thread("done"), now + minute, now), "now");
  assert.equal(detailOf(thread("done", "done"), now - minute, now), "1 min ago, 1 follow-up");
  assert.equal(
    detailOf(thread("done", "done", "done"), now - 60 * minute, now),
    "1 h ago, 2 follow-ups",
  );
  assert.match(detailOf(thread("done"), now - 48 * 60 * minute, now), /2026/);
});
