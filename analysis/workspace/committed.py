"""Whether files are what a commit holds, told without running what the repository configures."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import PathOutsideRoot
from analysis.workspace.decoding import decode
from analysis.workspace.git import GitFailed, head_commit, remote_url, run_git
from analysis.workspace.safe_open import read_inside

LARGEST_BLOB = 20_000_000
"""Bytes of a file that is compared with its commit; no larger one is shown."""


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
            blob = f"{self.name}:./{path}"
            if int(run_git(["cat-file", "-s", blob], self.root).stdout) > LARGEST_BLOB:
                return False  # What takes no space in a repository can fill the memory.
            stored = run_git(["cat-file", "blob", blob], self.root).stdout
        except (GitFailed, OSError, PathOutsideRoot):
            return False
        return decode(path, stored).text == decode(path, shown).text


def commit_of(root: str | os.PathLike[str]) -> Commit | None:
    """Return the commit of a folder; None without one, or if its repository has no remote."""
    commit, url = head_commit(root), remote_url(root)
    return None if commit is None or url is None else Commit(Path(root), url, commit)
