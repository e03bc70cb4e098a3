import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEventBody } from "../src/events";
import { applyEvent, endTurn, newTurn, revive } from "../src/panel/thread";

const turn = () => newTurn("1", "How?", "", 1_000);

test("events of a run change the turn", () => {
  const shown = turn();
  const events: RunEventBody[] = [
    { type: "phase", phase: "indexing" },
    { type: "index", done: 3, total: 9 },
    { type: "text", text: "# How?\n" },
    { type: "text", text: "So." },
    { type: "notice", message: "The index was rebuilt." },
  ];
  const areText = events.map((event) => applyEvent(shown, event));
  assert.deepEqual(areText, [false, false, true, true, false]);
  assert.equal(shown.markdown, "# How?\nSo.");
  assert.equal(shown.phase, "Reading the code");
  assert.deepEqual([shown.done, shown.total], [3, 9]);
  assert.deepEqual(shown.notices, ["The index was rebuilt."]);
  applyEvent(shown, { type: "phase", phase: "synthesis", detail: "second round" });
  assert.equal(shown.phase, "Writing the answer: second round");
  assert.equal(shown.total, 0);
  applyEvent(shown, { type: "finished", documentUri: "file:///x/.scope/a.md" });
  assert.equal(shown.documentUri, "file:///x/.scope/a.md");
  endTurn(shown, "done", 3_500);
  assert.equal(shown.elapsedMs, 2_500);
});

test("an event of a newer server is ignored", () => {
  const shown = turn();
  assert.equal(applyEvent(shown, { type: "hologram" } as unknown as RunEventBody), false);
  assert.deepEqual(shown, turn());
});

test("what ran during a reload is shown as interrupted", () => {
  const running = { ...turn(), markdown: "So far" };
  const done = { ...turn(), id: "0", state: "done" as const };
  const [first, second] = revive(structuredClone({ turns: [done, running] })).turns;
  assert.equal(first?.state, "done");
  assert.equal(second?.state, "interrupted");
  assert.equal(second.markdown, "So far");
  assert.match(second.message ?? "", /reloaded/);
});

test("nonsense is not revived", () => {
  for (const kept of [undefined, null, 3, {}, { turns: 3 }, { turns: [null, 3, { id: "x" }] }]) {
    assert.deepEqual(revive(kept), { turns: [] });
  }
});
