import assert from "node:assert/strict";
import { test } from "node:test";
import { areChangesMeant, isRepeated, questionOf } from "../src/chat/question";
import { chatTextOf, plainText } from "../src/chat/text";

test("commands of the chat make whole questions", () => {
  const cases: [string | undefined, string, string][] = [
    ["where", " the password check ", "Where is the password check?"],
    ["flow", "a login", "How does a login work, step by step?"],
    ["uses", "`open_session`", "Who uses `open_session`?"],
    ["where", "Where is it?", "Where is it?"],
    [undefined, "login", "login"],
    ["new", "login", "login"],
    ["where", "  ", ""],
  ];
  for (const [command, prompt, wanted] of cases) {
    assert.equal(questionOf(command, prompt), wanted);
  }
});

test("changes go along by the command, by their name, or by the chat's own tool", () => {
  const cases: [string | undefined, string, string[], boolean, string][] = [
    ["changes", "", [], true, "What do these changes affect?"],
    ["changes", "Is the login safe?", [], true, "Is the login safe?"],
    [undefined, "#changes", [], true, "What do these changes affect?"],
    [undefined, "Do #changes break login?", [], true, "Do these changes break login?"],
    [undefined, "What broke? #changes", [], true, "What broke?"],
    [undefined, "What broke?", ["copilot_getChangedFiles"], true, "What broke?"],
    [undefined, "Where are changes kept?", ["copilot_search"], false, "Where are changes kept?"],
    [undefined, "the color#changesets", [], false, "the color#changesets"],
  ];
  for (const [command, prompt, tools, isMeant, question] of cases) {
    assert.equal(areChangesMeant(command, prompt, tools), isMeant, prompt);
    assert.equal(questionOf(command, prompt), question);
  }
});

test("the chat's model is asked what was asked before, or something of its own", () => {
  const before = "How does a login work?";
  assert.ok(isRepeated("model", " ", before));
  assert.ok(isRepeated("model", before, before));
  assert.ok(!isRepeated("model", "Who logs in?", before));
  assert.ok(!isRepeated(undefined, before, before));
  assert.equal(questionOf("model", "Who logs in?"), "Who logs in?");
});

test("a chat shows what stands above the fold, and nothing that is for programs", () => {
  const document = [
    "---",
    "mode: offline",
    "---",
    "",
    "# Who uses `a`?",
    "",
    "## Summary",
    "",
    "Start at [a.py:1](../a.py#L1), see `[x](../x)` and [site](https://e.test).",
    "",
    "```html",
    "# no title",
    "<details>",
    "```",
    "",
    "<details>",
    "<summary>Code and references</summary>",
    "",
    "```html",
    "</details>",
    "```",
    "",
    "</details>",
    "",
    "The end.",
    "",
    "## Code References",
    "",
    "- [a.py:1](../a.py#L1)",
    "",
    "## What was not looked at",
    "",
    "- b.py",
    "",
    "## How this was answered",
    "",
    "- Mode: pipeline",
    "",
    '<!-- scope {"path":"a.py"} -->',
  ].join("\n");
  const shown = [
    "## Summary",
    "",
    "Start at [a.py:1](file:///w/a.py#L1), see `[x](../x)` and [site](https://e.test).",
    "",
    "```html",
    "# no title",
    "<details>",
    "```",
    "",
    "",
    "The end.",
    "",
    "## What was not looked at",
    "",
    "- b.py",
  ].join("\n");
  assert.equal(chatTextOf(document, "file:///w/.scope/scope-a.md"), shown);
});

test("words are shown as they are", () => {
  assert.equal(plainText("a_b.py (left out) · [x](y)"), "a\\_b.py \\(left out\\) · \\[x\\]\\(y\\)");
});
