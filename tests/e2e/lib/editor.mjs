// Serves the real editor on loopback and ends it again, with everything it started.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { until } from "./wait.mjs";

// In today's forms: VS Code writes a file with older ones anew, some seconds after a window is loaded.
const USER_SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": "off",
  "extensions.ignoreRecommendations": true,
  "update.mode": "none",
  "git.enabled": false,
  "workbench.tips.enabled": false,
  "workbench.editor.enablePreview": true,
  "editor.minimap.enabled": false,
  "window.autoDetectColorScheme": false,
  "files.autoSave": "off",
};

export class Editor {
  // Trusts every folder, unless `asksForTrust`: a switch of the process, since VS Code reads that setting from a file
  // which it also writes.
  constructor(root, port, { data = "data", asksForTrust = false } = {}) {
    this.root = root;
    this.port = port;
    this.data = path.join(root, data);
    this.asksForTrust = asksForTrust;
    this.entry = path.join(root, "cs/node_modules/code-server/out/node/entry.js");
  }

  get base() {
    return ["--config", `${this.root}/cs-config.yaml`, "--user-data-dir", this.data, "--extensions-dir", `${this.root}/exts`];
  }

  // A fresh profile with the extensions installed.
  prepare(packages, machineSettings) {
    for (const folder of ["data", "exts", "index", "model"]) {
      fs.rmSync(path.join(this.root, folder), { recursive: true, force: true });
    }
    this.profile(machineSettings);
    const installs = packages.flatMap((item) => ["--install-extension", item]);
    const { status, stderr, stdout } = spawnSync(process.execPath, [this.entry, ...this.base, ...installs]);
    if (status !== 0) {
      throw new Error(`the extensions could not be installed: ${`${stdout}${stderr}`.slice(-600)}`);
    }
  }

  // Before the editor starts: a file that it has read is changed through the editor itself.
  profile(machineSettings, userSettings = {}) {
    fs.mkdirSync(path.join(this.data, "User"), { recursive: true });
    fs.writeFileSync(path.join(this.data, "User/settings.json"), JSON.stringify({ ...USER_SETTINGS, ...userSettings }));
    this.machineSettings(machineSettings);
  }

  // Settings of machine scope are read from here in a remote window, and only from here.
  machineSettings(settings) {
    fs.mkdirSync(path.join(this.data, "Machine"), { recursive: true });
    fs.writeFileSync(path.join(this.data, "Machine/settings.json"), JSON.stringify(settings));
  }

  async start() {
    // pip reads this too if it is there: a scenario takes its package index away.
    const pip = { PIP_CONFIG_FILE: path.join(this.root, "pip.conf") };
    // Scenarios about an organisation write it.
    const services = { PGSERVICEFILE: path.join(this.root, "pg_service.conf") };
    const gallery = { serviceUrl: "", itemUrl: "", resourceUrlTemplate: "", controlUrl: "" };
    const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override", "--disable-proxy"];
    // A window whose connection broke on a busy machine would otherwise keep its extension host and server for hours.
    const brief = ["--reconnection-grace-time", "10"];
    const trust = this.asksForTrust ? [] : ["--disable-workspace-trust"];
    // As for most users, Python keeps what it has compiled: that is a part of what the set-up takes.
    const { PYTHONDONTWRITEBYTECODE: _, ...own } = process.env;
    const log = fs.openSync(path.join(this.root, `code-server-${this.port}.log`), "w");
    this.process = spawn(
      process.execPath,
      [this.entry, ...this.base, "--auth", "none", "--bind-addr", `127.0.0.1:${this.port}`, ...quiet, ...brief, ...trust],
      { detached: true, stdio: ["ignore", log, log], env: { ...own, ...pip, ...services, EXTENSIONS_GALLERY: JSON.stringify(gallery) } },
    );
    await until(60_000, "the editor to answer", async () => {
      const answer = await fetch(`http://127.0.0.1:${this.port}/healthz`).catch(() => undefined);
      return answer?.ok;
    });
  }

  // Of a folder, or of a file that lists several.
  url(folder) {
    const kind = folder.endsWith(".code-workspace") ? "workspace" : "folder";
    return `http://127.0.0.1:${this.port}/?${kind}=${encodeURIComponent(folder)}`;
  }

  // Extension host and language servers outlive their parent by some seconds: the whole group is ended.
  async stop() {
    const group = -this.process.pid;
    const isAlive = () => {
      try {
        return process.kill(group, 0);
      } catch {
        return false;
      }
    };
    try {
      process.kill(group, "SIGTERM");
      await until(10_000, "the editor to end", () => !isAlive());
    } catch {
      if (isAlive()) process.kill(group, "SIGKILL");
    }
  }
}

// Pids of the language servers that this editor runs, whatever process groups it put them in.
export function serverPids(editor) {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" });
  const processes = new Map();
  for (const line of stdout.split("\n")) {
    const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (pid) processes.set(Number(pid), { parent: Number(parent), args });
  }
  const isServer = (pid) => /scope-lsp/.test(processes.get(pid)?.args ?? "");
  const isBelow = (pid) => pid === editor.process.pid || (pid > 1 && isBelow(processes.get(pid)?.parent ?? 0));
  // Its own worker processes carry the same command line; the server is the topmost.
  return [...processes.keys()].filter((pid) => isServer(pid) && !isServer(processes.get(pid).parent) && isBelow(pid));
}
