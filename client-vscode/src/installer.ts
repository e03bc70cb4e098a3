/** The programs that make the private environment: uv where the user has it, else venv and pip. */
import { run } from "./python";

/** One program to run, and what the user is told meanwhile. */
export interface Command {
  step: string;
  command: string;
  args: string[];
}

/** A way to make an environment and to install into it. */
export interface Installer {
  name: string;
  /** Returns the commands that make an environment in place of what is in the folder. */
  make: (python: string, folder: string) => Command[];
  /** Returns the commands that install packages, given as arguments, for an environment's Python. */
  install: (python: string, what: readonly string[]) => Command[];
  /** Returns the commands to run before something is added to an environment that is finished. */
  reopen: (python: string) => Command[];
  /** Returns the commands that take out what only installing needs. */
  finish: (python: string) => Command[];
}

const MAKING = "making a private environment";
const INSTALLING = "installing what the language server needs";
const FINISHING = "finishing";

// Compiled files are written when a module is first used: most never are, and take their time and space.
const PIP = ["-I", "-m", "pip", "install", "--no-input", "--disable-pip-version-check"];

const UNINSTALL = ["-I", "-m", "pip", "uninstall", "--yes", "--disable-pip-version-check"];

// The tests of packages are a twentieth of the environment. What Jedi brings along under that name are descriptions
// of other packages, which it reads.
const WITHOUT_TESTS = `
import pathlib, shutil, sysconfig
root = pathlib.Path(sysconfig.get_path("purelib"))
for folder in list(root.glob("*/**/tests")):
    if folder.relative_to(root).parts[0] != "jedi":
        shutil.rmtree(folder, ignore_errors=True)
`;

function withoutTests(python: string): Command {
  return { step: FINISHING, command: python, args: ["-I", "-c", WITHOUT_TESTS] };
}

/** What every Python brings along. */
export const pip: Installer = {
  name: "pip",
  make: (python, folder) => [
    { step: MAKING, command: python, args: ["-I", "-m", "venv", "--clear", folder] },
  ],
  install: (python, what) => [
    { step: INSTALLING, command: python, args: [...PIP, "--no-compile", ...what] },
  ],
  reopen: (python) => [
    { step: INSTALLING, command: python, args: ["-I", "-m", "ensurepip", "--default-pip"] },
  ],
  // These are a seventh of the environment, and every Python can bring them back.
  finish: (python) => [
    { step: FINISHING, command: python, args: [...UNINSTALL, "setuptools", "pip"] },
    withoutTests(python),
  ],
};

/** Faster, and it shares files with its cache. It knows nothing of pip's own settings. */
export const uv: Installer = {
  name: "uv",
  make: (python, folder) => [
    { step: MAKING, command: "uv", args: ["venv", "--python", python, folder] },
  ],
  install: (python, what) => [
    { step: INSTALLING, command: "uv", args: ["pip", "install", "--python", python, ...what] },
  ],
  reopen: () => [],
  finish: (python) => [withoutTests(python)],
};

/** Whether uv is installed. */
export async function hasUv(cwd: string): Promise<boolean> {
  return run("uv", ["--version"], cwd).then(
    ({ code }) => code === 0,
    () => false,
  );
}
