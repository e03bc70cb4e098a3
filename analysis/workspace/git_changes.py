"""Which files have changed since a commit, told without running what the repository configures.

Git compares only what it has stored. The files themselves are compared here: git would run the
filters that a repository names to do that.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from analysis.errors import BadInput
from analysis.stopping import StopFlag
from analysis.workspace.committed import LARGEST_BLOB
from analysis.workspace.git import GitFailed, head_commit, run_git
from analysis.workspace.git_listing import ask_git_for_untracked, in_work_tree
from analysis.workspace.safe_open import read_inside

UNCOMMITTED = "uncommitted"
"""What is in the working tree and staged, and in no commit."""

ChangeKind = Literal[
    "changed", "new", "deleted", "renamed", "mode", "submodule", "link", "conflict"
]

_ASKED = ("--raw", "-z", "--no-abbrev", "-M", "--relative", "--no-ext-diff", "--no-textconv",
          "--ignore-submodules=none")  # fmt: skip
_LINK, _SUBMODULE = "120000", "160000"
_ENTRY = re.compile(
    rb"(\d{6}) ([0-9a-f]{40,64}) (\d)\t([^\0]*)\0"
    rb"(?:  ctime: \d+:\d+\n  mtime: (\d+):(\d+)\n  dev: \d+\tino: \d+\n  uid: \d+\tgid: \d+\n"
    rb"  size: (\d+)\tflags: ([0-9a-f]+)\n)?"
)
# Of the index: "assume that it is unchanged", and "it is not checked out".
_ASSUMED, _NOT_HERE = 0x8000, 0x40000000
_REVISION = re.compile(r"[^\s\0:?*\[\\~^-][^\s\0:?*\[\\]*")
_MOST_SUBMODULES = 20
_MOST_READ = 500  # untracked files that are compared with those that are gone
_MANY = 1000  # files, between two looks at the flag


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that is not what it was."""

    path: str
    kind: ChangeKind
    old: str | None = None
    """Name of what was stored before; None if there was nothing."""
    new: str | None = None
    """Name of what is stored since; None if it is the file as it lies there now, or gone."""
    old_path: str | None = None
    """What it was called before, if it was renamed."""
    is_staged: bool = False
    is_untracked: bool = False


@dataclass(frozen=True, slots=True)
class GitChanges:
    """The files of one folder that have changed."""

    files: tuple[FileChange, ...]
    """Sorted by path; paths are relative to the folder."""
    since: str
    """What they are compared with, in words: a commit, or two."""
    not_compared: tuple[tuple[str, str], ...] = ()
    """Paths that may have changed, and why that is not known, as the end of a sentence."""


class NoSuchRevision(BadInput):
    """A commit, branch or range that a repository does not have."""


def git_changes(
    root: Path, wanted: str, unsaved: Collection[str] = (), stop: StopFlag | None = None
) -> GitChanges:
    """Return which files of a folder have changed; blocking.

    Args:
        root: A folder in a work tree, not necessarily its top.
        wanted: ``uncommitted``, a commit (its own changes), or a range as in ``main...``.
        unsaved: Open files whose text is not the one on the disk.
        stop: Polled; a set flag raises ``Cancelled``.

    Raises:
        NoSuchRevision: The repository has no such commit.
        GitFailed: There is no git, no repository, or git failed.
    """
    if not in_work_tree(str(root)):
        raise GitFailed("there is no git repository")
    if wanted == UNCOMMITTED:
        return _uncommitted(root, unsaved, stop)
    return _between(root, wanted, stop)


def _between(root: Path, wanted: str, stop: StopFlag | None) -> GitChanges:
    """Return what a commit or a range has changed."""
    before, after, since = _ends(root, wanted)
    raw = run_git(["diff-tree", "-r", *_ASKED, before, after], root, stop=stop).stdout
    return GitChanges(tuple(sorted(_raw_changes(raw), key=_by_path)), since)


def _ends(root: Path, wanted: str) -> tuple[str, str, str]:
    """Return what is compared with what, and that in words."""
    first, dots, last = wanted.partition("...")
    if not dots:
        first, dots, last = wanted.partition("..")
    if not dots:
        commit = _commit(root, wanted)
        parent = run_git(["rev-parse", "--verify", "-q", f"{commit}^1"], root, ok_codes=(0, 1))
        before = parent.stdout.decode().strip() or _empty_tree(root)
        return before, commit, f"in commit {commit[:10]}"
    before, after = _commit(root, first or "HEAD"), _commit(root, last or "HEAD")
    if dots == "...":
        found = run_git(["merge-base", before, after], root, ok_codes=(0, 1)).stdout
        base = found.decode().split()
        if not base:
            raise NoSuchRevision(f"{wanted!r} has no commit that both sides come from.")
        before = base[0]
    return before, after, f"from {before[:10]} to {after[:10]}"


def _commit(root: Path, name: str) -> str:
    """Return the whole name of a commit.

    Raises:
        NoSuchRevision: There is none; what looks like an option or a path is none either.
    """
    found = b""
    if _REVISION.fullmatch(name):
        args = ["rev-parse", "--verify", "-q", f"{name}^{{commit}}"]
        found = run_git(args, root, ok_codes=(0, 1, 128)).stdout
    if not found.strip():
        hint = "Name a commit or branch, or a range as in main... or v1.0..v2.0."
        raise NoSuchRevision(f"There is no commit {name!r} in the repository.", hint)
    return found.decode().strip()


def _empty_tree(root: Path) -> str:
    """Return the name of a tree without files, by the repository's own hash."""
    return run_git(["hash-object", "-t", "tree", "--stdin"], root).stdout.decode().strip()


def _uncommitted(root: Path, unsaved: Collection[str], stop: StopFlag | None) -> GitChanges:
    """Return what differs from the commit that is checked out: staged, or only in the files."""
    head = head_commit(root)
    args = ["diff-index", "--cached", *_ASKED, head or _empty_tree(root)]
    staged = {item.path: replace(item, new=None, is_staged=True)
              for item in _raw_changes(run_git(args, root, stop=stop).stdout)}  # fmt: skip
    staged = {path: item for path, item in staged.items() if item.kind != "conflict"}
    look = _WorkTree(root, unsaved, stop)
    found = dict(staged)
    for item in look.changed():
        known = staged.get(item.path)
        if known is not None and item.kind in ("changed", "link"):
            item = replace(known, kind="changed" if known.kind == "mode" else known.kind)
        elif known is not None and known.kind == "new" and item.kind == "deleted":
            found.pop(item.path)
            continue
        elif known is not None:
            item = replace(item, old=known.old, old_path=known.old_path, is_staged=True)
        found[item.path] = item
    untracked = ask_git_for_untracked(str(root), stop)
    inside = [(path, "is a repository of its own") for path in untracked if path.endswith("/")]
    new = [path for path in untracked if not path.endswith("/")]
    for path in new:
        known = found.get(path)  # It is no longer tracked, and there all the same.
        kind: ChangeKind = "changed" if known else "new"
        found[path] = FileChange(path, kind, known.old if known else None, is_untracked=True)
    _take_for_renamed(found, new, look)
    since = f"since commit {head[:10]}" if head else "since the repository was made"
    files = tuple(sorted(found.values(), key=_by_path))
    return GitChanges(files, since, (*look.not_compared, *inside))


def _take_for_renamed(found: dict[str, FileChange], new: list[str], look: _WorkTree) -> None:
    """Make one change of a file that is gone and an untracked one that holds the very same."""
    gone = {item.old: item for item in found.values() if item.kind == "deleted" and item.old}
    for path in new[:_MOST_READ] if gone else ():
        like = next(iter(gone), None)
        item = gone.pop(look.name_of(path, like), None) if like else None
        if item is not None and found[path].kind == "new":
            del found[item.path]
            found[path] = FileChange(path, "renamed", item.old, None, item.path, is_untracked=True)


def _by_path(item: FileChange) -> str:
    return item.path


def _raw_changes(raw: bytes) -> Iterator[FileChange]:
    """Yield the changes that git lists in its raw form."""
    words = iter(os.fsdecode(raw).split("\0"))
    for head in words:
        if not head.startswith(":"):
            continue
        old_mode, new_mode, old, new, status = head[1:].split(" ")
        path = next(words, "")
        old_path = path if status[:1] in "RC" else None
        path = next(words, "") if old_path else path
        yield FileChange(
            path,
            _kind(status[:1], (old_mode, new_mode), is_same=old == new),
            None if set(old) == {"0"} else old,
            None if set(new) == {"0"} else new,
            old_path if status[:1] == "R" else None,
        )


def _kind(status: str, modes: tuple[str, str], *, is_same: bool) -> ChangeKind:
    if _SUBMODULE in modes:
        return "submodule"
    if _LINK in modes:
        return "link"
    if status == "U":
        return "conflict"
    named: Mapping[str, ChangeKind] = {"A": "new", "C": "new", "D": "deleted", "R": "renamed"}
    return named.get(status) or ("mode" if is_same else "changed")


class _WorkTree:
    """Compares the files of a folder with what git's index has of them."""

    def __init__(self, root: Path, unsaved: Collection[str], stop: StopFlag | None) -> None:
        self._root = root
        self._real = os.path.realpath(root)
        self._unsaved = unsaved
        self._stop = stop
        self._n_submodules = 0
        self.not_compared: list[tuple[str, str]] = []

    def changed(self) -> Iterator[FileChange]:
        """Yield the tracked files that are not what the index has."""
        # What was written in the same moment as the index may have changed since, unseen.
        written = self._index_time()
        listed = run_git(["ls-files", "-s", "--debug", "-z"], self._root, stop=self._stop).stdout
        in_conflict: set[str] = set()
        for number, match in enumerate(_ENTRY.finditer(listed)):
            if self._stop is not None and number % _MANY == 0:
                self._stop.check()
            mode, blob, stage, path = (os.fsdecode(part) for part in match.groups()[:4])
            if stage != "0":
                if path not in in_conflict:
                    in_conflict.add(path)
                    yield FileChange(path, "conflict", blob if stage == "2" else None)
                continue
            flags = int(match[8] or b"0", 16)
            if not flags & _ASSUMED and not self._is_as_noted(path, match, written):
                yield from self._compared(path, mode, blob, is_here=not flags & _NOT_HERE)

    def _is_as_noted(self, path: str, match: re.Match[bytes], written: int) -> bool:
        """Return whether size and time are those that git noted when it last saw the file."""
        if match[5] is None or path in self._unsaved or match[1] == _SUBMODULE.encode():
            return False
        try:
            state = os.lstat(f"{self._real}/{path}")
        except (OSError, ValueError):
            return False
        noted = int(match[5]) * 1_000_000_000 + int(match[6])
        is_link = stat.S_ISLNK(state.st_mode)
        return (
            state.st_size == int(match[7])
            and state.st_mtime_ns == noted < written
            and is_link == (match[1] == _LINK.encode())
        )

    def _compared(self, path: str, mode: str, blob: str, *, is_here: bool) -> Iterator[FileChange]:
        """Yield a change if a file holds something else than the index."""
        if mode == _SUBMODULE:
            yield from self._submodule(path, blob)
        elif mode == _LINK or Path(self._real, path).is_symlink():
            if self._link_target(path, blob) != blob:
                yield FileChange(path, "link", blob)
        elif path in self._unsaved:
            yield FileChange(path, "changed", blob)
        else:
            try:
                data, _ = read_inside(self._real, path, LARGEST_BLOB + 1)
            except (OSError, BadInput):
                if is_here:
                    yield FileChange(path, "deleted", blob)
                return
            if len(data) > LARGEST_BLOB:
                self.not_compared.append((path, "is too large to be compared"))
            elif blob not in {_name(data, blob), _name(data.replace(b"\r\n", b"\n"), blob)}:
                yield FileChange(path, "changed", blob)

    def _submodule(self, path: str, blob: str) -> Iterator[FileChange]:
        """Yield a change if another commit is checked out; what is in it is not looked at."""
        self._n_submodules += 1
        folder = Path(self._real, path)
        if not (folder / ".git").exists():
            return
        self.not_compared.append((path, "is a submodule, and what has changed in it not looked at"))
        if self._n_submodules > _MOST_SUBMODULES:
            return
        if head_commit(folder) not in (None, blob):
            yield FileChange(path, "submodule", blob)

    def name_of(self, path: str, like: str) -> str:
        """Return the name under which git would store a file; empty if it cannot be read."""
        try:
            return _name(read_inside(self._real, path, LARGEST_BLOB)[0], like)
        except (OSError, BadInput):
            return ""

    def _link_target(self, path: str, like: str) -> str | None:
        try:
            return _name(os.fsencode(os.readlink(f"{self._real}/{path}")), like)  # noqa: PTH115
        except (OSError, ValueError):
            return None

    def _index_time(self) -> int:
        """Return when the index was written (ns); 0 if that is not known."""
        told = run_git(["rev-parse", "--git-path", "index"], self._root).stdout
        try:
            return Path(self._root, os.fsdecode(told.strip())).stat().st_mtime_ns
        except OSError:
            return 0


def _name(data: bytes, like: str) -> str:
    """Return the name under which git stores a text, by the hash that another name was made by."""
    kind = hashlib.sha1 if len(like) == 40 else hashlib.sha256
    return kind(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
