"""Which changes of a code base can be attached to a question, by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from analysis.workspace.git import GitFailed, run_git
from analysis.workspace.git_changes import UNCOMMITTED
from analysis.workspace.git_listing import in_work_tree

# What a branch usually comes from, if the repository does not say it.
_BASES = ("main", "master", "trunk", "develop")
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class OfferedChanges:
    """Changes that somebody may ask about."""

    wanted: str
    """``uncommitted``, a commit or a range."""
    label: str
    detail: str


def offered_changes(folders: Iterable[Path]) -> list[OfferedChanges]:
    """Return what can be attached, the uncommitted changes first; blocking.

    Nothing without a repository; commits and branches are those of the first one.
    """
    root = next((folder for folder in folders if in_work_tree(str(folder))), None)
    if root is None:
        return []
    found = [OfferedChanges(UNCOMMITTED, "uncommitted changes", "working tree and staged")]
    base = _base(root)
    if base is not None:
        found.append(OfferedChanges(f"{base}...", f"changes since {base}", "of this branch"))
    subject = _told(["log", "-1", "--format=%h %s"], root)
    if subject is not None:
        found.append(OfferedChanges("HEAD", "changes of the last commit", subject[:_LONGEST]))
    return found


def _base(root: Path) -> str | None:
    """Return the branch that this one comes from; None on it, or if none is known."""
    remote = _told(["symbolic-ref", "-q", "--short", "refs/remotes/origin/HEAD"], root)
    here = _told(["rev-parse", "--verify", "-q", "HEAD"], root)
    for name in ([remote] if remote else []) + list(_BASES):
        commit = _told(["rev-parse", "--verify", "-q", f"{name}^{{commit}}"], root)
        if commit is not None and commit != here:
            return name
        if commit is not None and remote is None:
            return None
    return None


def _told(args: list[str], root: Path) -> str | None:
    try:
        return run_git(args, root).stdout.decode("utf-8", "replace").strip() or None
    except GitFailed:
        return None
