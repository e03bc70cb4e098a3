import assert from "node:assert/strict";
import { test } from "node:test";
import { Jumps } from "../src/jumps";

const lines = (first: number, last: number) => ({
  start: { line: first, character: 0 },
  end: { line: last, character: 8 },
});

test("the selection of a jump is not the user's", () => {
  const jumps = new Jumps();
  assert.equal(jumps.made("a", lines(1, 2)), false);
  jumps.note("a", lines(1, 2));
  jumps.selected("a", lines(1, 2)); // the editor tells of it too
  assert.equal(jumps.made("a", lines(1, 2)), true);
  assert.equal(jumps.made("b", lines(1, 2)), false);
  assert.equal(jumps.made("a", lines(1, 3)), false);
});

test("what is selected afterwards is the user's, the same lines too", () => {
  const jumps = new Jumps();
  jumps.note("a", lines(1, 2));
  jumps.selected("a", lines(4, 4));
  assert.equal(jumps.made("a", lines(4, 4)), false);
  jumps.selected("a", lines(1, 2));
  assert.equal(jumps.made("a", lines(1, 2)), false);
});
