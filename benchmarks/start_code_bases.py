"""Fetch the code bases that the questions of `start_questions.jsonl` are about, each once.

Python comes from source distributions, TypeScript and JavaScript from npm tarballs, Go and Java
from Debian's source packages: the upstream archive, without Debian's patches. Versions are pinned.
What a repository would not hold is removed: built copies of the sources, the package's metadata.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from benchmarks.questions import Question


def fetch(question: Question, folder: Path) -> Path:
    """Return the folder of a question's code base, fetched if it is not there yet."""
    target = folder / str(question["repo"])
    if target.is_dir():
        return target
    downloads = folder / "downloads" / question["repo"]
    shutil.rmtree(downloads, ignore_errors=True)
    downloads.mkdir(parents=True)
    archive = _ARCHIVES[question["ecosystem"]](question["package"], question["version"], downloads)
    unpacked = folder / "unpacked" / question["repo"]
    shutil.rmtree(unpacked, ignore_errors=True)
    with tarfile.open(archive) as tar:
        tar.extractall(unpacked, filter="data")
    (top,) = unpacked.iterdir()
    for pattern in question["leave_out"]:
        for path in top.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    # A repository of its own, so that no ignore rule of the folder around it hides it.
    subprocess.run(["git", "init", "--quiet", top], check=True)
    # Last, so that a code base that is there is a whole one.
    top.rename(target)
    return target


def _from_pypi(package: str, version: str, downloads: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary",
               package, f"{package}=={version}"]  # fmt: skip
    subprocess.run(command, cwd=downloads, check=True)
    return next(downloads.glob("*.tar.gz"))


def _from_npm(package: str, version: str, downloads: Path) -> Path:
    command = ["npm", "pack", "--silent", f"{package}@{version}"]
    subprocess.run(command, cwd=downloads, check=True, stdout=subprocess.DEVNULL)
    return next(downloads.glob("*.tgz"))


def _from_debian(package: str, version: str, downloads: Path) -> Path:
    options = _apt_options(downloads.parent / "apt")
    command = ["apt-get", *options, "-qq", "source", "--download-only", "--tar-only",
               "--only-source", f"{package}={version}"]  # fmt: skip
    subprocess.run(command, cwd=downloads, check=True)
    return next(path for path in downloads.iterdir() if ".orig.tar." in path.name)


def _apt_options(state: Path) -> list[str]:
    """Return options with which apt knows source packages, which few machines have switched on.

    Its lists are kept apart, so that nothing of the machine is changed.
    """
    sources, lists, cache = state / "sources", state / "lists", state / "cache"
    places = {
        "Dir::Etc::sourceparts": sources,
        "Dir::Etc::sourcelist": Path("/dev/null"),
        "Dir::State::lists": lists,
        "Dir::Cache": cache,
    }
    options = ["-o", "APT::Sandbox::User=root"]
    options += [part for name, path in places.items() for part in ("-o", f"{name}={path}")]
    if not lists.is_dir():
        for folder in (sources, lists / "partial", cache / "archives" / "partial"):
            folder.mkdir(parents=True, exist_ok=True)
        for path in (Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")):
            if path.is_file():
                (sources / path.name).write_text(_as_sources(path.read_text()))
        subprocess.run(["apt-get", *options, "-qq", "update"], check=True)
    return options


def _as_sources(text: str) -> str:
    """Return a list of binary packages as one of source packages, in either form of the file."""
    lines = text.replace("Types: deb\n", "Types: deb-src\n").split("\n")
    return "\n".join(f"deb-src{line[3:]}" if line.startswith("deb ") else line for line in lines)


_ARCHIVES = {"pypi": _from_pypi, "npm": _from_npm, "debian": _from_debian}
