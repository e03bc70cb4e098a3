// Bundles the extension and its panel into dist/. usage: node scripts/build.mjs [--watch]
import { build, context } from "esbuild";

const common = {
  bundle: true,
  minify: true,
  sourcemap: false,
  outdir: "dist",
  logLevel: "warning",
  loader: { ".svg": "text" },
  legalComments: "none",
};
const LIBRARY = "vscode-languageclient/node";
const inEditor = {
  ...common,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  mainFields: ["module", "main"],
};
// The library is a file of its own: to read it takes longer than to run all the rest.
const apart = {
  name: "library",
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`^${LIBRARY}$`) }, () => ({
      path: "./library.js",
      external: true,
    })),
};
const targets = [
  { ...inEditor, entryPoints: { extension: "src/extension.ts" }, plugins: [apart] },
  { ...inEditor, entryPoints: { library: LIBRARY } },
  {
    ...common,
    entryPoints: {
      panel: "src/webview/main.ts",
      mermaid: "src/webview/mermaidScript.ts",
      "panel-style": "src/webview/panel.css",
      ask: "src/webview/askMain.ts",
      "ask-style": "src/webview/ask.css",
    },
    platform: "browser",
    format: "iife",
    target: "es2022",
  },
];

if (process.argv.includes("--watch")) {
  for (const target of targets) {
    await (await context(target)).watch();
  }
} else {
  await Promise.all(targets.map((target) => build(target)));
}
