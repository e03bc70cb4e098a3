import assert from "node:assert/strict";
import test from "node:test";
import { totals } from "../src/webview/stats";

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
