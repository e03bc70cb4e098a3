// Plays the extension's set-up outside of the editor, as it can go well and wrong, and says seconds and MB.
// usage: node scripts/setup-cases.mjs   (after npm run vsix; needs a package index; disk full needs root)
// Each case has a profile of its own and starts with an empty package cache unless it says otherwise.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "scope-setup-"));
const python = process.env.PYTHON ?? "python3";
const before = { ...process.env };

async function bundled() {
  const stdin = {
    contents: `export { PrivateEnvironment } from "./environment"; export { explained } from "./setupProblem";`,
    resolveDir: "src",
    loader: "ts",
  };
  const outfile = path.join(root, "setup.mjs");
  await build({ stdin, outfile, bundle: true, platform: "node", format: "esm", target: "node20" });
  return import(pathToFileURL(outfile).href);
}

const { PrivateEnvironment, explained } = await bundled();
let hasFailed = false;

// Runs one set-up; `wanted` is what the panel must say of a failure, or what must have been used.
async function play(name, { env = {}, interpreter = python, storage, cancelAfter, wanted }) {
  for (const key of Object.keys(process.env)) delete process.env[key];
  Object.assign(process.env, before, env);
  const folder = storage ?? fs.mkdtempSync(path.join(root, "profile-"));
  const environment = await PrivateEnvironment.of(process.cwd(), folder);
  const abort = new AbortController();
  const lines = [];
  const step = (text) => {
    lines.push(text);
    if (text === cancelAfter) setTimeout(() => abort.abort(), 1_500);
  };
  const started = performance.now();
  let said = "";
  try {
    await environment.make(interpreter, {
      step,
      log: (line) => lines.push(line),
      signal: abort.signal,
    });
    said = execFileSync(environment.server.replace(/scope-lsp(\.exe)?$/, "scope$1"), ["--version"])
      .toString()
      .trim();
  } catch (error) {
    const { message, remedies } = explained(error);
    said = `${message} [${remedies.join(", ")}]`;
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const isThere = await environment.isComplete();
  const size = isThere
    ? `${execFileSync("du", ["-sm", environment.folder]).toString().split("\t")[0]} MB`
    : "nothing left";
  const rest = fs.readdirSync(folder).filter((item) => item.startsWith("env-")).length;
  const all = `${lines.join("\n")}\n${said}`;
  const isGood = wanted.test(all) && (isThere || rest === 0);
  hasFailed ||= !isGood;
  console.log(`${isGood ? "ok  " : "FAIL"} ${name}: ${seconds} s, ${size}; ${said}`);
  if (!isGood) console.log(all.slice(-1_500));
}

const folder = (name) => {
  const made = path.join(root, name);
  fs.mkdirSync(made, { recursive: true });
  return made;
};

function withUv() {
  const target = folder("uv");
  execFileSync(python, [
    "-m",
    "pip",
    "install",
    "-q",
    "--disable-pip-version-check",
    "--target",
    target,
    "uv",
  ]);
  return `${path.join(target, "bin")}${path.delimiter}${before.PATH}`;
}

function oldPython() {
  const file = path.join(root, "python3.9");
  fs.writeFileSync(file, "#!/bin/sh\necho '3.9.2|/usr/bin/python3.9'\n", { mode: 0o755 });
  return file;
}

const withPip = { PIP_CACHE_DIR: folder("pip-cache") };
const PATH = withUv();
const uv = { PATH, UV_CACHE_DIR: folder("uv-cache"), PIP_CACHE_DIR: folder("pip-cache-2") };
await play("pip, empty cache", { env: withPip, wanted: /\d+\.\d+\.\d+/ });
await play("pip, filled cache", { env: withPip, wanted: /\d+\.\d+\.\d+/ });
await play("uv, empty cache", {
  env: uv,
  wanted: /Resolved \d+ packages/,
});
await play("uv, filled cache", { env: uv, wanted: /Resolved \d+ packages/ });
const nowhere = {
  PIP_INDEX_URL: "http://127.0.0.1:9/simple",
  PIP_EXTRA_INDEX_URL: "",
  PIP_FIND_LINKS: "",
  PIP_NO_INDEX: "0",
  PIP_CACHE_DIR: folder("none"),
};
await play("no network, pip", { env: nowhere, wanted: /could not be reached.*\[setUp, showLog\]/ });
const uvNowhere = {
  ...nowhere,
  PATH,
  UV_CACHE_DIR: folder("none-2"),
  UV_INDEX_URL: "http://127.0.0.1:9/simple",
  UV_DEFAULT_INDEX: "http://127.0.0.1:9/simple",
  UV_FIND_LINKS: "",
};
await play("no network, uv, then pip", {
  env: uvNowhere,
  wanted: /uv could not do it[\s\S]*could not be reached.*\[setUp, showLog\]/,
});
await play("an old Python", {
  interpreter: oldPython(),
  wanted: /version 3\.9\.2 is too old.*\[choosePython, setUp\]/,
});
await play("cancelled in the middle", {
  env: { PIP_CACHE_DIR: folder("cancelled") },
  cancelAfter: "installing what the language server needs",
  wanted: /was cancelled; what it had downloaded was removed.*\[setUp\]/,
});
const small = folder("small");
if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=60m", "tmpfs", small]).status === 0) {
  try {
    await play("disk full", {
      env: withPip,
      storage: small,
      wanted: /The disk is full\. \[setUp, showLog\]/,
    });
  } finally {
    execFileSync("umount", [small]);
  }
} else {
  console.log("     disk full: not played, a small disk needs root");
}
fs.rmSync(root, { recursive: true, force: true });
process.exit(hasFailed ? 1 : 0);
