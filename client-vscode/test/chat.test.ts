import assert from "node:assert/strict";
import { test } from "node:test";
import { questionOf } from "../src/chat/question";

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
