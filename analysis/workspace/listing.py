"""Lists the files that belong to a folder by git's ignore rules.

In a work tree git itself is asked; each repository inside it, submodule or not, is asked in its
own turn. Elsewhere the ignore files are read here. Links are listed and never followed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from analysis.events import StopFlag
from analysis.workspace.git import GitFailed, run_git, user_excludes_file
from analysis.workspace.ignore_files import GITIGNORE, IgnoreRules, rules_from
from analysis.workspace.safe_open import is_link

_DEEPEST = 32  # repositories inside repositories; nobody nests more


@dataclass(slots=True)
class Listing:
    """What was found below a folder, as paths relative to the root."""

    files: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    """Ignored files and folders; a folder stands for all that is in it and ends with ``/``."""
    notes: list[str] = field(default_factory=list)


def list_files(
    root: str, include_ignored: tuple[str, ...] = (), stop: StopFlag | None = None
) -> Listing:
    """Return the files below the root that git's rules let in.

    Args:
        root: Real path of the folder.
        include_ignored: Globs of ignored files that are listed all the same.
        stop: Polled; a set flag raises ``Cancelled``.
    """
    listing = Listing()
    pending = [("", 0)]
    while pending:
        folder, depth = pending.pop()
        if stop is not None:
            stop.check()
        nested = _list_one(root, folder, listing, include_ignored, stop)
        if depth < _DEEPEST:
            pending += [(path, depth + 1) for path in nested]
    return listing


def folders_above(root: str) -> int:
    """Return how many parents of the root have a say in what belongs to it.

    These are the folders up to the one that holds a repository; without a repository those up to
    the user's home folder, the first that anybody may write to, or the top.
    """
    count, home = 0, os.path.realpath(Path.home())
    folder = Path(root)
    if (folder / ".git").exists():
        return 0
    unowned: int | None = None
    for parent in folder.parents:
        if unowned is None and (str(parent) == home or _is_open_to_all(parent)):
            unowned = count
        count += 1
        if (parent / ".git").exists():
            return count
    return unowned if unowned is not None else max(0, count - 1)


def _is_open_to_all(folder: Path) -> bool:
    try:
        return bool(folder.stat().st_mode & stat.S_IWOTH)
    except OSError:
        return True


def _list_one(
    root: str, folder: str, into: Listing, include: tuple[str, ...], stop: StopFlag | None
) -> list[str]:
    """List one repository or plain folder; return the repositories found inside it."""
    full = str(Path(root, folder)) if folder else root
    if _in_work_tree(full):
        try:
            return _ask_git(full, folder, into, include)
        except GitFailed as error:
            reason = str(error).splitlines()[0].removeprefix("fatal: ")
            into.notes.append(
                f"Git could not list {folder or 'the code base'!r} ({reason}); "
                "its ignore files were read instead."
            )
    return _walk(full, folder, into, include, stop)


def _in_work_tree(folder: str) -> bool:
    """Return whether git could know the folder: to start git for nothing takes milliseconds."""
    path = Path(folder)
    return any((parent / ".git").exists() for parent in (path, *path.parents))


def _ask_git(full: str, folder: str, into: Listing, include: tuple[str, ...]) -> list[str]:
    """Add what ``git ls-files`` says; return the repositories inside."""
    excludes = user_excludes_file(full)
    config = {} if excludes is None else {"core.excludesFile": excludes}
    base = f"{folder}/" if folder else ""
    names = _names(["ls-files", "-co", "--exclude-standard", "-z"], full, config)
    ignored = _names(["ls-files", "-oi", "--directory", "--exclude-standard", "-z"], full, config)
    if include and ignored:
        spec = rules_from(include)
        every = _names(["ls-files", "-oi", "--exclude-standard", "-z"], full, config)
        names += [name for name in every if spec.match_file(base + name)]
    nested = []
    for name in dict.fromkeys(names):
        path = base + name
        if name.endswith("/") or _is_folder(full, name):
            nested.append(path.rstrip("/"))
        else:
            into.files.append(path)
    into.ignored += [base + name for name in ignored]
    return nested


def _names(args: list[str], cwd: str, config: dict[str, str]) -> list[str]:
    """Return the names that git prints, without any that would climb out of the folder."""
    output = run_git(args, cwd, config=config).stdout
    names = [os.fsdecode(name) for name in output.split(b"\0") if name]
    return [name for name in names if not name.startswith(("/", "../")) and "/../" not in name]


def _is_folder(full: str, name: str) -> bool:
    """Return whether a listed name is a submodule: the only folders that git lists."""
    # A dot in the name is no proof, but a stat per file is: this list is what scan() stats anyway.
    try:
        return stat.S_ISDIR(os.lstat(os.path.join(full, name)).st_mode)  # noqa: PTH118 (hot)
    except (OSError, ValueError):
        return False


def _walk(
    full: str, folder: str, into: Listing, include: tuple[str, ...], stop: StopFlag | None
) -> list[str]:
    """Walk a folder that no repository knows; return the repositories inside."""
    rules = IgnoreRules(full, GITIGNORE, folders_above(full))
    wanted = rules_from(include) if include else None
    base = f"{folder}/" if folder else ""
    nested: list[str] = []
    pending = [("", False)]
    while pending:
        here, inside_ignored = pending.pop()
        if stop is not None:
            stop.check()
        for name, is_dir in _entries(full, here):
            path = f"{here}/{name}" if here else name
            ignored = inside_ignored or (
                rules.ignores_folder(path) if is_dir else rules.ignores_file(path)
            )
            if is_dir and name == ".git":
                continue
            if ignored and not inside_ignored:
                into.ignored.append(base + path + ("/" if is_dir else ""))
            if is_dir and not ignored and os.path.lexists(Path(full, path, ".git")):
                nested.append(base + path)
            elif is_dir and (not ignored or wanted is not None):
                pending.append((path, ignored))
            elif not is_dir and (
                not ignored or (wanted is not None and wanted.match_file(base + path))
            ):
                into.files.append(base + path)
    return nested


def _entries(full: str, here: str) -> Iterator[tuple[str, bool]]:
    """Yield name and whether it is a real folder, for each entry of a folder that can be read."""
    try:
        with os.scandir(os.path.join(full, here)) as entries:  # noqa: PTH118 (hot)
            for entry in entries:
                is_dir = entry.is_dir(follow_symlinks=False)
                if is_dir and os.name == "nt" and is_link(entry.stat(follow_symlinks=False)):
                    is_dir = False
                yield entry.name, is_dir
    except OSError:
        return
