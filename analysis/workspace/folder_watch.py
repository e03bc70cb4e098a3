"""Tells what has changed below a folder since it was last asked, from events the system keeps.

The system notes each change in the moment in which it is made, and what it noted is read when
somebody asks: no thread waits, and no change that was made before the question is missed. Where
that cannot be had for the whole folder (another system, a disk over a network, too many folders)
there is no watch, and who asks has to look at all files.
"""

from __future__ import annotations

import logging
import os
import re
import stat
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from analysis.workspace.git import config_files, user_excludes_file
from analysis.workspace.ignore_files import GITIGNORE, SCOPEIGNORE
from analysis.workspace.walk import folders_above
from analysis.workspace.worktrees import git_folders

logger = logging.getLogger(__name__)

_RULES = frozenset({GITIGNORE, SCOPEIGNORE, ".gitmodules"})
# Whose changes are made on this machine and nowhere else. Of others the system cannot tell.
_LOCAL_DISKS = frozenset(
    ["bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "jfs", "overlay", "tmpfs", "xfs", "zfs"]
)
_MOUNTS = Path("/proc/self/mountinfo")
_MOST_WATCHES = Path("/proc/sys/fs/inotify/max_user_watches")
_OUR_SHARE = 0.5  # other programs of the user watch too
_OCTAL = re.compile(r"\\(\d{3})")


class FolderWatch:
    """Notes what changes below some folders; see ``watched``, which makes one.

    It knows the folders that were there when it was made. When one comes or goes, when a rule
    changes that says which files belong, or when more was changed than the system can keep, all
    files have to be looked at, and a new watch is needed.
    """

    def __init__(self, roots: Mapping[str, Path], left_out: Collection[str]) -> None:
        from inotify_simple import INotify, flags

        self._roots = tuple(map(str, roots.values()))
        self._events = INotify(nonblocking=True)
        self._folders: dict[int, str] = {}
        self._anything = flags.ISDIR | flags.Q_OVERFLOW | flags.IGNORED | flags.UNMOUNT
        self._anything |= flags.DELETE_SELF | flags.MOVE_SELF
        self._pending: set[str] = set()
        self._is_over = False
        # No event tells of these: what lies elsewhere, and what may be written by another name.
        self._elsewhere: list[str] = []
        try:
            for label, root in roots.items():
                self._elsewhere += _rules_around(str(root))
                self._cover(label, str(root), left_out)
        except BaseException:
            self.close()
            raise
        self._seen = self._look()

    def changes(self) -> frozenset[str] | None:
        """Return the files that have changed and were not settled; None: look at all files.

        Paths begin with the label of their folder, if it has one.
        """
        if self._is_over or self._look() != self._seen:
            return None
        while events := self._events.read(timeout=0):
            for event in events:
                folder, name = self._folders.get(event.wd), event.name
                if event.mask & self._anything or folder is None or name in _RULES:
                    self._is_over = True
                    return None
                self._pending.add(f"{folder}/{name}" if folder else name)
        return frozenset(self._pending)

    def settle(self, paths: Iterable[str]) -> None:
        """Forget these changes: somebody has taken them in."""
        self._pending.difference_update(paths)

    def close(self) -> None:
        """Watch no longer."""
        self._is_over = True
        self._events.close()

    def _cover(self, label: str, root: str, left_out: Collection[str]) -> None:
        """Watch a folder and all in it but what is left out."""
        most, mask = _most_folders(), _mask()
        pending = [(label, root)]
        while pending:
            path, full = pending.pop()
            try:
                # Watched before it is read: what comes meanwhile is an event.
                watch = self._events.add_watch(full, mask)
                entries = list(os.scandir(full))
            except (PermissionError, FileNotFoundError):
                continue  # The folder around it tells when that changes.
            if watch in self._folders or len(self._folders) >= most:
                raise OSError("it has two names, or there are too many folders")
            self._folders[watch] = path
            for entry in entries:
                below = f"{path}/{entry.name}" if path else entry.name
                if entry.name == ".git":
                    self._elsewhere += _rules_of_repository(full)
                elif not entry.is_dir(follow_symlinks=False):
                    if _has_two_names(entry):
                        self._elsewhere.append(entry.path)
                elif below + "/" not in left_out:
                    pending.append((below, entry.path))

    def _look(self) -> tuple[object, ...]:
        """Return what is to be seen of all that no event tells of."""
        return (*map(_state, self._elsewhere), *map(_mounts, self._roots))


def watched(roots: Mapping[str, Path], left_out: Collection[str]) -> FolderWatch | None:
    """Return a watch over folders; None where changes cannot be noted without a gap.

    Args:
        roots: Real paths of the folders by their labels; of a single folder the label is empty.
        left_out: Paths that begin with a label. What lies in one that ends with ``/`` does not
            matter.
    """
    if not sys.platform.startswith("linux") or None in map(_mounts, map(str, roots.values())):
        return None
    try:
        return FolderWatch(roots, left_out)
    except (ImportError, OSError, ValueError) as error:
        logger.info("Changes are looked for, as they cannot be watched: %s", error)
        return None


def _mask() -> int:
    from inotify_simple import flags

    content = flags.MODIFY | flags.ATTRIB | flags.CLOSE_WRITE | flags.CREATE | flags.DELETE
    moves = flags.MOVED_FROM | flags.MOVED_TO | flags.DELETE_SELF | flags.MOVE_SELF
    return int(content | moves | flags.ONLYDIR | flags.DONT_FOLLOW)


def _most_folders() -> int:
    return int(int(_MOST_WATCHES.read_text()) * _OUR_SHARE)


def _has_two_names(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.stat(follow_symlinks=False).st_nlink > 1
    except OSError:
        return False  # Its folder tells.


def _mounts(root: str) -> tuple[str, ...] | None:
    """Return what is mounted around and below a folder; None if not all is this machine's own."""
    around, below, kinds = ("", ""), [], []
    try:
        lines = _MOUNTS.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return None
    for line in lines:
        fields = line.split(" ")
        point = _OCTAL.sub(lambda match: chr(int(match[1], 8)), fields[4])
        if root == point or root.startswith(point.rstrip("/") + "/"):
            if len(point) >= len(around[0]):
                around = (point, line)
        elif point.startswith(root.rstrip("/") + "/"):
            below.append(line)
    mounts = (around[1], *below)
    kinds = [mount.partition(" - ")[2].partition(" ")[0] for mount in mounts]
    return mounts if _LOCAL_DISKS.issuperset(kinds) else None


def _rules_around(root: str) -> Iterator[str]:
    """Yield the files outside a folder by which others belong to it, also such as may come."""
    yield root
    yield from config_files(root)
    yield user_excludes_file(root) or ""
    above = list(Path(root).parents)
    for parent in above[: folders_above(root)]:
        yield from (str(parent / name) for name in _RULES)
    for parent in above:
        yield from _rules_of_repository(str(parent))


def _rules_of_repository(folder: str) -> Iterator[str]:
    """Yield what git itself keeps of a repository that says which files belong."""
    yield f"{folder}/.git"
    for git in git_folders(Path(folder)):
        yield from (str(git / name) for name in ("index", "config", "info/exclude"))


def _state(path: str) -> tuple[int, ...] | None:
    """Return by what a change of a file is seen; of a folder only whether it is the same one."""
    try:
        state = os.lstat(path)
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(state.st_mode):
        return (state.st_dev, state.st_ino)
    return (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
