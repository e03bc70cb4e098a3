"""The files that references lead to, looked at once for all references of a check."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from analysis.documents.anchor_file import AnchorFile
from analysis.models import SymbolInfo


class AnchoredCode(Protocol):
    """What re-anchoring needs to know of a code base; a ``CodeView`` knows it, and more."""

    def paths(self) -> frozenset[str]:
        """Return the paths of all files."""
        ...

    def lines(self, path: str) -> Sequence[str] | None:
        """Return a file's lines without their ends; None if there is no such readable file."""
        ...

    def symbols(self, path: str) -> Sequence[SymbolInfo]:
        """Return all definitions of a file, outer ones before the ones inside them."""
        ...

    def named(self, name: str) -> Sequence[tuple[str, SymbolInfo]]:
        """Return path and definition of everything of that plain or qualified name."""
        ...


# What is known of a line takes about a kilobyte once its file was parsed and looked through.
_MOST_LINES = 300_000


class AnchorFiles:
    """Files of a code base by path, each read, parsed and hashed once as long as it is kept.

    What was not looked at for longest is let go when there is too much.

    Args:
        code: The code as it is now.
        renamed: Says what a file that is gone is called now, where that was written down.
        most_lines: How many lines are kept.
    """

    def __init__(
        self,
        code: AnchoredCode,
        renamed: Callable[[str], str | None] | None = None,
        most_lines: int = _MOST_LINES,
    ) -> None:
        self._code = code
        self._renamed = renamed
        self._files: dict[str, AnchorFile | None] = {}
        """By when they were last asked for."""
        self._most_lines, self._n_lines = most_lines, 0
        self._by_name: dict[str, list[str]] | None = None

    def renamed(self, path: str) -> str | None:
        """Return what a file that is gone is called now, if that was written down; else None."""
        return None if self._renamed is None else self._renamed(path)

    def named_alike(self, path: str) -> Sequence[str]:
        """Return the files of the same name, and all files of the same folder."""
        if self._by_name is None:
            by_name: dict[str, list[str]] = defaultdict(list)
            for other in self._code.paths():
                folder, _, name = other.rpartition("/")
                by_name[name].append(other)
                by_name[f"{folder}/"].append(other)
            self._by_name = by_name
        folder, _, name = path.rpartition("/")
        same_name, same_folder = self._by_name.get(name, ()), self._by_name.get(f"{folder}/", ())
        return list(dict.fromkeys([*same_name, *same_folder]))

    def look_again(self, code: AnchoredCode, changed: Iterable[str] | None = None) -> None:
        """Go on with a newer view of the same code.

        Args:
            code: The code as it is now.
            changed: The files that are not what they were; None if any of them may be.
        """
        self._code, self._by_name = code, None
        for path in list(self._files) if changed is None else changed:
            self._forget(path)

    @property
    def code(self) -> AnchoredCode:
        """The code as it is now."""
        return self._code

    def get(self, path: str) -> AnchorFile | None:
        """Return a file; None if there is no such readable file."""
        if path in self._files:
            file = self._files[path] = self._files.pop(path)
            return file
        lines = self._code.lines(path)
        file = None
        if lines is not None:
            file = AnchorFile(path, lines, lambda: self._code.symbols(path))
            self._n_lines += len(lines)
        self._files[path] = file
        while self._n_lines > self._most_lines and len(self._files) > 1:
            self._forget(next(iter(self._files)))
        return file

    def _forget(self, path: str) -> None:
        file = self._files.pop(path, None)
        if file is not None:
            self._n_lines -= len(file.lines)

    def named(self, name: str) -> Sequence[tuple[str, SymbolInfo]]:
        """Return path and definition of everything of that plain name."""
        return self._code.named(name)
