"""The code that the anchors benchmark cites: snapshots that can be edited, and their statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from analysis.documents.code import is_called
from analysis.models import SymbolInfo
from analysis.parsing.find_symbols import walk
from analysis.parsing.languages import language_of
from analysis.parsing.outline import outline_of
from analysis.parsing.trees import parse_tree
from analysis.stopping import Deadline
from analysis.workspace.decoding import normalize_newlines, split_lines

_BODIES = {"module", "block", "program", "statement_block", "class_body"}
_DEFINITIONS = ("_definition", "function_declaration", "class_declaration")
_EXPORTED = ("function_declaration", "class_declaration", "generator_function_declaration")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that has its lines for itself."""

    start: int
    end: int
    indent: str
    body: int
    """Identifies the block that it stands in: statements of one block have the same number."""
    kind: str

    @property
    def defines(self) -> bool:
        return any(part in self.kind for part in _DEFINITIONS)


@dataclass(frozen=True)
class SourceFile:
    """One file of a package."""

    path: str
    text: str

    @cached_property
    def lines(self) -> tuple[str, ...]:
        return tuple(split_lines(self.text))

    @cached_property
    def symbols(self) -> tuple[SymbolInfo, ...]:
        return tuple(walk(outline_of(self.path, self.text)))

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """All statements that begin and end with their lines, outer ones first."""
        tree = parse_tree(language_of(self.path), self.text, Deadline(30))
        found: list[Statement] = []
        stack = [tree.root]
        while stack:
            node = stack.pop()
            if node.type in _BODIES:
                for child in node.named_children:
                    if child.type == "comment" or child.has_error:
                        continue
                    start, end = child.start_point.row + 1, child.end_point.row + 1
                    if child.end_point.column == 0 and end > start:
                        end -= 1
                    line = self.lines[start - 1]
                    indent = line[: len(line) - len(line.lstrip())]
                    last = self.lines[end - 1].encode()[child.end_point.column :].strip()
                    alone = len(indent) == child.start_point.column and last in (b"", b";")
                    if alone:
                        kind = child.type
                        if kind == "export_statement":
                            inner = [c.type for c in child.named_children]
                            kind = next((t for t in inner if t in _EXPORTED), kind)
                        found.append(Statement(start, end, indent, node.id, kind))
            stack.extend(reversed(node.children))
        return tuple(sorted(found, key=lambda s: (s.start, -s.end)))

    @property
    def is_python(self) -> bool:
        return language_of(self.path) == "python"

    def innermost(self, start: int, end: int) -> SymbolInfo | None:
        """Return the smallest function or class that holds the lines."""
        best = None
        for info in self.symbols:
            if info.kind in ("variable", "property") and info.line == info.line_end:
                continue
            if info.decorated_line <= start and end <= info.line_end:
                best = info
        return best


class Snapshot:
    """A code view over source files in memory; edits lie over it and cost only themselves."""

    def __init__(self, files: Mapping[str, SourceFile], below: Snapshot | None = None) -> None:
        self._files = dict(files)
        self._below = below
        self._names: dict[str, list[tuple[str, SymbolInfo]]] | None = None
        self._gone: set[str] = set()
        self._all: frozenset[str] | None = None

    def edited(self, changes: Mapping[str, str | None]) -> Snapshot:
        """Return the snapshot with some files replaced, added, or (None) removed."""
        new = {
            path: SourceFile(path, normalize_newlines(text))
            for path, text in changes.items()
            if text is not None
        }
        above = Snapshot(new, self)
        above._gone = {path for path, text in changes.items() if text is None}
        return above

    def file(self, path: str) -> SourceFile | None:
        if path in self._files:
            return self._files[path]
        if path in self._gone or self._below is None:
            return None
        return self._below.file(path)

    def paths(self) -> frozenset[str]:
        if self._all is None:
            below = self._below.paths() if self._below else frozenset()
            self._all = (below - self._gone) | set(self._files)
        return self._all

    def lines(self, path: str) -> Sequence[str] | None:
        file = self.file(path)
        return None if file is None else file.lines

    def symbols(self, path: str) -> Sequence[SymbolInfo]:
        file = self.file(path)
        return () if file is None else file.symbols

    def named(self, name: str) -> Sequence[tuple[str, SymbolInfo]]:
        plain = name.rpartition(".")[2]
        found = self._plainly(plain)
        return [(p, i) for p, i in found if plain == name or is_called(i, name)]

    def _plainly(self, plain: str) -> list[tuple[str, SymbolInfo]]:
        if self._names is None:
            self._names = {}
            for path in sorted(self._files):
                for info in self._files[path].symbols:
                    self._names.setdefault(info.name, []).append((path, info))
        below = self._below._plainly(plain) if self._below else []
        hidden = self._gone | set(self._files)
        return [p for p in below if p[0] not in hidden] + self._names.get(plain, [])


def snapshot(texts: Mapping[str, str]) -> Snapshot:
    """Return a snapshot of some texts."""
    return Snapshot({path: SourceFile(path, text) for path, text in texts.items()})
