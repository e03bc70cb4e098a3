// Builds the wheel, bundles the extension and packages both. usage: node scripts/vsix.mjs [OUT.vsix]
// PYTHON names a Python with pip (default: ../.venv's if it has pip, then python3); the wheel's build backend
// comes from the package index.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const client = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const repository = path.dirname(client);
const server = path.join(client, "server");
const { version, repository: owned } = JSON.parse(
  readFileSync(path.join(client, "package.json"), "utf8"),
);
const out = path.resolve(process.argv[2] ?? path.join(repository, "dist", `scope-${version}.vsix`));
const MOST_BYTES = 5 * 1024 * 1024; // what the extension may weigh

function run(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
}

const own = path.join(repository, ".venv", "bin", "python");
const python = process.env.PYTHON ?? (existsSync(own) ? own : "python3");
rmSync(server, { recursive: true, force: true });
mkdirSync(server, { recursive: true });
mkdirSync(path.dirname(out), { recursive: true });
const wheel = ["-m", "pip", "wheel", "-q", "--no-deps", "--disable-pip-version-check"];
run(python, [...wheel, "-w", server, repository], repository);
if (readdirSync(server).filter((name) => name.endsWith(".whl")).length !== 1) {
  throw new Error("expected exactly one wheel in client-vscode/server");
}

run(python, ["scripts/requirements.py", server], client);

rmSync(path.join(client, "dist"), { recursive: true, force: true });
run(process.execPath, ["scripts/build.mjs"], client);
copyFileSync(path.join(repository, "LICENSE"), path.join(client, "LICENSE"));
const changelog = path.join(repository, "CHANGELOG.md");
if (existsSync(changelog)) {
  copyFileSync(changelog, path.join(client, "CHANGELOG.md"));
}
// The pictures of the README are taken from the repository, once there is one to take them from.
const url = owned?.url?.replace(/\.git$/, "");
const links =
  url === undefined
    ? ["--allow-missing-repository", "--no-rewrite-relative-links"]
    : [
        ...["--baseContentUrl", `${url}/blob/HEAD/client-vscode`],
        ...["--baseImagesUrl", `${url}/raw/HEAD/client-vscode`],
      ];
const vsce = path.join(client, "node_modules", "@vscode", "vsce", "vsce");
run(process.execPath, [vsce, "package", "--no-dependencies", ...links, "-o", out], client);

const size = statSync(out).size;
process.stdout.write(`${path.relative(repository, out)}: ${(size / 1024 / 1024).toFixed(2)} MB\n`);
if (size > MOST_BYTES) {
  throw new Error(`the package weighs ${size} bytes, more than ${MOST_BYTES}`);
}
