import assert from "node:assert/strict";
import test from "node:test";
import { previewText } from "../src/model/previewText";
import type { PreviewResult } from "../src/protocol";

const found: PreviewResult = {
  mode: "pipeline",
  model: "openai/x",
  host: "api.test",
  scopes: ["input", "open_files"],
  withheld: ["selection"],
  notes: ["No more than 100,000 tokens are spent."],
  files: [
    {
      path: "src/a|b.py",
      uri: "file:///w/src/a%7Cb.py",
      ranges: [
        { lineStart: 3, lineEnd: 9 },
        { lineStart: 20, lineEnd: 21 },
      ],
      isOutlined: true,
      redacted: ["aws-key"],
    },
  ],
  phases: [
    { name: "first", tokensIn: 1200, tokensOut: 10, costUsd: 0.01234, isExact: true },
    { name: "last", tokensIn: 30000, tokensOut: 4000, isExact: false },
  ],
};

test("host, lines, sizes and prices are named", () => {
  const text = previewText("Why?", found);
  for (const words of [
    "no model was called",
    "api.test",
    "| src/a\\|b.py |",
    "lines 3–9, 20–21; outline",
    "aws-key",
    "about 1,200",
    "at most $0.0123",
    "not known",
    "**Scopes sent:** input, open\\_files · **Withheld:** selection",
  ]) {
    assert.ok(text.includes(words), `${words} in\n${text}`);
  }
});

test("a question is text, whatever it contains", () => {
  const text = previewText("<img src=x> [a](command:b)\n# c", found);
  assert.ok(text.includes("\\<img src=x\\> \\[a\\]\\(command:b\\) \\# c"), text);
});

test("nothing sent is said without tables", () => {
  const text = previewText("Why?", {
    ...found,
    files: [],
    phases: [],
    notes: ["Nothing is sent."],
  });
  assert.ok(!text.includes("|---"));
});
