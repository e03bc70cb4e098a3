import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attachment } from "../src/attach/attachment";
import {
  aboutOf,
  attach,
  attachmentsIn,
  detach,
  linesOf,
  paramsOf,
} from "../src/attach/attachment";
import { triggerIn } from "../src/attach/trigger";

const range = { start: { line: 2, character: 0 }, end: { line: 4, character: 1 } };
const file: Attachment = { kind: "file", uri: "file:///w/a.py", label: "a.py" };
const folder: Attachment = { kind: "folder", uri: "file:///w/lib", label: "lib/" };
const selection: Attachment = { kind: "selection", uri: file.uri, label: "a.py:3-5", range };
const symbol: Attachment = {
  kind: "symbol",
  uri: file.uri,
  label: "Cart.add",
  symbol: "Cart.add",
  range,
};
const problem: Attachment = {
  kind: "problem",
  uri: file.uri,
  label: "x (a.py:3)",
  problem: "x",
  range,
};

const changes: Attachment = {
  kind: "changes",
  uri: "file:///w",
  label: "uncommitted changes",
  changes: "uncommitted",
};

test("what is attached goes to the server, and only that", () => {
  assert.deepEqual(paramsOf("q", []), { question: "q" });
  const location = { uri: file.uri, range };
  const cases: [Attachment[], object][] = [
    [[selection], { location }],
    [[symbol], { location, symbol: "Cart.add" }],
    [[problem], { location, diagnostic: "x" }],
    [[file, folder], { within: [file.uri, folder.uri] }],
    [[changes], { changes: "uncommitted" }],
    [[changes, folder], { changes: "uncommitted", within: [folder.uri] }],
    [[folder, symbol], { location, symbol: "Cart.add", within: [folder.uri] }],
  ];
  for (const [attached, rest] of cases) {
    assert.deepEqual(paramsOf("q", attached), { question: "q", ...rest });
  }
});

test("what lies in no open folder is said to be left out, and is", () => {
  const outside = { ...selection, uri: "file:///usr/lib/b.py", label: "b.py:3-5", isOutside: true };
  assert.deepEqual(paramsOf("q", [outside, folder]), { question: "q", within: [folder.uri] });
  assert.equal(aboutOf([outside, folder]), "b.py:3-5 (left out: it lies in no open folder), lib/");
  assert.deepEqual(attachmentsIn([outside]), [outside]);
});

test("nothing is there twice, and a new place takes that of the last", () => {
  const list = [file, selection, file, folder].reduce<Attachment[]>(attach, []);
  assert.equal(aboutOf(list), "a.py:3-5, a.py, lib/");
  assert.equal(aboutOf(attach(list, symbol)), "a.py, lib/, Cart.add");
  assert.equal(aboutOf(detach(list, { ...file })), "a.py:3-5, lib/");
  const since = { ...changes, label: "changes since main", changes: "main..." };
  assert.equal(
    aboutOf([file, changes, since].reduce<Attachment[]>(attach, [])),
    "a.py, changes since main",
  );
  assert.equal(aboutOf(detach([changes, file], changes)), "a.py");
});

test("what a page sends is looked at", () => {
  assert.deepEqual(attachmentsIn(undefined), []);
  assert.deepEqual(attachmentsIn([file, null, 3, { ...file, kind: "toString" }, { uri: 1 }]), [
    file,
  ]);
});

test("a name begins with # or @ at the start of a word", () => {
  const cases: [string, object | undefined][] = [
    ["#", { name: "", start: 0 }],
    ["how does @Cart.a", { name: "Cart.a", start: 9 }],
    ["how does #", { name: "", start: 9 }],
    ["mail a@b", undefined],
    ["see #cart then", undefined],
    ["", undefined],
  ];
  for (const [text, wanted] of cases) {
    assert.deepEqual(triggerIn(text), wanted);
  }
});

test("a line of which nothing is selected is not counted", () => {
  const from = (line: number, character: number) => ({ line, character });
  assert.equal(linesOf({ start: from(2, 0), end: from(4, 0) }), "3-4");
  assert.equal(linesOf({ start: from(2, 0), end: from(3, 0) }), "3");
  assert.equal(linesOf({ start: from(2, 4), end: from(4, 1) }), "3-5");
  assert.equal(linesOf({ start: from(2, 0), end: from(2, 0) }), "3");
});
