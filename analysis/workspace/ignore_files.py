"""Ignore files where git is not there to be asked: nested, with negation, by git's own rules."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from pathspec import GitIgnoreSpec

GITIGNORE = ".gitignore"
SCOPEIGNORE = ".scopeignore"
_LARGEST = 1_000_000  # bytes; nobody writes an ignore file of that size by hand


class IgnoreRules:
    """The ignore files of one name, from some folders above the root down to each file's own.

    A file is ignored if the last rule that matches it says so, deeper files before higher ones,
    and whatever lies in an ignored folder is ignored, whatever further rules say.

    Args:
        root: The folder that paths are relative to.
        file_name: ``.gitignore`` or ``.scopeignore``.
        above: How many of the root's parents have a say.
    """

    def __init__(self, root: str, file_name: str, above: int = 0) -> None:
        parts = Path(root).parts
        self._top = str(Path(*parts[: len(parts) - above])) if above else root
        self._prefix = "/".join(parts[len(parts) - above :]) if above else ""
        self._name = file_name
        self._specs: dict[str, tuple[tuple[str, GitIgnoreSpec], ...]] = {}
        self._folders: dict[str, bool] = {"": False}

    def ignores_file(self, path: str) -> bool:
        """Return whether a file is ignored, by itself or by a folder around it."""
        full = self._full(path)
        folder = full.rpartition("/")[0]
        return self._ignores_folder(folder) or self._matches(folder, full)

    def ignores_folder(self, path: str) -> bool:
        """Return whether a folder is ignored, by itself or by a folder around it."""
        return self._ignores_folder(self._full(path))

    def _full(self, path: str) -> str:
        """Return the path relative to the highest folder that has a say."""
        return f"{self._prefix}/{path}".strip("/") if self._prefix else path

    def _ignores_folder(self, path: str) -> bool:
        known = self._folders.get(path)
        if known is None:
            parent = path.rpartition("/")[0]
            known = self._ignores_folder(parent) or self._matches(parent, path + "/")
            self._folders[path] = known
        return known

    def _matches(self, folder: str, path: str) -> bool:
        """Return the verdict of the rules that reach into ``folder`` on one entry of it."""
        for base, spec in self._specs_for(folder):
            verdict = spec.check_file(path[len(base) + 1 :] if base else path).include
            if verdict is not None:
                return verdict
        return False

    def _specs_for(self, folder: str) -> tuple[tuple[str, GitIgnoreSpec], ...]:
        """Return the rules that reach into a folder, deepest first."""
        specs = self._specs.get(folder)
        if specs is None:
            specs = () if folder == "" else self._specs_for(folder.rpartition("/")[0])
            own = read_rules(os.path.join(self._top, folder, self._name))  # noqa: PTH118 (hot)
            if own is not None:
                specs = ((folder, own), *specs)
            self._specs[folder] = specs
        return specs


def read_rules(file: str) -> GitIgnoreSpec | None:
    """Return the rules of an ignore file; None if there is none that can be read.

    Like git, a link is not followed: a repository could point it anywhere.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(file, flags)
    except (OSError, ValueError):
        return None
    with os.fdopen(descriptor, "rb") as stream:
        try:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                return None
            text = stream.read(_LARGEST).decode("utf-8", "surrogateescape")
        except OSError:
            return None
    return rules_from(text.removeprefix("\ufeff").split("\n"))


def rules_from(lines: Iterable[str]) -> GitIgnoreSpec:
    """Return the rules of these lines; a line that git would not understand has no say."""
    good = []
    for line in lines:
        line = line.removesuffix("\r")
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:
            continue
        good.append(line)
    return GitIgnoreSpec.from_lines(good)
