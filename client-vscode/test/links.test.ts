import assert from "node:assert/strict";
import { test } from "node:test";
import { parseLink, referenceKey } from "../src/links";

type Expected = ReturnType<typeof parseLink>;
const file = (path: string, lineStart?: number, lineEnd?: number, rooted = false): Expected =>
  lineStart === undefined
    ? { kind: "file", path, rooted }
    : { kind: "file", path, rooted, lineStart, lineEnd };

const cases: [string, Expected][] = [
  ["../src/a.py#L3-L5", file("../src/a.py", 3, 5)],
  ["src/a.py#L7", file("src/a.py", 7, 7)],
  ["src/a.py#L7-9", file("src/a.py", 7, 9)],
  ["src/a.py#L7C3-L9C1", file("src/a.py", 7, 9)],
  ["src/a.py#L9-L4", file("src/a.py", 9, 9)],
  ["src/a.py#L0", file("src/a.py")],
  ["src/a.py#heading", file("src/a.py")],
  ["/src/a.py#L2", file("src/a.py", 2, 2, true)],
  ["a%20b/%C3%A9.py#L1", file("a b/é.py", 1, 1)],
  ["a%23b.py#L1", file("a#b.py", 1, 1)],
  ["100%.py", undefined],
  ["https://example.org/x#L3", { kind: "external", url: "https://example.org/x#L3" }],
  ["command:workbench.action.terminal.new", undefined],
  ["COMMAND:x", undefined],
  ["javascript:alert(1)", undefined],
  ["data:text/html,x", undefined],
  ["file:///etc/passwd", undefined],
  ["vscode://x/y", undefined],
  ["C:/Windows/x", undefined],
  ["//host/share/x", undefined],
  ["%2F%2Fhost/share", undefined],
  ["..\\x.py", undefined],
  ["a%5Cb.py", undefined],
  ["a%00b.py", undefined],
  ["%63ommand:x", undefined],
  ["#section", undefined],
  ["", undefined],
];

for (const [href, expected] of cases) {
  test(`link ${JSON.stringify(href)}`, () => assert.deepEqual(parseLink(href), expected));
}

test("a link and its reference have the same key", () => {
  assert.equal(referenceKey("../../src/a.py", 3, 5), referenceKey("src/a.py", 3, 5));
  assert.equal(referenceKey("../a.py", 3, 3), referenceKey("a.py", 3));
});
