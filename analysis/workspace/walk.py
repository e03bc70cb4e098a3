"""Walks folders that no repository knows, by the ignore files that lie in them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from analysis.stopping import StopFlag
from analysis.user_folders import expanded
from analysis.workspace.ignore_files import GITIGNORE, IgnoreRules, read_rules
from analysis.workspace.ignore_patterns import RuleSet
from analysis.workspace.safe_open import is_link


@dataclass(slots=True)
class Walked:
    """Names relative to the folder that was walked."""

    names: list[str] = field(default_factory=list)
    """Files and links."""
    ignored: list[str] = field(default_factory=list)
    """Ignored files and folders; folders end with ``/``."""
    repositories: list[str] = field(default_factory=list)
    """Folders that are repositories of their own; not walked."""
    unreadable: list[str] = field(default_factory=list)
    """Folders that cannot be looked into; they end with ``/``."""


def walk(folder: str, wanted: RuleSet | None, stop: StopFlag | None) -> Walked:
    """Return what lies in a folder.

    Args:
        folder: Real path.
        wanted: Rules for ignored files that are listed all the same.
        stop: Polled; a set flag raises ``Cancelled``.
    """
    rules = git_rules(folder)
    found = Walked()
    pending = [("", False)]
    while pending:
        here, inside_ignored = pending.pop()
        if stop is not None:
            stop.check()
        for name, is_folder in _entries(folder, here, found.unreadable):
            path = f"{here}/{name}" if here else name
            if name == ".git":
                continue
            ignored = inside_ignored or rules.ignores(path, is_folder=is_folder)
            if ignored and not inside_ignored:
                found.ignored.append(path + "/" * is_folder)
            if not is_folder:
                if not ignored or (wanted is not None and wanted.covers(path)):
                    found.names.append(path)
            elif not ignored and os.path.lexists(f"{folder}/{path}/.git"):
                found.repositories.append(path)
            elif not ignored or wanted is not None:
                pending.append((path, ignored))
    if wanted is not None:
        found.ignored = [path for path in found.ignored if not wanted.covers(path)]
    return found


def git_rules(folder: str) -> IgnoreRules:
    """Return the rules of ``.gitignore`` files, and of a repository's own list if there is one."""
    above = folders_above(folder)
    top = Path(folder).parents[above - 1] if above else Path(folder)
    return IgnoreRules(folder, GITIGNORE, above, read_rules(str(top / ".git/info/exclude")))


def folders_above(root: str) -> int:
    """Return how many parents of the root have a say in what belongs to it.

    These are the folders up to the one that holds a repository. Without a repository they end
    before the user's home folder and before one that anybody may write to.
    """
    folder = Path(root)
    if os.path.lexists(folder / ".git"):
        return 0
    plain: int | None = None
    home = os.path.realpath(expanded("~"))
    for count, parent in enumerate(folder.parents):
        if os.path.lexists(parent / ".git"):
            return count + 1
        if plain is None and (str(parent) in (home, parent.anchor) or _is_open_to_all(parent)):
            plain = count
    return plain or 0


def _is_open_to_all(folder: Path) -> bool:
    try:
        return bool(folder.stat().st_mode & stat.S_IWOTH)
    except OSError:
        return True


def _entries(folder: str, here: str, unreadable: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield name and whether it is a real folder, for each entry of a folder."""
    try:
        with os.scandir(f"{folder}/{here}") as entries:
            for entry in entries:
                is_folder = entry.is_dir(follow_symlinks=False)
                if is_folder and os.name == "nt" and is_link(entry.stat(follow_symlinks=False)):
                    is_folder = False
                yield entry.name, is_folder
    except FileNotFoundError:
        return  # gone since its parent was read
    except OSError:
        unreadable.append(f"{here or '.'}/")
