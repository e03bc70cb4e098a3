import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEventBody } from "../src/events";
import type { Turn, TurnState } from "../src/panel/thread";
import { applyEvent, endTurn, newTurn, revive, settleRetry } from "../src/panel/thread";

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

test("steps are kept with their arguments, sizes and reasons", () => {
  const shown = turn();
  const events: RunEventBody[] = [
    { type: "decision", decision: "answer in mode agent", reason: "Mode: agent, chosen because." },
    { type: "tool_call", callId: "1", tool: "read_symbol", arguments: { name: "login", n: 2 } },
    { type: "tool_call", callId: "2", tool: "grep_in_files", arguments: {} },
    { type: "tool_result", callId: "1", tool: "read_symbol", size: 90, elapsedS: 0.2, ok: true },
    { type: "decision", decision: "call something", reason: "" },
    { type: "decision", decision: "write the answer", reason: "enough is known" },
    { type: "usage", llmCalls: 2, tokensIn: 10, tokensOut: 5, limitTokens: 100 },
  ];
  events.forEach((event) => applyEvent(shown, event));
  assert.deepEqual(
    shown.steps.map(({ title, detail, state }) => [title, detail, state]),
    [
      ["read_symbol", "login, 2", "ok"],
      ["grep_in_files", "", "running"],
      ["write the answer", "enough is known", "ok"],
    ],
  );
  assert.equal(shown.modeReason, "Mode: agent, chosen because.");
  assert.deepEqual([shown.usage?.llmCalls, shown.usage?.limitTokens], [2, 100]);
  endTurn(shown, "cancelled", 2_000);
  assert.equal(shown.steps[1]?.state, "stopped");
  assert.equal(shown.mode, "agent");
});

test("a call's id may come again in another step", () => {
  const shown = turn();
  const call = { type: "tool_call", callId: "1", tool: "read_file" } as const;
  const result = { type: "tool_result", callId: "1", tool: "read_file", size: 1, elapsedS: 0 };
  const events = [call, { ...result, ok: true }, call, { ...result, ok: false }];
  events.forEach((event) => applyEvent(shown, event as RunEventBody));
  assert.deepEqual(
    shown.steps.map(({ state }) => state),
    ["ok", "failed"],
  );
});

test("a new try takes the place of an answer only if it is whole", () => {
  const tried = (state: TurnState, stopReason?: string): Partial<Turn> => ({
    state,
    stats: stopReason === undefined ? undefined : ({ stopReason } as Turn["stats"]),
  });
  const cases: [Partial<Turn>, string, string[]][] = [
    [tried("done", "done"), "An answer", ["new"]],
    [tried("done", "max_rounds"), "An answer", ["new"]],
    [tried("failed"), "An answer", ["old", "new"]],
    [tried("cancelled", "cancelled"), "An answer", ["old", "new"]],
    [tried("done", "model_unavailable"), "An answer", ["old", "new"]],
    [tried("done", "budget_usd"), "An answer", ["old", "new"]],
    [tried("failed"), "", ["new"]],
  ];
  for (const [fresh, text, left] of cases) {
    const earlier = { ...newTurn("old", "How?", "", 0), markdown: text };
    const again = { ...newTurn("new", "How?", "", 1), ...fresh };
    const thread = { turns: [earlier, again] };
    settleRetry(thread, earlier, again);
    assert.deepEqual(
      thread.turns.map(({ id }) => id),
      left,
    );
  }
});
