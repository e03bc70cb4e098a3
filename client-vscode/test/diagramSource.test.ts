import assert from "node:assert/strict";
import { test } from "node:test";
import type { WireReference } from "../src/protocol";
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
  reference("shop/login.py", 25, 25, "authenticate", "calls hash_password"),
  reference("shop/login.py", 18, 27, "authenticate", "on the way through the code"),
  reference("shop/login.py", 13, 15, "hash_password"),
  reference("shop/old.py", 1, 2, "hash_password"),
];

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
  const lines = chart.arrows.map((arrow) => callOf(arrow, chart, references)?.lineStart);
  assert.deepEqual(lines, [25, undefined]);
  const anywhere = { id: "x", name: "hash_password()", path: "" };
  assert.equal(definitionOf(anywhere, references), undefined, "two files have it");
});

test("arrows show their lines, the rest stays as it is", () => {
  const shown = withLines(SOURCE, references).split("\n");
  assert.equal(shown.at(-2), '    n1 ==>|"calls :25"| n2');
  assert.deepEqual(shown.toSpliced(-2, 1), SOURCE.split("\n").toSpliced(-2, 1));
});
