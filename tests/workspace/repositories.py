"""Builds folders and real repositories for the tests."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

_IDENTITY = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
_PLAIN = ["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"]


def write(root: Path, tree: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder and return the folder."""
    for name, content in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def git(cwd: Path, *args: str) -> str:
    """Run git as a user would who has no configuration, and return what it prints."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *_IDENTITY, *_PLAIN, *args], cwd=cwd, env=env, capture_output=True, timeout=60
    )
    assert done.returncode == 0, done.stderr.decode()
    return os.fsdecode(done.stdout)


def git_names(cwd: Path, *args: str) -> list[str]:
    """Return the sorted names that a git command prints with ``-z``."""
    return sorted(name for name in git(cwd, *args).split("\0") if name)


def commit(root: Path, tree: Mapping[str, str | bytes]) -> Path:
    """Make a repository with one commit of these files, ignored ones included."""
    write(root, tree)
    git(root, "init", "-q")
    git(root, "add", "-f", "-A")
    git(root, "commit", "-q", "-m", "First")
    return root
