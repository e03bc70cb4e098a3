/** Finds the user's Python, and runs programs without a shell and outside the user's folder. */
import { spawn } from "node:child_process";
import { isAbsolute } from "node:path";

/** How a program ended, with all it wrote. */
export interface Finished {
  code: number;
  output: string;
}

/** A Python that can make environments. */
export interface Python {
  command: string;
  args: string[];
  version: string;
}

/** What was tried when no Python fits, one sentence each. */
export class NoPython extends Error {
  constructor(readonly tried: readonly string[]) {
    super(`No Python ${MINIMUM.join(".")} or newer was found.`);
  }
}

const MINIMUM: readonly [number, number] = [3, 11];
const PROBE =
  "import sys, venv, ensurepip; print('%d.%d.%d' % sys.version_info[:3], sys.executable, sep='|')";

/** Runs a program to its end in `cwd`; rejects only if it cannot be started. */
export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  onLine: (line: string) => void = () => undefined,
  signal?: AbortSignal,
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: cleanEnvironment(), signal, windowsHide: true });
    let output = "";
    let begun = "";
    const take = (data: Buffer): void => {
      const text = data.toString("utf8");
      output += text;
      const lines = (begun + text).split(/\r?\n/);
      begun = lines.pop() ?? "";
      lines.filter((line) => line.trim() !== "").forEach(onLine);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("error", reject);
    child.on("close", (code) => {
      if (begun.trim() !== "") {
        onLine(begun);
      }
      resolve({ code: code ?? -1, output });
    });
  });
}

/** The environment without what would make a Python import from elsewhere than its own folders. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const unwanted = new Set(["PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV"]);
  const kept = Object.entries(process.env).filter(([name]) => !unwanted.has(name.toUpperCase()));
  return { ...Object.fromEntries(kept), PYTHONSAFEPATH: "1", PYTHONUTF8: "1" };
}

/**
 * Returns the first Python that is new enough and can make environments.
 *
 * @param wanted The user's choice; nothing else is tried if it is given.
 */
export async function findPython(wanted: string, cwd: string): Promise<Python> {
  const tried: string[] = [];
  for (const [command, ...args] of wanted === "" ? usualNames() : [[wanted]]) {
    const found = await probe(command ?? "", args, cwd);
    if (typeof found !== "string") {
      return found;
    }
    tried.push(`${[command, ...args].join(" ")}: ${found}`);
  }
  throw new NoPython(tried);
}

function usualNames(): string[][] {
  if (process.platform === "win32") {
    return [["py", "-3"], ["python"], ["python3"]];
  }
  return [["python3"], ["python"], ["python3.14"], ["python3.13"], ["python3.12"], ["python3.11"]];
}

/** Returns the Python, or why it does not fit. */
async function probe(command: string, args: string[], cwd: string): Promise<Python | string> {
  if (/[\\/]/.test(command) && !isAbsolute(command)) {
    return "the path is not absolute";
  }
  try {
    const { code, output } = await run(command, [...args, "-I", "-c", PROBE], cwd);
    if (code !== 0) {
      return /ensurepip|venv/.test(output)
        ? "it cannot make environments (on Debian and Ubuntu: install python3-venv)"
        : (output.trim().split("\n").at(-1) ?? "it does not run");
    }
    const [version = "", executable = ""] = output.trim().split("|");
    const [major = 0, minor = 0] = version.split(".").map(Number);
    const isNew = major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
    return isNew ? { command: executable, args: [], version } : `version ${version} is too old`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "not found" : String(error);
  }
}
