/** The private Python environment that the extension makes from the wheel it brings along. */
import { createHash } from "node:crypto";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import type { Command, Installer } from "./installer";
import { hasUv, pip, uv } from "./installer";
import { findPython, run } from "./python";

/** What is installed only when it is first wanted, and how it is called in `server/`. */
export type Part = "model" | "organisation";

/** Tells the user how the set-up gets on. */
export interface SetupReport {
  step: (message: string) => void;
  log: (line: string) => void;
  signal: AbortSignal;
}

/** A set-up that failed: what, and the lines that say why. */
export class SetupFailed extends Error {
  constructor(
    message: string,
    readonly details: string,
  ) {
    super(message);
  }
}

const MARKER = "complete";

/** One environment a wheel, below the extension's own storage folder. */
export class PrivateEnvironment {
  private constructor(
    readonly folder: string,
    private readonly wheel: string,
    private readonly storage: string,
  ) {}

  /** Returns the environment that belongs to the bundled wheel, made or not; undefined without a wheel. */
  static async of(extensionPath: string, storage: string): Promise<PrivateEnvironment | undefined> {
    const folder = path.join(extensionPath, "server");
    const names = await fs.readdir(folder).catch(() => []);
    const name = names.find((item) => item.endsWith(".whl"));
    if (name === undefined) {
      return undefined;
    }
    const wheel = path.join(folder, name);
    const hash = createHash("sha256")
      .update(await fs.readFile(wheel))
      .digest("hex");
    return new PrivateEnvironment(path.join(storage, `env-${hash.slice(0, 12)}`), wheel, storage);
  }

  /** The server's console script; never `python -m`, which would import from the user's folder. */
  get server(): string {
    return process.platform === "win32"
      ? path.join(this.folder, "Scripts", "scope-lsp.exe")
      : path.join(this.folder, "bin", "scope-lsp");
  }

  /** Whether an earlier set-up ran to its end. */
  async isComplete(): Promise<boolean> {
    return exists(path.join(this.folder, MARKER)).then((done) => done && exists(this.server));
  }

  /** Whether a part was added. */
  async has(part: Part): Promise<boolean> {
    return exists(path.join(this.folder, part));
  }

  /**
   * Makes the environment with what every answer needs; what an interrupted set-up left is replaced.
   *
   * @throws NoPython if none fits, SetupFailed if it cannot be made; nothing is left on the disk then.
   */
  async make(wantedPython: string, report: SetupReport): Promise<void> {
    await fs.mkdir(this.storage, { recursive: true });
    report.step("looking for Python");
    const python = await findPython(wantedPython, this.storage);
    report.log(`Python ${python.version} at ${python.command}`);
    try {
      await this.makeWith(python.command, report);
      await fs.writeFile(path.join(this.folder, MARKER), python.version);
    } catch (error) {
      await fs.rm(this.folder, { recursive: true, force: true }).catch(() => undefined);
      throw error;
    }
    await this.removeOlder();
  }

  /** Adds a part to the environment that was made. */
  async add(part: Part, report: SetupReport): Promise<void> {
    report.step("installing what it needs");
    const tools = (await hasUv(this.storage)) ? [uv, pip] : [pip];
    await this.firstOf(tools, report, (tool) => [
      ...tool.reopen(this.python),
      ...tool.install(this.python, this.needs(part)),
      ...tool.finish(this.python),
    ]);
    await fs.writeFile(path.join(this.folder, part), "");
  }

  private async makeWith(python: string, report: SetupReport): Promise<void> {
    const tools = (await hasUv(this.storage)) ? [uv, pip] : [pip];
    await this.firstOf(tools, report, (tool) => [
      ...tool.make(python, this.folder),
      ...tool.install(this.python, this.needs("base")),
      ...tool.install(this.python, ["--no-deps", this.wheel]),
      ...tool.finish(this.python),
    ]);
  }

  private needs(list: "base" | Part): string[] {
    return ["-r", path.join(path.dirname(this.wheel), `${list}.txt`)];
  }

  /** Runs the commands of the first tool with which all go well. */
  private async firstOf(
    tools: readonly Installer[],
    report: SetupReport,
    commandsOf: (tool: Installer) => Command[],
  ): Promise<void> {
    const [tool, ...others] = tools;
    if (tool === undefined) {
      return;
    }
    try {
      for (const { step, command, args } of commandsOf(tool)) {
        report.step(step);
        await this.must(command, args, report);
      }
    } catch (error) {
      if (others.length === 0 || report.signal.aborted) {
        throw error;
      }
      report.log(`${tool.name} could not do it: ${String(error)}`);
      await this.firstOf(others, report, commandsOf);
    }
  }

  private get python(): string {
    return process.platform === "win32"
      ? path.join(this.folder, "Scripts", "python.exe")
      : path.join(this.folder, "bin", "python");
  }

  private async must(command: string, args: string[], report: SetupReport): Promise<void> {
    const onLine = (line: string): void => {
      report.log(line);
      const package_ = /^(?:Collecting|Downloading) ([\w.-]+)/.exec(line)?.[1];
      if (package_ !== undefined) {
        report.step(`installing ${package_}`);
      }
    };
    const { code, output } = await run(command, args, this.storage, onLine, report.signal);
    if (code !== 0) {
      throw new SetupFailed(reasonOf(output), output);
    }
  }

  /** Environments of earlier versions only take space; one in use by another window may stay. */
  private async removeOlder(): Promise<void> {
    const names = await fs.readdir(this.storage);
    const older = names.filter(
      (name) => name.startsWith("env-") && name !== path.basename(this.folder),
    );
    await Promise.allSettled(
      older.map((name) => fs.rm(path.join(this.storage, name), { recursive: true, force: true })),
    );
  }
}

/** Returns one sentence for people from what pip or venv wrote. */
export function reasonOf(output: string): string {
  if (
    /NewConnectionError|Failed to establish|Name or service not known|getaddrinfo|ConnectTimeout|ProxyError|dns error|error sending request/.test(
      output,
    )
  ) {
    return "The Python package index could not be reached.";
  }
  if (/No matching distribution found for (\S+)/.test(output)) {
    const name = /No matching distribution found for (\S+)/.exec(output)?.[1] ?? "";
    return `The package index has no fitting version of ${name}.`;
  }
  if (/No space left on device/.test(output)) {
    return "The disk is full.";
  }
  const last = output
    .trim()
    .split("\n")
    .findLast((line) => /error/i.test(line));
  return last?.trim() ?? "The installation failed.";
}

async function exists(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}
