"""Which folders are checked out of one repository: linked worktrees hold the same code again."""

from __future__ import annotations

import os
from pathlib import Path

from analysis.workspace.safe_open import read_named

_LARGEST = 8192  # bytes of a file in which git keeps one path


def is_checked_out_again(root: str, path: str) -> bool:
    """Return whether a folder below the root is a checkout of a repository that is there already.

    That is so for a linked worktree of the repository around the root, for one whose main worktree
    lies below the root as well, and for all but the first where only linked ones do.

    Args:
        root: Real path of the code base.
        path: Relative to it; of a folder with a ``.git``.
    """
    folder = Path(root, path)
    common = _common_folder(folder)
    if common is None:
        return False
    around = _top_of(Path(root))
    if around is not None and _common_of(around) == common:
        return True
    if common.name == ".git" and common.parent.is_relative_to(root) and common.parent.is_dir():
        return True
    return folder != next((known for known in _linked(common) if known.is_relative_to(root)), None)


def git_folders(folder: Path) -> tuple[Path, ...]:
    """Return the folders in which git keeps what it knows of a checkout; none if it has none."""
    git = folder / ".git"
    own = _real(git) if git.is_dir() else _path_in(git, "gitdir:")
    if own is None:
        return ()
    common = _path_in(own / "commondir")
    return (own,) if common is None else (own, common)


def _common_folder(folder: Path) -> Path | None:
    """Return the folder of the repository of which a folder is a linked worktree, else None."""
    git_file = folder / ".git"
    if not git_file.is_file():
        return None
    own = _path_in(git_file, "gitdir:")
    if own is None or own.parent.name != "worktrees":
        return None
    # A repository cannot bring this: what git keeps must lead back here.
    back = _path_in(own / "gitdir")
    if back is None or back != _real(git_file):
        return None
    common = _path_in(own / "commondir")
    return common if common == own.parent.parent else None


def _common_of(folder: Path) -> Path | None:
    """Return the folder in which git keeps the repository that is checked out in a folder."""
    git = folder / ".git"
    return _real(git) if git.is_dir() else _common_folder(folder)


def _top_of(folder: Path) -> Path | None:
    """Return the folder with a ``.git`` in or around a folder."""
    return next((f for f in (folder, *folder.parents) if os.path.lexists(f / ".git")), None)


def _linked(common: Path) -> list[Path]:
    """Return the linked worktrees of a repository that are there, sorted."""
    try:
        entries = sorted((common / "worktrees").iterdir())
    except OSError:
        return []
    found = (_path_in(entry / "gitdir") for entry in entries)
    return sorted(git_file.parent for git_file in found if git_file and git_file.is_file())


def _path_in(file: Path, prefix: str = "") -> Path | None:
    """Return the path that a file of git's holds, which may be relative to the file's folder."""
    try:
        text = read_named(file, _LARGEST).decode("utf-8", "surrogateescape")
    except OSError:
        return None
    if not text.startswith(prefix) or "\0" in text:
        return None
    return _real(file.parent / text[len(prefix) :].strip())


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
