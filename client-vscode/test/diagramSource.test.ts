import assert from "node:assert/strict";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import createMarkdown from "markdown-it";
import type { WireReference } from "../src/protocol";
import { callsOf } from "../src/webview/diagramLinks";
import type { Arrow, Call } from "../src/webview/diagramSource";
import { callOf, chartOf, definitionOf, withLines } from "../src/webview/diagramSource";

const SOURCE = `flowchart TD
    subgraph f1["shop/login.py"]
        n1["authenticate"]
        n2["hash_password"]
    end
    subgraph f2["app/_shop_/[id].ts"]
        n3["Cart.add"]
    end
    n1 ==>|calls| n2
    n2 -.->|may call| n3`;

function reference(
  path: string,
  first: number,
  last: number,
  symbol: string,
  said = "",
): WireReference {
  const lines = { lineStart: first, lineEnd: last };
  return { path, uri: `file:///w/${path}`, ...lines, symbol, description: said, state: "ok" };
}

const references = [
  reference("shop/login.py", 25, 25, "authenticate", "a line of it"),
  reference("shop/login.py", 18, 27, "authenticate", "where to begin"),
  reference("shop/login.py", 13, 15, "hash_password"),
  reference("shop/old.py", 1, 2, "hash_password"),
  reference("shop/one.py", 4, 4, "ONE", "calls hash_password"),
];

const ANSWER = `
- \`authenticate\` calls \`hash_password\` at [shop/login.py:25](../shop/login.py#L25): \`hash_password(password)\`
- \`authenticate\` calls \`hash_password\` at [shop/old.py:3](../shop/old.py#L3): \`hash_password(password)\`
- \`hash_password\` may call \`Cart.add\` at [shop/login.py:14](../shop/login.py#L14): \`add(password)\`
- \`authenticate\` ([shop/login.py:18-27](../shop/login.py#L18-L27)) calls \`x\` at [shop/login.py:19](../shop/login.py#L19)
- \`authenticate\` was not seen at [shop/login.py:20](../shop/login.py#L20)
`;

function callsIn(markdown: string): Call[] {
  const { window } = new JSDOM("<div></div>");
  Object.assign(globalThis, { HTMLElement: window.HTMLElement });
  const answer = window.document.body;
  answer.innerHTML = createMarkdown().render(markdown);
  for (const link of answer.querySelectorAll("a")) {
    link.dataset.href = link.getAttribute("href") ?? "";
  }
  return callsOf(answer);
}

test("boxes and arrows are read with their files and words", () => {
  const { boxes, arrows } = chartOf(SOURCE);
  assert.deepEqual(
    boxes.map(({ id, name, path }) => [id, name, path].join(" ")),
    [
      "n1 authenticate shop/login.py",
      "n2 hash_password shop/login.py",
      "n3 Cart.add app/_shop_/[id].ts",
    ],
  );
  assert.deepEqual(arrows, [
    { from: "n1", to: "n2", words: "calls" },
    { from: "n2", to: "n3", words: "may call" },
  ]);
  assert.deepEqual(chartOf("sequenceDiagram\n A->>B: hi"), { boxes: [], arrows: [] });
});

test("a box is its definition, an arrow the line of its call, both only if cited", () => {
  const chart = chartOf(SOURCE);
  const [first, second, third] = chart.boxes.map((box) => definitionOf(box, references)?.lineStart);
  assert.deepEqual([first, second, third], [18, 13, undefined]);
  const lines = chart.arrows.map((arrow) => callOf(arrow, chart, callsIn(ANSWER))?.line);
  assert.deepEqual(lines, [25, 14]);
  assert.equal(callOf(chart.arrows[0] as Arrow, chart, []), undefined);
  const anywhere = { id: "x", name: "hash_password()", path: "" };
  assert.equal(definitionOf(anywhere, references), undefined, "two files have it");
  const short = { id: "x", name: "ONE", path: "shop/one.py" };
  assert.equal(definitionOf(short, references)?.lineStart, 4, "a definition of one line");
});

test("only sentences that say where a call stands are taken for one", () => {
  const said = callsIn(ANSWER).map(({ source, words, target, path, line, href }) =>
    [source, words, target, `${path}:${line}`, href].join(" "),
  );
  assert.deepEqual(said, [
    "authenticate calls hash_password shop/login.py:25 ../shop/login.py#L25",
    "authenticate calls hash_password shop/old.py:3 ../shop/old.py#L3",
    "hash_password may call Cart.add shop/login.py:14 ../shop/login.py#L14",
  ]);
});

test("arrows show their lines, the rest stays as it is", () => {
  const shown = withLines(SOURCE, callsIn(ANSWER).slice(0, 2)).split("\n");
  assert.equal(shown.at(-2), '    n1 ==>|"calls :25"| n2');
  assert.deepEqual(shown.toSpliced(-2, 1), SOURCE.split("\n").toSpliced(-2, 1));
});
