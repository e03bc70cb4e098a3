// Plays the scenarios in one editor, one after the other, and says how many passed.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Editor } from "./lib/editor.mjs";
import { Workbench } from "./lib/workbench.mjs";

const { E2E, E2E_SERVER, E2E_VSIX, E2E_MODEL_VSIX } = process.env;
const here = path.dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(`${E2E}/tools/`)("playwright-core");
const wanted = process.argv.slice(2);
const shots = path.join(E2E, "shots");
const machineSettings = {
  "scope.index.cacheDir": path.join(E2E, "index"),
  ...(E2E_SERVER ? { "scope.server.path": E2E_SERVER } : {}),
};

const names = fs.readdirSync(path.join(here, "scenarios")).sort();
const scenarios = [];
for (const name of names) {
  const module = await import(path.join(here, "scenarios", name));
  const file = name.replace(/\.mjs$/, "");
  for (const [title, play] of Object.entries(module.scenarios)) {
    scenarios.push({ title: `${file.replace(/^\d+-/, "")}: ${title}`, play, file });
  }
}
const chosen = scenarios.filter(({ title }) => wanted.length === 0 || wanted.some((part) => title.includes(part)));

fs.rmSync(shots, { recursive: true, force: true });
fs.mkdirSync(shots, { recursive: true });
const editor = new Editor(E2E, Number(process.env.PORT ?? 18341));
editor.prepare([E2E_VSIX, E2E_MODEL_VSIX], machineSettings);
await editor.start();
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  headless: true,
  args: [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  ],
});
const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
const page = await context.newPage();
page.setDefaultTimeout(45_000);
const workbench = new Workbench(page, editor, shots);
workbench.foreign = [];
page.on("request", (request) => {
  const { host, protocol } = new URL(request.url());
  // Webviews are served by the workbench's own service worker under a name that resolves to nothing.
  if (/^https?:$/.test(protocol) && !host.startsWith("127.0.0.1") && !host.endsWith("vscode-cdn.net")) {
    workbench.foreign.push(request.url());
  }
});
if (process.env.VERBOSE) page.on("console", (message) => console.log(message.type(), message.text().slice(0, 400)));

// Where nothing works any more, what was seen so far is told in time.
const ENOUGH_MS = 40 * 60_000;
const begun = Date.now();
let passed = 0;
let failed = 0;
for (const { title, play } of chosen) {
  if (Date.now() - begun > ENOUGH_MS) {
    console.log(`NOT PLAYED  ${title}`);
    failed++;
    continue;
  }
  // A browser loses a key or a click now and then; a real fault is there the next time too. All tries are shown.
  const isGood = (await tried(title, play, 1)) || (await tried(title, play, 2)) || (await tried(title, play, 3));
  if (isGood) passed++;
  else failed++;
}

async function tried(title, play, attempt) {
  const started = Date.now();
  const seconds = () => ((Date.now() - started) / 1_000).toFixed(1).padStart(5);
  try {
    // What a failed try left behind does not stand in the way of the next.
    if (attempt > 1) await page.goto("about:blank");
    await play(workbench, { ws: path.join(E2E, "ws"), e2e: E2E, machineSettings });
    console.log(`PASS ${seconds()}s  ${title}${attempt > 1 ? `  (at try ${attempt})` : ""}`);
    return true;
  } catch (error) {
    console.log(`FAIL ${seconds()}s  ${title}\n     ${error.stack.split("\n").slice(0, 6).join("\n     ")}`);
    await workbench.shot(`failed-${title.replace(/\W+/g, "-")}`).catch(() => {});
    return false;
  }
}
await browser.close();
await editor.stop();
const { count, seconds: loading } = workbench.loads;
console.log(`${count} windows were loaded in ${loading.toFixed(0)} s`);
console.log(`VS Code scenarios: ${passed} passed, ${failed} failed (screenshots in ${path.relative(process.cwd(), shots)})`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
