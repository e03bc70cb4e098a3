import assert from "node:assert/strict";
import { test } from "node:test";
import type { UsesResult, WireLocation } from "../src/protocol";
import { usesMessage } from "../src/usesMessage";

const at: WireLocation = {
  uri: "file:///a.py",
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
};

function found(references: number, unverified: number, rest: Partial<UsesResult> = {}): UsesResult {
  return {
    symbol: "f",
    definitions: [],
    references: Array<WireLocation>(references).fill(at),
    unverified: Array<WireLocation>(unverified).fill(at),
    complete: false,
    ...rest,
  };
}

const cases: [UsesResult, string][] = [
  [found(2, 0, { complete: true }), "Scope: 2 uses of f; these are all."],
  [found(0, 0, { complete: true }), "Scope: 0 uses of f; these are all."],
  [found(1, 0), "Scope: 1 use of f; there may be more."],
  [found(3, 1), "Scope: 3 uses of f; 1 more place has its name and could not be decided."],
  [
    found(0, 2, { stoppedBy: "time" }),
    "Scope: 0 uses of f; 2 more places have its name and could not be decided, and the search was stopped early.",
  ],
];

test("a list of uses says whether it is all", () => {
  for (const [result, message] of cases) {
    assert.equal(usesMessage("f", result), message);
  }
});
