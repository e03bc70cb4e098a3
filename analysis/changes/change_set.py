"""What has changed in a code base: files with their lines, in the code as it is read now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.changes.line_diff import Hunk, followed_lines, hunks_of
from analysis.documents.markdown import inline_code
from analysis.errors import ScopeError
from analysis.workspace.classify import is_binary
from analysis.workspace.committed import stored_bytes
from analysis.workspace.decoding import split_lines
from analysis.workspace.files import source_of
from analysis.workspace.git import GitFailed
from analysis.workspace.git_changes import (
    UNCOMMITTED,
    FileChange,
    GitChanges,
    NoSuchRevision,
    git_changes,
)
from analysis.workspace.ignore_files import SCOPEIGNORE, IgnoreRules
from analysis.workspace.notebooks import is_notebook
from analysis.workspace.walk import folders_above

if TYPE_CHECKING:
    from analysis.stopping import StopFlag
    from analysis.workspace.files import LocalFileBackend

# So many files are compared line by line; of more nobody reads an answer.
_MOST_FILES = 150
_POINTER = b"version https://git-lfs.github.com/spec/"


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that is not what it was, with what is known of its lines."""

    path: str
    change: FileChange
    hunks: tuple[Hunk, ...] = ()
    """In the lines of the file as it is read now."""
    old_text: str | None = None
    """What it held before; None if that is not at hand, or no text."""
    then_text: str | None = None
    """What a commit made of it; None for changes that are in no commit."""
    why_not: str = ""
    """Why its lines are not told, as the end of a sentence; empty if they are."""


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """The changes that are attached to a question."""

    wanted: str
    """``uncommitted``, a commit or a range."""
    since: str = ""
    """What they are compared with, as part of a sentence."""
    files: tuple[ChangedFile, ...] = ()
    notes: tuple[str, ...] = field(default=())
    """What is not among them, in whole sentences."""

    def within(self, paths: Iterable[str]) -> ChangeSet:
        """Return the changes in some files and folders alone."""
        inside = tuple(
            file
            for file in self.files
            if any(file.path == path or file.path.startswith(f"{path}/") for path in paths)
        )
        return replace(self, files=inside)


def changes_of(
    files: LocalFileBackend, wanted: str, searched: frozenset[str], stop: StopFlag | None = None
) -> ChangeSet:
    """Return what has changed in a code base; blocking.

    Args:
        files: The code base; each of its folders is asked.
        wanted: ``uncommitted``, a commit or a range.
        searched: The files that are searched: of others only the number is told.
        stop: Polled; a set flag raises ``Cancelled``.

    Raises:
        NoSuchRevision: No folder's repository has the commit.
    """
    found: list[ChangedFile] = []
    notes: list[str] = []
    since: list[str] = []
    unknown: list[NoSuchRevision] = []
    unsaved = files.unsaved()
    folders = files.folders()
    for label, root in folders.items():
        prefix = f"{label}/" if label else ""
        own = {path.removeprefix(prefix) for path in unsaved if path.startswith(prefix)}
        try:
            changes = git_changes(root, wanted, own, stop)
        except NoSuchRevision as error:
            unknown.append(error)
            continue
        except GitFailed as error:
            where = inline_code(label or root.name)
            notes.append(f"What has changed in {where} is not known: {error}.")
            continue
        since.append(changes.since)
        notes += [f"{inline_code(prefix + path)} {why}." for path, why in changes.not_compared]
        found += _Folder(files, root, prefix, searched, notes).files(changes, stop)
    if unknown and len(unknown) == len(folders):
        raise unknown[0]
    return ChangeSet(wanted, "; ".join(dict.fromkeys(since)), tuple(found), tuple(notes))


class _Folder:
    """Compares the texts of one folder's files."""

    def __init__(
        self,
        files: LocalFileBackend,
        root: Path,
        prefix: str,
        searched: frozenset[str],
        notes: list[str],
    ) -> None:
        self._files = files
        self._root = root
        self._prefix = prefix
        self._searched = searched
        self._notes = notes
        self._rules = IgnoreRules(str(root), SCOPEIGNORE, folders_above(str(root)))

    def files(self, changes: GitChanges, stop: StopFlag | None) -> list[ChangedFile]:
        """Return what has changed of the files that are searched, or were."""
        kept = [change for change in changes.files if self._is_shown(change)]
        left_out = len(changes.files) - len(kept)
        if left_out:
            many = "files that have changed are" if left_out > 1 else "file that has changed is"
            self._notes.append(f"{left_out} {many} left out of the search.")
        if len(kept) > _MOST_FILES:
            rest = len(kept) - _MOST_FILES
            self._notes.append(f"{rest} more files have changed; their lines are not compared.")
        told: list[ChangedFile] = []
        for change in kept[:_MOST_FILES]:
            if stop is not None:
                stop.check()
            file = self._compared(change)
            if file is not None:
                told.append(file)
        return told

    def _is_shown(self, change: FileChange) -> bool:
        """Return whether a file is searched; of one that is gone, whether no rule leaves it out."""
        path = self._prefix + change.path
        names = [name for name in (change.path, change.old_path) if name]
        if any(self._rules.ignores(name, is_folder=False) for name in names):
            return False
        return path in self._searched or change.kind in ("deleted", "submodule")

    def _compared(self, change: FileChange) -> ChangedFile | None:
        """Return a change with its lines; None if the text is what it was."""
        path = self._prefix + change.path
        if change.kind in ("submodule", "link", "mode"):
            return ChangedFile(path, change)
        old_path = change.old_path or change.path
        stored = None if change.old is None else stored_bytes(self._root, change.old)
        if change.old is not None and stored is None:
            return ChangedFile(path, change, why_not="what it was is not at hand")
        if stored is not None and stored.startswith(_POINTER):
            return ChangedFile(path, change, why_not="it is kept outside of the repository (LFS)")
        if stored is not None and not is_notebook(old_path) and is_binary(old_path, stored):
            return ChangedFile(path, change, why_not="it is binary")
        old = "" if stored is None else source_of(old_path, stored).text
        if change.kind == "deleted":
            return ChangedFile(path, change, old_text=old)
        try:
            now = self._files.read(path).text
        except ScopeError:
            return ChangedFile(path, change, why_not="it is not here any more, or no text")
        return self._with_hunks(change, old, now)

    def _with_hunks(self, change: FileChange, old: str, now: str) -> ChangedFile | None:
        path, old_lines, lines = self._prefix + change.path, split_lines(old), split_lines(now)
        if change.new is None:
            hunks = hunks_of(old_lines, lines)
            if not hunks and change.kind == "changed":
                return None  # staged and taken back, or only its line ends differ
            return ChangedFile(path, change, hunks, old)
        stored = stored_bytes(self._root, change.new)
        if stored is None:
            return ChangedFile(path, change, why_not="what it became is not at hand")
        then = source_of(change.path, stored).text
        then_lines = split_lines(then)
        hunks = _in_lines_of_now(hunks_of(old_lines, then_lines), then_lines, lines)
        return ChangedFile(path, change, hunks, old, then)


def _in_lines_of_now(hunks: Iterable[Hunk], then: list[str], now: list[str]) -> tuple[Hunk, ...]:
    """Return what of changes that were committed still stands, where it stands now."""
    where = followed_lines(then, now)
    found: list[Hunk] = []
    for hunk in hunks:
        if not hunk.n_new:
            after = where.get(hunk.new_start) or where.get(hunk.new_start - 1, 0) + 1
            found.append(replace(hunk, new_start=after))
            continue
        # Lines of one change may stand apart now, and some may be gone.
        runs: list[list[int]] = []
        for line in range(hunk.new_start, hunk.new_end + 1):
            at = where.get(line)
            if at is None:
                continue
            if runs and runs[-1][-1] + 1 == at:
                runs[-1].append(at)
            else:
                runs.append([at])
        old: tuple[str, ...] = hunk.old_lines
        for run in runs:
            found.append(Hunk(hunk.old_start, old, run[0], len(run)))
            old = ()
    return tuple(found)


__all__ = ["UNCOMMITTED", "ChangeSet", "ChangedFile", "changes_of"]
