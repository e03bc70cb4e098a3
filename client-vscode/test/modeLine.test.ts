import assert from "node:assert/strict";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import { newTurn } from "../src/panel/thread";
import { modeLine } from "../src/webview/modeLine";

const offline = { ...newTurn("1", "How?", "", 0), state: "done" as const, mode: "offline" };

/** The labels of what can be clicked, and what came of clicking all of it. */
function offered(modes: string[], turn = offline): [string[], string[]] {
  globalThis.document = new JSDOM("").window.document;
  const clicked: string[] = [];
  const parts = modeLine(
    turn,
    modes,
    (mode) => clicked.push(mode),
    () => clicked.push("a model"),
  );
  const buttons = parts.flatMap((part) => [...part.querySelectorAll("button")]);
  buttons.forEach((made) => made.click());
  return [buttons.map((made) => made.textContent), clicked];
}

test("only modes that can be taken are offered", () => {
  assert.deepEqual(offered(["offline", "agent", "plan"]), [
    ["agent", "plan"],
    ["agent", "plan"],
  ]);
});

test("without a model there is a way to one", () => {
  assert.deepEqual(offered(["offline"]), [["Connect a model"], ["a model"]]);
  const agent = { ...offline, mode: "agent" };
  assert.deepEqual(offered(["offline"], agent)[0], ["offline", "Connect a model"]);
});

test("nothing is offered while it runs, or before the server has said what it can do", () => {
  assert.deepEqual(offered([]), [[], []]);
  const running = { ...offline, state: "running" as const };
  assert.deepEqual(offered(["offline", "agent"], running as unknown as typeof offline), [[], []]);
});

test("an answer of the organisation is asked in one way only", () => {
  const asked = { question: "How?", organisation: true };
  assert.deepEqual(offered(["offline", "agent"], { ...offline, asked }), [[], []]);
});
