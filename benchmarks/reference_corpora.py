"""Fetch the sources that the reference benchmarks run on, and the servers they compare with.

    python -m benchmarks.reference_corpora

Needs pip, npm and git. Everything lands in ``benchmarks/data``, which git ignores; each corpus
is a repository of its own, so that no rule of the outer one hides it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from benchmarks.reference_oracle import CORPORA, DATA

SOURCES = {
    "requests": "requests==2.33.1",
    "httpx": "httpx==0.28.1",
    "rich": "rich==14.1.0",
    "fastapi": "fastapi==0.135.3",
    "django": "django==5.2.19",
}
SERVERS = (
    "pyright",
    "typescript@5.9",
    "typescript-language-server",
    "zod@4.6.7",
    "@trpc/server@11.25.2",
)


def main() -> None:
    """Fetch what is not there yet."""
    CORPORA.mkdir(parents=True, exist_ok=True)
    for corpus, requirement in SOURCES.items():
        if not (CORPORA / corpus).exists():
            _unpack(requirement, CORPORA / corpus)
    subprocess.run(["npm", "install", "--prefix", str(DATA), *SERVERS], check=True)
    for corpus, package in (("zod", "zod"), ("trpc", "@trpc/server")):
        if not (CORPORA / corpus).exists():
            shutil.copytree(DATA / "node_modules" / package, CORPORA / corpus)
    for folder in CORPORA.iterdir():
        subprocess.run(["git", "init", "-q", str(folder)], check=True)


def _unpack(requirement: str, folder: Path) -> None:
    """Download a source distribution and unpack it."""
    downloads = DATA / "downloads"
    shutil.rmtree(downloads, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:"]
    subprocess.run([*command, "-d", str(downloads), requirement], check=True)
    archive = next(downloads.glob("*.tar.gz"))
    with tarfile.open(archive) as file:
        file.extractall(downloads, filter="data")
    next(path for path in downloads.iterdir() if path.is_dir()).rename(folder)


if __name__ == "__main__":
    main()
