"""What documents need to know of the code they cite, whoever provides it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from analysis.errors import ScopeError
from analysis.models import FileOutline, SourceText, SymbolInfo
from analysis.parsing.comment_spans import without_comments
from analysis.parsing.find_symbols import walk
from analysis.parsing.languages import language_of
from analysis.workspace.decoding import split_lines

_WORD = re.compile(r"\w+")
# Half of a character, as JSON can spell it.
_HALF = re.compile("[\ud800-\udfff]")


class CodeView(Protocol):
    """A read-only view of a code base, each file as it was when the view first read it."""

    def paths(self) -> frozenset[str]:
        """Return the paths of all files that may be cited."""
        ...

    def lines(self, path: str) -> Sequence[str] | None:
        """Return a file's lines without their ends; None if there is no such readable file."""
        ...

    def bare_lines(self, path: str) -> Sequence[str]:
        """Return a file's lines with comments and docstrings blanked out."""
        ...

    def symbols(self, path: str) -> Sequence[SymbolInfo]:
        """Return all definitions of a file, outer ones before the ones inside them."""
        ...

    def imported(self, path: str) -> frozenset[str]:
        """Return the words of a file's imports: modules, names and what they are called here."""
        ...

    def named(self, name: str) -> Sequence[tuple[str, SymbolInfo]]:
        """Return path and definition of everything of that plain or qualified name."""
        ...

    def compare(self, paths: Iterable[str]) -> None:
        """Read files, so that what is kept of them is noted where it is of another text."""
        ...

    def spells(self, name: str) -> bool:
        """Return whether a plain name stands anywhere in the code base, as a word of its own."""
        ...


class StoredCode(Protocol):
    """What is kept of a code base; it may lag behind the files."""

    def is_current(self, path: str, text: str) -> bool:
        """Return whether what is kept of a file is of this very text; what is not is noted."""
        ...

    def outline(self, path: str) -> FileOutline:
        """Return the outline that is kept of a file."""
        ...

    def symbols_named(self, name: str) -> Iterable[tuple[str, SymbolInfo]]:
        """Return path and definition of everything of a plain name."""
        ...

    def spells(self, name: str) -> bool:
        """Return whether a plain name stands in any file."""
        ...


class CachedCode:
    """A ``CodeView`` that reads each file once; its symbols are those of the text that it read.

    Args:
        list_paths: Gives the files of the code base.
        read: Reads one file, or raises a ``ScopeError``.
        stored: What is kept of the files; without it all files are read to find a name.
    """

    def __init__(
        self,
        list_paths: Callable[[], Iterable[str]],
        read: Callable[[str], SourceText],
        stored: StoredCode | None = None,
    ) -> None:
        self._list_paths = list_paths
        self._read = read
        self._stored = stored
        self._paths: frozenset[str] | None = None
        self._texts: dict[str, str | None] = {}
        self._lines: dict[str, tuple[str, ...]] = {}
        self._bare: dict[str, tuple[str, ...]] = {}
        self._outlines: dict[str, FileOutline | None] = {}
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
            text = self._text(path)
            if text is None:
                return None
            self._lines[path] = tuple(split_lines(text))
        return self._lines[path]

    def bare_lines(self, path: str) -> Sequence[str]:
        """Return a file's lines with comments and docstrings blanked out."""
        if path not in self._bare:
            self._bare[path] = tuple(
                split_lines(without_comments(language_of(path), self._text(path) or ""))
            )
        return self._bare[path]

    def symbols(self, path: str) -> Sequence[SymbolInfo]:
        """Return all definitions of a file, outer ones before the ones inside them."""
        if path not in self._symbols:
            outline = self._outline(path)
            self._symbols[path] = tuple(walk(outline)) if outline else ()
        return self._symbols[path]

    def imported(self, path: str) -> frozenset[str]:
        """Return the words of a file's imports: modules, names and what they are called here."""
        outline = self._outline(path)
        texts = [f"{item.text} {item.module}" for item in outline.imports] if outline else []
        return frozenset(word for text in texts for word in _WORD.findall(text))

    def named(self, name: str) -> Sequence[tuple[str, SymbolInfo]]:
        """Return path and definition of everything of that plain or qualified name."""
        if _HALF.search(name):
            return []  # No file has it, as text that was read has none.
        plain = name.rpartition(".")[2]
        found = list(self._stored.symbols_named(plain)) if self._stored else self._all_named(plain)
        if plain == name:
            return found
        return [(path, info) for path, info in found if is_called(info, name)]

    def compare(self, paths: Iterable[str]) -> None:
        """Read files, so that what is kept of them is noted where it is of another text."""
        for path in paths:
            text = self._text(path)
            if self._stored is not None and text is not None:
                self._stored.is_current(path, text)

    def spells(self, name: str) -> bool:
        """Return whether a plain name stands anywhere in the code base, as a word of its own."""
        if _HALF.search(name):
            return False
        if self._stored is not None and self._stored.spells(name):
            return True
        # What was read just now may be newer than what is kept.
        paths = self._texts if self._stored is not None else self.paths()
        word = word_pattern(name)
        return any(name in (text := self._text(path) or "") and word.search(text) for path in paths)

    def _outline(self, path: str) -> FileOutline | None:
        if path not in self._outlines:
            text = self._text(path)
            if text is None:
                self._outlines[path] = None
            elif self._stored is not None and self._stored.is_current(path, text):
                self._outlines[path] = self._stored.outline(path)
            else:
                # The parsers: the index has most outlines.
                from analysis.parsing.outline import outline_of

                self._outlines[path] = outline_of(path, text)
        return self._outlines[path]

    def _text(self, path: str) -> str | None:
        if path not in self._texts:
            self._texts[path] = self._read_text(path)
        return self._texts[path]

    def _read_text(self, path: str) -> str | None:
        if path not in self.paths():
            return None
        try:
            return self._read(path).text
        except ScopeError:
            return None

    def _all_named(self, plain: str) -> list[tuple[str, SymbolInfo]]:
        if self._by_name is None:
            self._by_name = {}
            for path in sorted(self.paths()):
                for info in self.symbols(path):
                    self._by_name.setdefault(info.name, []).append((path, info))
        return list(self._by_name.get(plain, ()))


def word_pattern(word: str) -> re.Pattern[str]:
    """Return a pattern that finds a word, but not as a part of a longer name."""
    return re.compile(rf"(?<![\w$]){re.escape(word)}(?![\w$])")


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
