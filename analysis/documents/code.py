"""What documents need to know of the code they cite, whoever provides it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from analysis.errors import ScopeError
from analysis.models import FileOutline, SourceText, SymbolInfo
from analysis.parsing.outline import walk
from analysis.workspace.decoding import split_lines


class CodeView(Protocol):
    """A read-only view of a code base, as it is now."""

    def paths(self) -> frozenset[str]:
        """Return the paths of all files that may be cited."""
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


class CachedCode:
    """A ``CodeView`` over four functions; every file is read and outlined at most once.

    Args:
        list_paths: Gives the files of the code base.
        read: Reads one file, or raises a ``ScopeError``.
        outline: Outlines one file, or raises a ``ScopeError``.
        named: Finds definitions by plain name; without it all outlines are searched.
    """

    def __init__(
        self,
        list_paths: Callable[[], Iterable[str]],
        read: Callable[[str], SourceText],
        outline: Callable[[str], FileOutline],
        named: Callable[[str], Iterable[tuple[str, SymbolInfo]]] | None = None,
    ) -> None:
        self._list_paths = list_paths
        self._read = read
        self._outline = outline
        self._named = named
        self._paths: frozenset[str] | None = None
        self._lines: dict[str, tuple[str, ...] | None] = {}
        self._symbols: dict[str, tuple[SymbolInfo, ...]] = {}
        self._by_name: dict[str, list[tuple[str, SymbolInfo]]] | None = None

    def paths(self) -> frozenset[str]:
        """Return the paths of all files that may be cited."""
        if self._paths is None:
            self._paths = frozenset(self._list_paths())
        return self._paths

    def lines(self, path: str) -> Sequence[str] | None:
        """Return a file's lines without their ends; None if there is no such readable file."""
        if path not in self._lines:
            self._lines[path] = self._read_lines(path)
        return self._lines[path]

    def symbols(self, path: str) -> Sequence[SymbolInfo]:
        """Return all definitions of a file, outer ones before the ones inside them."""
        if path not in self._symbols:
            if path not in self.paths():
                return ()
            try:
                outline = self._outline(path)
            except ScopeError:
                self._symbols[path] = ()
            else:
                self._symbols[path] = tuple(walk(outline))
        return self._symbols[path]

    def named(self, name: str) -> Sequence[tuple[str, SymbolInfo]]:
        """Return path and definition of everything of that plain or qualified name."""
        plain = name.rpartition(".")[2]
        found = list(self._named(plain)) if self._named else self._all_named(plain)
        if plain == name:
            return found
        return [(path, info) for path, info in found if is_called(info, name)]

    def _read_lines(self, path: str) -> tuple[str, ...] | None:
        if path not in self.paths():
            return None
        try:
            return tuple(split_lines(self._read(path).text))
        except ScopeError:
            return None

    def _all_named(self, plain: str) -> list[tuple[str, SymbolInfo]]:
        if self._by_name is None:
            self._by_name = {}
            for path in sorted(self.paths()):
                for info in self.symbols(path):
                    self._by_name.setdefault(info.name, []).append((path, info))
        return list(self._by_name.get(plain, ()))


def is_called(info: SymbolInfo, name: str) -> bool:
    """Return whether a plain, partly or fully qualified name can mean this definition."""
    return info.qualified_name == name or f".{info.qualified_name}".endswith(f".{name}")


def definitions(code: CodeView, path: str, name: str) -> list[SymbolInfo]:
    """Return the definitions of that plain or qualified name in one file."""
    return [info for info in code.symbols(path) if is_called(info, name)]


def innermost(code: CodeView, path: str, line_start: int, line_end: int) -> SymbolInfo | None:
    """Return the smallest definition that holds all of the lines, decorators included."""
    best: SymbolInfo | None = None
    for info in code.symbols(path):
        if info.decorated_line <= line_start and line_end <= info.line_end and info.name:
            best = info
    return best
