// Bundles the unit tests and runs them with node's own test runner, on any Node from 20 on.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

const names = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
rmSync(".test", { recursive: true, force: true });
await build({
  entryPoints: names.map((name) => `test/${name}`),
  bundle: true,
  outdir: ".test",
  outExtension: { ".js": ".mjs" },
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["jsdom"],
  loader: { ".svg": "text" },
  sourcemap: "inline",
  logLevel: "warning",
});
const files = names.map((name) => `.test/${name.replace(/\.ts$/, ".mjs")}`);
const { status } = spawnSync(
  process.execPath,
  ["--enable-source-maps", "--test", "--test-reporter=spec", ...files],
  {
    stdio: "inherit",
  },
);
process.exit(status ?? 1);
