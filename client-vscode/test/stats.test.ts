import assert from "node:assert/strict";
import test from "node:test";
import type { TurnMeta } from "../src/panel/thread";
import { statsLine, stopNote, totals } from "../src/webview/stats";

const used = { llmCalls: 3, tokensIn: 12_000, tokensOut: 345 };

test("totals say what was taken of how much", () => {
  assert.equal(totals(undefined), "");
  assert.equal(
    totals({ ...used, llmCalls: 1, costUsd: 0.0123 }),
    "1 call · 12,345 tokens · $0.012",
  );
  assert.equal(
    totals({ ...used, limitTokens: 100_000, costUsd: 1.5, limitUsd: 2 }),
    "3 calls · 12,345 of 100,000 tokens · $1.50 of $2.00",
  );
  assert.equal(totals({ ...used, limitUsd: 2 }), "3 calls · 12,345 tokens");
});

test("an end is explained unless the answer is whole", () => {
  const ended = (stopReason: string) =>
    stopNote({ state: "done", stats: { stopReason } } as TurnMeta);
  for (const reason of ["done", "confidence_threshold_reached", "index_incomplete"]) {
    assert.equal(ended(reason), undefined);
  }
  assert.match(ended("budget_usd") ?? "", /limit of money/);
  assert.equal(ended("hit_by_comet"), "Stopped early: hit by comet.");
});

test("counts of references say all states and never that all is right", () => {
  const line = (...states: string[]) =>
    statsLine({
      state: "done",
      stats: { filesAnalyzed: 2, llmCalls: 0 },
      elapsedMs: 1_000,
      references: states.map((state) => ({ state })),
    } as unknown as TurnMeta);
  assert.match(line("ok", "ok"), /2 of 2 references verified ·/);
  assert.match(line("ok", "corrected", "in_range"), /2 of 3 references verified, 1 in range ·/);
  assert.match(
    line("ok", "moved", "gone"),
    /1 of 3 references verified, 1 moved since, 1 changed since ·/,
  );
  assert.match(line("unverified"), /0 of 1 reference verified, 1 not confirmed ·/);
});

test("only what asked nobody is called offline", () => {
  const line = (mode: string) =>
    statsLine({
      state: "done",
      stats: { mode, filesAnalyzed: 2, llmCalls: 0 },
      elapsedMs: 1_000,
      references: [],
    } as unknown as TurnMeta);
  assert.match(line("offline"), /· offline, no model$/);
  assert.match(line("organisation"), /\ss · no model$/);
});
