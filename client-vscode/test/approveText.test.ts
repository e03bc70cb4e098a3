import assert from "node:assert/strict";
import test from "node:test";
import { approveDetail, approveQuestion } from "../src/model/approveText";
import type { ApproveParams } from "../src/protocol";

const request: ApproveParams = {
  runId: "1",
  tool: "ask_model",
  scopes: ["input", "open_files"],
  tokens: 1_234,
  files: Array.from({ length: 15 }, (_, at) => `src/f${at}.py`),
  host: "api.test",
  model: "openai/x",
};

test("a request names tool, scopes, size, target and files", () => {
  assert.equal(approveQuestion(request), "May this request be sent to openai/x?");
  const lines = approveDetail(request).split("\n");
  assert.deepEqual(lines.slice(0, 4), [
    "Tool: ask_model",
    "Sees: input, open files",
    "How much: about 1,234 tokens",
    "Goes to: openai/x (api.test)",
  ]);
  assert.match(lines[4] ?? "", /^Code of src\/f0\.py, .* and 3 more$/);
});

test("a tool stays on the machine", () => {
  const tool = { ...request, tool: "grep_in_files", tokens: 0, files: [], host: "", model: "" };
  assert.equal(approveQuestion(tool), "May the model call the tool grep_in_files?");
  assert.deepEqual(approveDetail({ ...tool, scopes: [] }).split("\n"), [
    "Tool: grep_in_files",
    "Sees: nothing of the context",
    "Goes to: nowhere, it stays on this machine",
  ]);
});
