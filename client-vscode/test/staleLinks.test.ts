// Links whose code is not what was cited are marked, and lead to where it is now.
import assert from "node:assert/strict";
import { test } from "node:test";
import createMarkdown from "markdown-it";
import { linkTo, markOf, marksOf } from "../src/documents/marks";
import { markStaleLinks } from "../src/documents/previewPlugin";
import type { WireLink } from "../src/protocol";

function link(target: string, state: string, lines: [number, number], uri: string): WireLink {
  const [lineStart, lineEnd] = lines;
  const isLost = state === "gone";
  return { target, uri, lineStart, lineEnd, state, isLost, sentence: `It is ${state}.` };
}

const links = [
  link("../m.py#L5-L7", "moved", [15, 17], "file:///code/m.py"),
  link("../m.py#L1", "ok", [1, 1], "file:///code/m.py"),
  link("../a%20b.py#L2", "gone", [2, 2], "file:///code/a%20b.py"),
];

function rendered(text: string, known: readonly WireLink[] = links): string {
  const markdown = createMarkdown();
  markStaleLinks(markdown as never, (document) => (document === "doc" ? known : []));
  return markdown.render(text, { currentDocument: "doc" });
}

test("a moved link leads to its lines of now and says so", () => {
  const html = rendered("[m.py:5-7](../m.py#L5-L7)");
  assert.match(html, /href="\.\.\/m\.py#L15-L17"/);
  assert.match(html, /title="It is moved\."/);
  assert.match(html, /<\/a><span class="scope-mark">moved to 15-17<\/span>/);
});

test("a link to code that is gone leads to no lines", () => {
  const html = rendered("[x](../a%20b.py#L2)");
  assert.match(html, /href="\.\.\/a%20b\.py"/);
  assert.match(html, /scope-gone/);
});

test("other links stay as they are", () => {
  for (const text of ["[m.py:1](../m.py#L1)", "[x](https://x.test/)", "[y](../other.md)"]) {
    assert.doesNotMatch(rendered(text), /scope-/);
  }
  assert.match(rendered("[m.py:5-7](../m.py#L5-L7)", []), /href="\.\.\/m\.py#L5-L7"/);
});

test("tokens that are rendered again are marked anew", () => {
  const markdown = createMarkdown();
  let known: readonly WireLink[] = links;
  markStaleLinks(markdown as never, () => known);
  const tokens = markdown.parse("[m.py:5-7](../m.py#L5-L7)", {});
  const render = (): string => markdown.renderer.render(tokens, markdown.options, {});
  assert.match(render(), /L15-L17/);
  known = [];
  assert.doesNotMatch(render(), /L15-L17|scope-moved|scope-mark/);
});

test("a target is the same however it is written", () => {
  assert.equal(linkTo(links, "../a b.py#L2")?.state, "gone");
  assert.equal(markOf(links[1]), undefined);
  assert.equal(markOf(undefined), undefined);
});

test("what is marked is another only if a mark is", () => {
  const [moved, good, gone] = links as [WireLink, WireLink, WireLink];
  assert.equal(marksOf([good]), marksOf([]), "a first check that finds all good");
  assert.equal(marksOf([moved, good]), marksOf([moved, { ...good, lineStart: 9 }]));
  assert.notEqual(marksOf([moved]), marksOf([good]));
  assert.notEqual(marksOf([moved]), marksOf([{ ...moved, lineStart: 16 }]));
  assert.notEqual(marksOf([moved]), marksOf([moved, gone]));
});
