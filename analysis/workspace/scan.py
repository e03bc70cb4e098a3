"""Which files of a code base are searched, and how many are not, by reason."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from analysis.stopping import StopFlag
from analysis.workspace.classify import SkipReason, classify_name
from analysis.workspace.ignore_files import SCOPEIGNORE, IgnoreRules
from analysis.workspace.ignore_patterns import RuleSet, rules_from
from analysis.workspace.listing import list_files, list_these
from analysis.workspace.notebooks import is_notebook
from analysis.workspace.paths import is_printable, printable
from analysis.workspace.safe_open import is_link
from analysis.workspace.walk import folders_above

# A notebook is measured by its cells; its outputs, which are not read, may be this big.
NOTEBOOK_LIMIT = 50_000_000
_FEW = 300  # paths; more do not fit on a command line everywhere, and a whole scan is as quick


class FileRules(Protocol):
    """Which files belong to a code base: its settings, or in a worker what they say."""

    @property
    def max_file_kb(self) -> int:
        """Larger files are left out."""

    @property
    def include_ignored(self) -> Sequence[str]:
        """Globs of ignored files to search all the same."""


@dataclass(frozen=True, slots=True)
class PlainRules:
    """Rules as they go to another process, which then needs no library for settings."""

    max_file_kb: int
    include_ignored: tuple[str, ...]


class ScannedFile(NamedTuple):
    """A file to be searched, as it lay on the disk during the scan; its content was not read."""

    path: str
    size: int
    """Bytes."""
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Scan:
    """The files of a code base."""

    files: tuple[ScannedFile, ...]
    """Sorted by path. Each is a real file below the root, and none is there twice."""
    skipped: Mapping[SkipReason, tuple[str, ...]]
    """What was left out, by reason. An ignored folder counts once and ends with ``/``."""
    notes: tuple[str, ...] = ()
    """What the user should know, in whole sentences."""

    @property
    def counts(self) -> dict[str, int]:
        """How many were left out, by reason."""
        return {reason: len(paths) for reason, paths in self.skipped.items()}

    def without(self, left_out: Mapping[str, SkipReason]) -> Scan:
        """Return the scan without some of its files, which are counted by reason.

        Args:
            left_out: Why each of these paths is left out.
        """
        skipped: dict[SkipReason, tuple[str, ...]] = dict(self.skipped)
        for path, reason in left_out.items():
            skipped[reason] = (*skipped.get(reason, ()), path)
        kept = tuple(file for file in self.files if file.path not in left_out)
        return Scan(kept, skipped, self.notes)


def scan_root(
    root: str,
    settings: FileRules,
    stop: StopFlag | None = None,
    only: Sequence[str] | None = None,
) -> Scan:
    """Return the files below a root that are to be searched.

    Args:
        root: Real path of the folder.
        settings: What to leave out.
        stop: Polled; a set flag raises ``Cancelled``.
        only: Paths to look at; None for all.
    """
    wanted = rules_from(settings.include_ignored) if settings.include_ignored else None
    if only is not None and len(only) <= _FEW:
        listing = list_these(root, only, wanted)
    else:
        listing = list_files(root, wanted, stop)
        if only is not None:
            listing = listing.only(set(only))
    own_rules = IgnoreRules(root, SCOPEIGNORE, folders_above(root))
    sorter = _Sorter(root, settings.max_file_kb * 1000, own_rules, wanted)
    for number, (path, state) in enumerate(listing.files):
        if stop is not None and number % 1000 == 0:
            stop.check()
        sorter.put(path, state)
    for path in listing.ignored:
        sorter.skip("ignored", path)
    for path in listing.unreadable:
        sorter.skip("unreadable", path)
    for path in listing.worktrees:
        sorter.skip("linked_worktree", path)
    return Scan(
        tuple(sorted(sorter.files)),
        {reason: tuple(paths) for reason, paths in sorter.skipped.items()},
        tuple(listing.notes),
    )


@dataclass(slots=True)
class _Sorter:
    """Puts each listed path where it belongs."""

    root: str
    largest: int
    own_rules: IgnoreRules
    wanted: RuleSet | None
    files: list[ScannedFile] = field(default_factory=list)
    skipped: dict[SkipReason, list[str]] = field(default_factory=dict)
    _real_folders: dict[str, bool] = field(default_factory=lambda: {"": True})
    _plain_folders: dict[str, bool] = field(default_factory=dict)

    def put(self, path: str, state: os.stat_result) -> None:
        """Keep one path, or count it as left out."""
        reason = self._reason(path, state)
        if reason is None:
            self.files.append(ScannedFile(path, state.st_size, state.st_mtime_ns))
        else:
            self.skip(reason, path)

    def skip(self, reason: SkipReason, path: str) -> None:
        """Count one path as left out."""
        self.skipped.setdefault(reason, []).append(printable(path))

    def _reason(self, path: str, state: os.stat_result) -> SkipReason | None:
        folder = path.rpartition("/")[0]
        is_plain = self._plain_folders.get(folder)
        if is_plain is None:
            is_plain = self._plain_folders[folder] = self._is_plain_folder(folder)
        is_file = stat.S_ISREG(state.st_mode)
        # A regular file is no link: most files of most code bases are settled by their names.
        if not is_plain or (not is_file and is_link(state)):
            reason = self._reason_by_rules(path, folder, state)
            if reason is not None:
                return reason
        if not is_file or not is_printable(path):
            return "unreadable"
        reason = classify_name(path)
        if reason is None and state.st_size > self.largest:
            return "too_large" if state.st_size > search_limit(path, self.largest) else None
        return reason

    def _is_plain_folder(self, folder: str) -> bool:
        """Return whether nothing but its own state and name decides on a file of the folder."""
        return self._is_real_folder(folder) and not self.own_rules.reach_into(folder)

    def _reason_by_rules(self, path: str, folder: str, state: os.stat_result) -> SkipReason | None:
        if is_link(state) or not self._is_real_folder(folder):
            return self._reason_of_link(path)
        if not stat.S_ISREG(state.st_mode) or not is_printable(path):
            return "unreadable"
        is_wanted = self.wanted is not None and self.wanted.covers(path)
        return (
            "ignored" if not is_wanted and self.own_rules.ignores(path, is_folder=False) else None
        )

    def _reason_of_link(self, path: str) -> SkipReason:
        """Return what a link is; what it leads to is found under its own name, if it belongs."""
        real = os.path.realpath(f"{self.root}/{path}")
        if real != self.root and not real.startswith(self.root.rstrip(os.sep) + os.sep):
            return "outside_root"
        return "duplicate_link" if os.path.lexists(real) else "unreadable"

    def _is_real_folder(self, folder: str) -> bool:
        """Return whether no part of the folder's path below the root is a link."""
        known = self._real_folders.get(folder)
        if known is not None:
            return known
        above = folder.rpartition("/")[0]
        known, end = True, len(above) if self._real_folders.get(above) else 0
        while known and end < len(folder):  # no recursion: folders may nest by the thousand
            end = folder.find("/", end + 1)
            end = len(folder) if end == -1 else end
            step = folder[:end]
            known = self._real_folders.get(step, False) or _is_no_link(f"{self.root}/{step}")
            self._real_folders[step] = known
        self._real_folders[folder] = known
        return known


def _is_no_link(path: str) -> bool:
    try:
        return not is_link(os.lstat(path))
    except (OSError, ValueError):
        return False  # gone since it was listed


def search_limit(path: str, largest: int) -> int:
    """Return how many bytes a file to be searched may have on the disk."""
    return max(largest, NOTEBOOK_LIMIT) if is_notebook(path) else largest
