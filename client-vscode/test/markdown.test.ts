import assert from "node:assert/strict";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import { bodyOf } from "../src/documentBody";
import { blocksOf } from "../src/webview/markdown";
import { BlockList } from "../src/webview/patch";
import { Sanitiser } from "../src/webview/sanitise";

const { window } = new JSDOM("<!doctype html><body></body>");
const sanitiser = new Sanitiser(window);

/** Returns what reaches the page. */
function shown(source: string, question = ""): HTMLElement {
  const holder = window.document.createElement("div");
  for (const { html } of blocksOf(source, question, true)) {
    holder.append(sanitiser.fragment(html));
  }
  return holder;
}

const hostile = [
  '<img src=x onerror="alert(1)">',
  "<script>alert(1)</script>",
  "<svg><script>alert(1)</script></svg>",
  '<iframe src="https://e.test"></iframe>',
  "<style>body{display:none}</style>",
  "![](https://e.test/?q=secret)",
  "![x][r]\n\n[r]: https://e.test/p.png",
  "[x](command:workbench.action.terminal.new)",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  "[x](vscode://file/etc/passwd)",
  "[x](file:///etc/passwd)",
  "<javascript:alert(1)>",
  '[x](a.py "onmouseover=alert(1)")',
  "```html\n<img src=x onerror=alert(1)>\n```",
  '```"><img src=x onerror=alert(1)>\nx\n```',
  "<a href='command:x'>x</a>",
  "<form action=https://e.test><input></form>",
  "<base href=https://e.test/>",
  "| a |\n|---|\n| <img src=x onerror=alert(1)> |",
  "# <img src=x onerror=alert(1)>",
  "<!-- a --> <img src=x onerror=alert(1)>",
];

for (const source of hostile) {
  test(`harmless: ${JSON.stringify(source)}`, () => {
    const page = shown(source);
    const forbidden = "img,script,style,iframe,form,input,base,svg,object,embed,link,meta";
    assert.equal(page.querySelectorAll(forbidden).length, 0);
    for (const element of page.querySelectorAll("*")) {
      for (const { name, value } of element.attributes) {
        assert.ok(!name.startsWith("on") && name !== "style" && name !== "src", name);
        assert.ok(name !== "href" || value === "#", `${name}=${value}`);
        assert.ok(!/^\s*(command|javascript|data|vscode|file):/i.test(value), value);
      }
    }
  });
}

test("even if the renderer failed, the page stays clean", () => {
  const raw =
    '<a href="command:x" onclick="y">a</a><img src="https://e.test"><script>1</script>' +
    '<p style="position:fixed">b</p><a class="reference" data-href="a.py#L1" href="#">c</a>';
  const holder = window.document.createElement("div");
  holder.append(sanitiser.fragment(raw));
  assert.equal(
    holder.innerHTML,
    '<a>a</a><p>b</p><a class="reference" data-href="a.py#L1" href="#">c</a>',
  );
});

test("a drawn diagram loses what is not drawing", () => {
  const holder = window.document.createElement("div");
  holder.append(
    sanitiser.diagram(
      '<svg onload="x"><a href="command:x"><text>t</text></a><image href="https://e.test/x.png"/>' +
        "<foreignObject><img src=x></foreignObject><script>1</script><path d='M0 0'/></svg>",
    ),
  );
  assert.equal(holder.querySelectorAll("a,image,foreignObject,script,img").length, 0);
  assert.equal(holder.querySelectorAll("path").length, 1);
  assert.equal(holder.querySelector("svg")?.hasAttribute("onload"), false);
});

test("references and web links are links, all else is text", () => {
  const page = shown("[a](../a.py#L3-L5) [b](https://x.org) [**c**](command:x) [d](//h/x)");
  const links = [...page.querySelectorAll("a")].map((a) => [a.className, a.dataset.href]);
  assert.deepEqual(links, [
    ["reference", "../a.py#L3-L5"],
    ["external", "https://x.org"],
  ]);
  assert.equal(page.querySelectorAll(".dead-link").length, 2);
  assert.equal(page.querySelector(".dead-link strong")?.textContent, "c");
});

test("front matter, comments and the question's own title are left out", () => {
  const source =
    '---\nscope_question: "How?"\n---\n\n# How?\n\nSo.\n\n```html\n<!-- kept -->\n```\n\n' +
    "<!-- scope:references\nv1 abc\n-->\n";
  const page = shown(source, "How?");
  assert.match(page.textContent, /^So\.\s+<!-- kept -->\s*$/);
});

const streams: [string, string][] = [
  ["---\nscope_question: x", ""],
  ["---\na: 1\n---\nText\n\n<!-- half", "Text\n\n"],
  ["a\n<!-- b -->\nc", "a\n\nc"],
  ["```\n<!-- x\n", "```\n<!-- x\n"],
  ["no --- front", "no --- front"],
];
for (const [source, body] of streams) {
  test(`body of ${JSON.stringify(source)}`, () => assert.equal(bodyOf(source), body));
}

test("code is highlighted by language and escaped without one", () => {
  assert.match(shown("```python\ndef f(): pass\n```").innerHTML, /hljs-keyword/);
  assert.equal(shown("```\n<b>\n```").querySelector("code")?.textContent, "<b>\n");
});

test("a diagram is drawn once it is complete", () => {
  const open = "```mermaid\ngraph TD; A-->B\n";
  assert.equal(blocksOf(open, "", false)[0]?.diagram, undefined);
  assert.equal(blocksOf(`${open}\`\`\`\n\nText`, "", false)[0]?.diagram, "graph TD; A-->B\n");
  assert.equal(blocksOf(`${open}\`\`\``, "", true)[0]?.diagram, "graph TD; A-->B\n");
});

test("a growing answer keeps the elements that did not change", () => {
  const parent = window.document.createElement("div");
  let added = 0;
  const list = new BlockList(
    parent,
    (block) => sanitiser.fragment(block.html),
    () => added++,
  );
  const full = "# A\n\nfirst\n\nsecond\n\n- x\n- y\n\nthird";
  const firsts = new Set<Element>();
  for (let length = 1; length <= full.length; length++) {
    list.update(blocksOf(full.slice(0, length), "", false));
    firsts.add(parent.children[0] as Element);
  }
  assert.equal(parent.children.length, 5);
  assert.ok(firsts.size <= 3, `the heading was made ${firsts.size} times`);
  const before = [...parent.children];
  const count = added;
  list.update(blocksOf(full.replace("second", "changed"), "", true));
  assert.equal(added, count + 1);
  assert.deepEqual(
    [...parent.children].map((child, at) => child === before[at]),
    [true, true, false, true, true],
  );
  list.update(blocksOf("only", "", true));
  assert.equal(parent.textContent.trim(), "only");
});

const FOLDED = [
  "## Summary", "", "Start here.", "",
  "<details>", "<summary>Code &amp; more</summary>", "",
  "## Relevant Code", "", "```mermaid", "flowchart TD", "```", "", "Text.", "", "</details>", "",
].join("\n"); // prettier-ignore

test("what a document folds away is folded on the page, and nothing else is HTML", () => {
  const blocks = blocksOf(FOLDED, "", true);
  assert.deepEqual(
    blocks.map(({ fold }) => fold),
    [undefined, undefined, ...Array<string>(3).fill("Code &amp; more")],
  );
  assert.equal(blocks[3]?.diagram, "flowchart TD\n");
  const other = shown("<details>\n<summary><img src=x></summary>\n\nText.\n\n<details>\n");
  assert.equal(other.querySelector("details, summary, img"), null);
});

test("a fold stands below the rest, grows with the answer, and goes when it is gone", () => {
  const parent = window.document.createElement("div");
  const list = new BlockList(
    parent,
    (block) => sanitiser.fragment(block.html),
    () => undefined,
  );
  for (let end = 0; end <= FOLDED.length; end++) {
    list.update(blocksOf(FOLDED.slice(0, end), "", end === FOLDED.length));
  }
  const fold = parent.querySelector("details");
  assert.equal(fold, parent.lastElementChild);
  assert.equal(fold?.querySelectorAll(".block").length, 3);
  assert.equal(parent.children.length, 3);
  list.update(blocksOf("Another answer.", "", true));
  assert.equal(parent.querySelector("details"), null);
  assert.equal(parent.textContent.trim(), "Another answer.");
});
