"""Lists the files that belong to a folder by git's ignore rules.

In a work tree git itself is asked; each repository inside it, submodule or not, is asked in its
own turn. Elsewhere the ignore files are read. Links are listed and never followed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from analysis.stopping import StopFlag
from analysis.workspace.git import GitFailed
from analysis.workspace.git_listing import ask_git, git_ignores, in_work_tree
from analysis.workspace.ignore_patterns import RuleSet
from analysis.workspace.walk import git_rules, walk
from analysis.workspace.worktrees import is_checked_out_again

_DEEPEST = 32  # repositories inside repositories; nobody nests more


@dataclass(slots=True)
class Listing:
    """What was found below a folder, as paths relative to the root."""

    files: list[tuple[str, os.stat_result]] = field(default_factory=list)
    """Files, links and what else is not a folder, with their own state (``lstat``)."""
    ignored: list[str] = field(default_factory=list)
    """Ignored files and folders; a folder stands for all that is in it and ends with ``/``."""
    unreadable: list[str] = field(default_factory=list)
    """What cannot be looked at; a folder ends with ``/``."""
    notes: list[str] = field(default_factory=list)
    worktrees: list[str] = field(default_factory=list)
    """Folders that hold a repository which is listed already; they end with ``/``."""

    def only(self, paths: set[str]) -> Listing:
        """Return what the listing says about these paths."""
        return Listing(
            [found for found in self.files if found[0] in paths],
            [path for path in self.ignored if path in paths],
            [path for path in self.unreadable if path in paths],
            self.notes,
            [path for path in self.worktrees if path in paths],
        )


def list_files(root: str, wanted: RuleSet | None = None, stop: StopFlag | None = None) -> Listing:
    """Return the files below the root that git's rules let in.

    Args:
        root: Real path of the folder.
        wanted: Rules for ignored files that are listed all the same.
        stop: Polled; a set flag raises ``Cancelled``.
    """
    into = Listing()
    pending = [("", 0)]
    while pending:
        folder, depth = pending.pop()
        if stop is not None:
            stop.check()
        for path in _list_one(root, folder, into, wanted, stop):
            if is_checked_out_again(root, path):
                into.worktrees.append(path + "/")
            elif depth < _DEEPEST:
                pending.append((path, depth + 1))
    return into


def list_these(root: str, paths: Sequence[str], wanted: RuleSet | None = None) -> Listing:
    """Return those of the paths that git's rules let in; a folder stands for its files.

    Args:
        root: Real path of the folder.
        paths: Relative to it; what is not there is left out.
        wanted: Rules for ignored files that are listed all the same.
    """
    into = Listing()
    by_repository: dict[str, list[str]] = {}
    for path in paths:
        by_repository.setdefault(_repository_of(root, path), []).append(path)
    for folder, inside in by_repository.items():
        if folder and _is_left_out(root, folder):
            into.ignored += inside
        elif folder and is_checked_out_again(root, folder):
            into.worktrees += inside
        else:
            _list_some(root, folder, inside, into, wanted)
    return into


def _list_one(
    root: str, folder: str, into: Listing, wanted: RuleSet | None, stop: StopFlag | None
) -> list[str]:
    """List one repository or plain folder; return the repositories found inside it."""
    full = f"{root}/{folder}" if folder else root
    base = f"{folder}/" if folder else ""
    if in_work_tree(full):
        try:
            told = ask_git(full, wanted, stop)
        except GitFailed as error:
            _note_failure(folder, error, into)
        else:
            into.ignored += [base + name for name in told.ignored]
            into.unreadable += [base + name for name in told.unreadable]
            return _stat_all(root, base, told.names, into)
    walked = walk(full, wanted, stop)
    into.ignored += [base + name for name in walked.ignored]
    into.unreadable += [base + name for name in walked.unreadable]
    nested = _stat_all(root, base, walked.names, into)
    return nested + [base + name for name in walked.repositories]


def _stat_all(root: str, base: str, names: Iterable[str], into: Listing) -> list[str]:
    """Add each name that is there; return those that are folders: repositories of their own."""
    nested = []
    for name in names:
        path = (base + name).rstrip("/")
        try:
            state = os.lstat(f"{root}/{path}")
        except (FileNotFoundError, NotADirectoryError):
            continue  # tracked and deleted
        except (OSError, ValueError):
            into.unreadable.append(path)
            continue
        if stat.S_ISDIR(state.st_mode):
            nested.append(path)
        else:
            into.files.append((path, state))
    return nested


def _note_failure(folder: str, error: GitFailed, into: Listing) -> None:
    reason = str(error).splitlines()[0].removeprefix("fatal: ")
    # A folder called ".git" that is no repository is git's way to say: there is nothing to ask.
    if not reason.startswith("not a git repository"):
        into.notes.append(
            f"Git could not list {folder or 'the code base'!r} ({reason}); "
            "the ignore files were read instead."
        )


def _repository_of(root: str, path: str) -> str:
    """Return the innermost folder below the root, around the path, that is a repository."""
    folder = path.rpartition("/")[0]
    while folder and not os.path.lexists(f"{root}/{folder}/.git"):
        folder = folder.rpartition("/")[0]
    return folder


def _is_left_out(root: str, folder: str) -> bool:
    """Return whether a repository inside the root is ignored by one around it."""
    outer = _repository_of(root, folder)
    if outer and _is_left_out(root, outer):
        return True
    full = f"{root}/{outer}" if outer else root
    name = folder[len(outer) :].lstrip("/")
    if in_work_tree(full):
        try:
            return git_ignores(full, name)
        except GitFailed:
            pass
    return git_rules(full).ignores(name, is_folder=True)


def _list_some(
    root: str, folder: str, paths: list[str], into: Listing, wanted: RuleSet | None
) -> None:
    """Add those of the paths, all in one repository, that belong."""
    full = f"{root}/{folder}" if folder else root
    base = f"{folder}/" if folder else ""
    names = [path[len(base) :] for path in paths]
    if in_work_tree(full):
        try:
            told = ask_git(full, wanted, None, names)
        except GitFailed as error:
            _note_failure(folder, error, into)
        else:
            into.ignored += [base + name for name in told.ignored]
            _stat_all(root, base, told.names, into)
            return
    rules = git_rules(full)
    for name in names:
        path = base + name
        if rules.ignores(name, is_folder=False) and not (wanted and wanted.covers(path)):
            into.ignored.append(path)
        else:
            _stat_all(root, base, [name], into)
