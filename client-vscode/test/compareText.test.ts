import assert from "node:assert/strict";
import { test } from "node:test";
import { documentTitle, pairable } from "../src/compareText";
import { newTurn } from "../src/panel/thread";

const turn = (id: string, question: string, at: number, markdown = "text") => ({
  ...newTurn(id, question, "", at),
  markdown,
});

test("answers to the same question come first, then the newest; none without a text", () => {
  const first = turn("a", "How?", 1);
  const others = [
    turn("b", "Why?", 5),
    turn("c", "How?", 2),
    turn("d", "Why?", 9),
    turn("e", "How?", 7, ""),
  ];
  assert.deepEqual(
    pairable(first, [first, ...others]).map(({ id }) => id),
    ["c", "d", "b"],
  );
});

test("a title says question and mode", () => {
  const long = turn("a", "How does `authenticate` compare the password with its hash?", 0);
  assert.match(
    documentTitle({ ...long, mode: "agent" }),
    /^How does authenticate compare….* \(agent, .+\)$/,
  );
  assert.match(documentTitle(turn("b", "Why?", 0)), /^Why\? \(.+\)$/);
});
