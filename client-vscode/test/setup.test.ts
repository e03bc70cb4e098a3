import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { test } from "node:test";
import { reasonOf, SetupFailed } from "../src/environment";
import { pip, uv } from "../src/installer";
import { NoPython, run } from "../src/python";
import { knownRemedies } from "../src/remedies";
import { explained } from "../src/setupProblem";

function check(error: unknown, message: RegExp, remedies: string): void {
  const problem = explained(error);
  assert.match(problem.message, message);
  assert.equal(problem.remedies.join(), remedies);
}

test("each failure says why and what comes next", () => {
  check(
    new NoPython(["python3: not found"]),
    /No Python 3\.11 .*Tried: python3: not found/,
    "choosePython,setUp",
  );
  check(
    new SetupFailed("The disk is full.", "..."),
    /^The set-up failed\. The disk is full\.$/,
    "setUp,showLog",
  );
  check(
    Object.assign(new Error("aborted"), { name: "AbortError" }),
    /cancelled; what it had/,
    "setUp",
  );
  check(
    Object.assign(new Error("ENOSPC: x"), { code: "ENOSPC" }),
    /The disk is full\.$/,
    "setUp,showLog",
  );
  check("odd", /^The set-up failed\. odd$/, "setUp,showLog");
});

test("what pip and uv write becomes a sentence", () => {
  const reasons: [string, RegExp][] = [
    ["WARNING: Retrying ... NewConnectionError('x')", /index could not be reached/],
    [
      "error: Failed to fetch\n  Caused by: dns error: failed to lookup address information",
      /could not be reached/,
    ],
    ["ERROR: No matching distribution found for numpy<3,>=1.26", /no fitting version of numpy/],
    ["OSError: [Errno 28] No space left on device", /disk is full/],
    ["one\nERROR: it broke\ntwo", /^ERROR: it broke$/],
    ["", /^The installation failed\.$/],
  ];
  for (const [output, wanted] of reasons) {
    assert.match(reasonOf(output), wanted);
  }
});

test("both ways to install are handed the same", () => {
  for (const tool of [pip, uv]) {
    const [made] = tool.make("/usr/bin/python3", "/env");
    assert.ok(made?.args.includes("/env"));
    const [installed] = tool.install("/env/bin/python", ["-r", "base.txt"]);
    assert.deepEqual(installed?.args.slice(-2), ["-r", "base.txt"]);
    // What installs is brought back before something is added.
    const isTakenOut = tool.finish("/env/bin/python").some(({ args }) => args.includes("pip"));
    assert.equal(tool.reopen("/env/bin/python").length, isTakenOut ? 1 : 0);
  }
});

test("tests of packages are taken out, descriptions that Jedi reads are not", async () => {
  const packages = await mkdtemp(path.join(tmpdir(), "scope-packages-"));
  const kept = ["numpy/core", "numpy/testing", "jedi/typeshed/tests", "tests"];
  const taken = ["numpy/tests", "numpy/core/tests", "regex/tests/deep"];
  for (const folder of [...kept, ...taken]) {
    await mkdir(path.join(packages, folder), { recursive: true });
  }
  const script = pip.finish("python3").at(-1)?.args.at(-1) ?? "";
  const here = `import sysconfig\nsysconfig.get_path = lambda name: ${JSON.stringify(packages)}\n`;
  const { code } = await run("python3", ["-I", "-c", here + script], ".");
  assert.equal(code, 0);
  const isThere = (folder: string): boolean => existsSync(path.join(packages, folder));
  assert.deepEqual([kept.filter(isThere), taken.filter(isThere)], [kept, []]);
});

test("lines of a program come whole, however they are written", async () => {
  const writes = "w('Coll'); setTimeout(() => w('ecting x\\r\\nthe last'), 60)";
  const script = `const w = (text) => process.stdout.write(text); ${writes}`;
  const lines: string[] = [];
  await run(process.execPath, ["-e", script], ".", (line) => lines.push(line));
  assert.deepEqual(lines, ["Collecting x", "the last"]);
});

test("steps of another version are not offered", () => {
  assert.deepEqual(knownRemedies(["setUp", "toString", "fly", 1]), ["setUp"]);
  assert.deepEqual(knownRemedies(undefined), []);
});
