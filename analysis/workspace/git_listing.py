"""What git itself says about the files of one work tree."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from analysis.stopping import StopFlag
from analysis.workspace.git import GitFailed, GitOutput, run_git, user_excludes_file
from analysis.workspace.ignore_patterns import RuleSet

_LIST = ["ls-files", "-z", "-c", "-o", "--exclude-standard"]
_CLOSED = re.compile(r"could not open directory '(.+?)'")
_LIST_IGNORED = ["ls-files", "-z", "-o", "-i", "--exclude-standard"]


@dataclass(frozen=True, slots=True)
class GitListing:
    """Names relative to the folder that was asked about."""

    names: list[str]
    """Files that belong; a submodule or a repository inside is one name, too."""
    ignored: list[str]
    """Ignored files and folders; folders end with ``/`` and stand for all that is in them."""
    unreadable: list[str]
    """Folders that git could not look into; they end with ``/``."""


def in_work_tree(folder: str) -> bool:
    """Return whether git could know the folder: to start git for nothing takes milliseconds."""
    path = Path(folder)
    return any(os.path.lexists(parent / ".git") for parent in (path, *path.parents))


def ask_git(
    folder: str, wanted: RuleSet | None, stop: StopFlag | None, only: Sequence[str] = ()
) -> GitListing:
    """Return what ``git ls-files`` says about a folder.

    Args:
        folder: In a work tree, not necessarily its top.
        wanted: Rules for ignored files that are listed all the same.
        stop: Polled; a set flag raises ``Cancelled``.
        only: Names in the folder to be asked about; all if empty.

    Raises:
        GitFailed: Git is missing, refused or took too long.
    """
    config = _excludes(folder)

    def ask(args: list[str]) -> GitOutput:
        return run_git([*args, "--", *only], folder, config=config, stop=stop)

    # Two processes at once: both wait for the disk most of the time.
    with ThreadPoolExecutor(2) as threads:
        every = threads.submit(ask, _LIST)
        ignored = threads.submit(ask, [*_LIST_IGNORED, "--directory"])
        told, left_out = every.result(), _or_none(ignored)
    found = _safe_names(told.stdout)
    if wanted is not None:
        more = _safe_names(ask(_LIST_IGNORED).stdout)
        found += [name for name in more if wanted.covers(name)]
        left_out = [name for name in left_out if not wanted.covers(name)]
    unreadable = [name for name in _CLOSED.findall(told.stderr) if _stays_inside(name)]
    return GitListing(list(dict.fromkeys(found)), left_out, unreadable)


def ask_git_for_untracked(folder: str, stop: StopFlag | None = None) -> list[str]:
    """Return the files of a folder that git neither tracks nor ignores.

    A repository inside is one name that ends with ``/``.

    Raises:
        GitFailed: Git is missing, refused or took too long.
    """
    args = ["ls-files", "-z", "-o", "--exclude-standard"]
    return _safe_names(run_git(args, folder, config=_excludes(folder), stop=stop).stdout)


def why_git_ignores(folder: str, name: str) -> tuple[str, str] | None:
    """Return (file and line, rule) for which git ignores a name in a folder of its work tree."""
    try:
        output = run_git(
            ["check-ignore", "-v", "--", name], folder, config=_excludes(folder), ok_codes=(0, 1)
        ).stdout
    except GitFailed:
        return None
    source, _, _ = os.fsdecode(output).partition("\t")
    match = re.match(r"(.+?):(\d+):(.*)", source, re.DOTALL)
    return (f"{match[1]}:{match[2]}", match[3]) if match else None


def _or_none(output: Future[GitOutput]) -> list[str]:
    """Return the ignored names; git itself fails on that question deep in an ignored folder."""
    try:
        return _safe_names(output.result().stdout)
    except GitFailed:
        return []


def _excludes(folder: str) -> dict[str, str]:
    excludes = user_excludes_file(folder)
    return {} if excludes is None else {"core.excludesFile": excludes}


def git_ignores(folder: str, name: str) -> bool:
    """Return whether git ignores one name in a folder of its work tree."""
    args = ["check-ignore", "-q", "--", name]
    return run_git(args, folder, config=_excludes(folder), ok_codes=(0, 1)).code == 0


def _safe_names(output: bytes) -> list[str]:
    """Return the names that git printed, without any that would climb out of the folder."""
    names = os.fsdecode(output).split("\0")
    return [name for name in names if _stays_inside(name)]


def _stays_inside(name: str) -> bool:
    if not name or name[0] == "/":
        return False
    return ".." not in name or ".." not in name.split("/")
