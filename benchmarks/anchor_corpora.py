"""The packages whose code the anchors benchmark cites, in two releases each.

Needs pip and npm. Everything lands in ``benchmarks/data``, which git ignores.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

DATA = Path(__file__).parent / "data" / "anchors"

# Edits are tried on the later release of a pair, history goes from the first to the second.
PYTHON = {
    "click": ("8.1.7", "8.2.1"),
    "requests": ("2.28.2", "2.32.4"),
    "httpx": ("0.25.2", "0.28.1"),
    "jinja2": ("3.0.3", "3.1.6"),
}
NPM = {
    "express": ("4.18.2", "4.21.0"),
    "commander": ("11.1.0", "12.1.0"),
    "@trpc/server": ("11.0.0", "11.4.3"),
}
# Nobody looked at these while the rules were made: what holds there is not learned by heart.
RESERVE_PYTHON = {
    "flask": ("2.2.5", "3.1.1"),
    "marshmallow": ("3.20.1", "3.26.1"),
    "tornado": ("6.2", "6.5.1"),
    "starlette": ("0.30.0", "0.46.2"),
}
RESERVE_NPM = {
    "fastify": ("4.20.0", "5.3.0"),
    "koa": ("2.13.4", "2.16.1"),
    "@tanstack/query-core": ("5.0.5", "5.60.6"),
    "yargs": ("17.3.0", "17.7.2"),
}
_VERSIONS = PYTHON | NPM | RESERVE_PYTHON | RESERVE_NPM
PRETTIER = "prettier@3.3.3"
_ENDINGS = (".py", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".jsx")
_LEFT_OUT = ("node_modules/", "dist/", "docs/", "doc/", "examples/", ".d.ts", ".min.js")


def names(*, reserve: bool = False) -> list[str]:
    """Return the names of all packages, or of those that the rules were not made with."""
    return [*RESERVE_PYTHON, *RESERVE_NPM] if reserve else [*PYTHON, *NPM]


def sources(name: str, release: int) -> dict[str, str]:
    """Return the text of every source file of a release (0: the older one, 1: the newer)."""
    versions = _VERSIONS[name]
    folder = DATA / f"{name.replace('/', '+')}-{versions[release]}"
    if not folder.exists():
        _fetch(name, versions[release], folder)
    found = {}
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder).as_posix()
        if path.suffix in _ENDINGS and not any(part in relative for part in _LEFT_OUT):
            text = path.read_bytes().decode("utf-8", "replace")
            found[relative] = text.replace("\r\n", "\n").replace("\r", "\n")
    return found


def prettier() -> Path:
    """Return the program that formats scripts, fetched if need be."""
    program = DATA / "node_modules" / "prettier" / "bin" / "prettier.cjs"
    if not program.exists():
        command = ["npm", "install", "--silent", "--prefix", str(DATA), PRETTIER]
        subprocess.run(command, check=True)
    return program


def _fetch(name: str, version: str, folder: Path) -> None:
    """Download a release and unpack it."""
    downloads = DATA / "downloads"
    shutil.rmtree(downloads, ignore_errors=True)
    downloads.mkdir(parents=True)
    if name in PYTHON or name in RESERVE_PYTHON:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps"]
        command += ["--no-binary", ":all:", f"{name}=={version}", "-d", str(downloads)]
        subprocess.run(command, check=True)
    else:
        command = ["npm", "pack", "--silent", "--pack-destination", str(downloads)]
        subprocess.run([*command, f"{name}@{version}"], check=True, stdout=subprocess.DEVNULL)
    archive = next(p for p in downloads.iterdir() if p.suffix in (".gz", ".tgz"))
    unpacked = downloads / "unpacked"
    with tarfile.open(archive) as file:
        file.extractall(unpacked, filter="data")
    next(path for path in unpacked.iterdir() if path.is_dir()).rename(folder)


if __name__ == "__main__":
    for package in [*names(), *names(reserve=True)]:
        print(package, [len(sources(package, release)) for release in (0, 1)])
    print(prettier())
