"""Whether files are what a commit holds, told without running what the repository configures."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import PathOutsideRoot
from analysis.models import SourceText
from analysis.workspace.decoding import decode
from analysis.workspace.files import source_of
from analysis.workspace.git import GitFailed, head_commit, remote_url, run_git
from analysis.workspace.safe_open import read_inside

LARGEST_BLOB = 20_000_000
"""Bytes of a file that is compared with its commit; no larger one is shown."""
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class Commit:
    """The commit that is checked out in a folder, and where its repository is hosted."""

    root: Path
    url: str
    name: str

    def holds(self, path: str) -> bool:
        """Return whether a file below the folder has the same text in the commit."""
        try:
            shown = read_inside(os.path.realpath(self.root), path, LARGEST_BLOB)[0]
        except (OSError, PathOutsideRoot):
            return False
        stored = stored_bytes(self.root, f"{self.name}:./{path}")
        return stored is not None and decode(path, stored).text == decode(path, shown).text


def committed_source(root: Path, commit: str, path: str) -> SourceText | None:
    """Return the text of a file in a commit; None without the commit, or the file in it.

    Args:
        root: The top folder of a repository.
        commit: All digits of its name; anything else is no commit.
        path: The file, relative to the root.
    """
    is_commit = _COMMIT.fullmatch(commit) is not None
    stored = stored_bytes(root, f"{commit}:./{path}") if is_commit else None
    return None if stored is None else source_of(path, stored)


def stored_bytes(root: Path, blob: str) -> bytes | None:
    """Return what a repository has stored; None if it has nothing, or more than is shown.

    Args:
        root: A folder of the repository.
        blob: Its name in full digits, or a commit and a path as in ``COMMIT:./PATH``.
    """
    try:
        if int(run_git(["cat-file", "-s", blob], root).stdout) > LARGEST_BLOB:
            return None  # What takes no space in a repository can fill the memory.
        return run_git(["cat-file", "blob", blob], root).stdout
    except (GitFailed, OSError):
        return None


def commit_of(root: str | os.PathLike[str]) -> Commit | None:
    """Return the commit of a folder; None without one, or if its repository has no remote."""
    commit, url = head_commit(root), remote_url(root)
    return None if commit is None or url is None else Commit(Path(root), url, commit)
