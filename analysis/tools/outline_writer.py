"""Writes what a file defines: a line a definition, and what to leave out where that is too long.

Two ways to save room: ``folded`` counts members and leaves the rest for a next page, for whom can
ask again; ``outline_of`` chooses what speaks of a question, for whom cannot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.parsing.words import terms_of
from analysis.tools.fitting import shortened

if TYPE_CHECKING:
    from analysis.models import FileOutline, SymbolInfo

_MAX_SIGNATURE = 120
_MAX_DOCSTRING = 100
_MAX_IMPORTS = 240
_MAX_NAMES = 160
_MAX_FIELDS = 120
_INDENT = " "
# Lines; what a shorter function defines for itself is seen when it is read.
_LONG_FUNCTION = 60
_NESTED_VALUES = frozenset({"variable", "property"})


def definitions(symbols: Sequence[SymbolInfo]) -> Iterator[tuple[SymbolInfo, int]]:
    """Yield definitions in the order of the file, with their depth from 0 on."""
    pending = [(info, 0) for info in reversed(symbols)]
    while pending:
        info, depth = pending.pop()
        yield info, depth
        pending += [(child, depth + 1) for child in reversed(info.children)]


def line_of(symbol: SymbolInfo) -> str:
    """Return a definition as one line: where it is, and its signature."""
    return f"{lines_of(symbol)} {shortened(symbol.signature or symbol.name, _MAX_SIGNATURE)}"


def lines_of(symbol: SymbolInfo) -> str:
    """Return the lines of a definition with its decorators, as ``4-9`` or ``4``."""
    start, end = symbol.decorated_line, symbol.line_end
    return f"{start}-{end}" if end > start else str(start)


def head_of(outline: FileOutline) -> list[str]:
    """Return what a file is: path, language, size, docstring, and in a second line its imports."""
    head = f"{outline.path}: {outline.language}, {outline.line_count} lines"
    if outline.docstring:
        head += f'; "{outline.docstring[:_MAX_DOCSTRING]}"'
    lines = [head]
    if outline.imports:
        modules = dict.fromkeys(
            item.module if item.module.strip(".") else f"{item.module}{','.join(item.names)}"
            for item in outline.imports
        )
        lines.append(shortened(f"imports {', '.join(modules)}", _MAX_IMPORTS))
    return lines


def outline_of(outline: FileOutline, max_chars: int, terms: frozenset[str] = frozenset()) -> str:
    """Return a file's outline with docstrings; what matters most if not all of it fits.

    Args:
        outline: Of one file.
        max_chars: For the definitions and the first line; a line of imports comes on top.
        terms: Stems of the words that are asked about.
    """
    head = [line.removeprefix(f"{outline.path}: ") for line in head_of(outline)]
    rows = _rows(outline.symbols)
    room = max_chars - len(head[0])
    if sum(row.size for row in rows) <= room:
        return "\n".join([*head, *(row.text for row in rows)])
    chosen: set[int] = set()
    for idx in sorted(range(len(rows)), key=lambda i: (-rows[i].worth(terms), i)):
        wanted = _with_parents(idx, rows) - chosen
        size = sum(rows[i].size for i in wanted)
        if size <= room:
            chosen |= wanted
            room -= size
    kept = [rows[idx].text for idx in sorted(chosen)]
    return "\n".join([*head, *kept, f"… {len(rows) - len(kept)} more definitions"])


@dataclass(frozen=True, slots=True)
class Folded:
    """An outline that fits, and what had to be left out of it."""

    lines: tuple[str, ...]
    folded: tuple[str, ...] = ()
    """Qualified names of the definitions whose members are only counted."""
    next_line: int | None = None
    """Where the definitions start that are not there at all."""
    n_left: int = 0
    """How many they are."""


def folded(symbols: Sequence[SymbolInfo], max_chars: int, from_line: int = 1) -> Folded:
    """Return a line a definition, within a number of characters.

    What has the most members is folded first; if that is not enough, the rest is left for later.

    Args:
        symbols: Of one file, or the members of one definition.
        max_chars: For all lines together.
        from_line: What ends before that line is left out.
    """
    blocks = _blocks([symbol for symbol in symbols if symbol.line_end >= from_line])
    names: list[str] = []
    total = sum(block.size for block in blocks)
    for block in sorted(blocks, key=lambda block: -block.size):
        if total <= max_chars:
            break
        if len(block.lines) > 1:
            total -= block.size
            block.fold()
            total += block.size
            names.append(block.heads[0].qualified_name)
    return _fitting(blocks, names, max_chars)


@dataclass(slots=True)
class _Row:
    """A definition that may be chosen."""

    info: SymbolInfo
    depth: int
    parent: int | None
    """Index of the row of the definition around it."""
    text: str

    @property
    def size(self) -> int:
        return len(self.text) + 1

    def worth(self, terms: frozenset[str]) -> float:
        """Return how much a reader who asks about the terms wants to see it."""
        named = len(terms.intersection(terms_of(self.info.name)))
        said = len(terms.intersection(terms_of(self.text)))
        is_large = self.info.kind in {"class", "interface"}
        return 3 * named + 2 * said - 0.5 * self.depth + 0.25 * is_large


def _rows(symbols: Sequence[SymbolInfo]) -> list[_Row]:
    """Return all definitions worth a line: plain variables only at the top."""
    rows: list[_Row] = []
    last: dict[int, int] = {}
    left_out: int | None = None  # The depth of a value whose members are left out with it.
    for info, depth in definitions(symbols):
        if left_out is not None and depth > left_out:
            continue
        left_out = depth if info.kind in _NESTED_VALUES and depth else None
        if left_out is not None:
            continue
        last[depth] = len(rows)
        doc = f"  # {info.docstring[:_MAX_DOCSTRING]}" if info.docstring else ""
        text = f"{_INDENT * depth}{line_of(info)}{doc}"
        rows.append(_Row(info, depth, last[depth - 1] if depth else None, text))
    return rows


def _with_parents(idx: int, rows: list[_Row]) -> set[int]:
    found = {idx}
    while (parent := rows[idx].parent) is not None:
        found.add(parent)
        idx = parent
    return found


@dataclass(slots=True)
class _Block:
    """Lines that stay together: a definition with its members, or variables that share a line."""

    heads: list[SymbolInfo]
    lines: list[str]
    size: int = 0

    def __post_init__(self) -> None:
        self.size = sum(len(line) + 1 for line in self.lines)

    def fold(self) -> None:
        """Leave only a count of the members."""
        self.lines = [f"{self.lines[0]}  [{len(self.lines) - 1} members folded]"]
        self.__post_init__()


def _fitting(blocks: list[_Block], names: list[str], max_chars: int) -> Folded:
    """Return as many blocks as fit, in order; one at least."""
    room = max_chars
    kept: list[str] = []
    for idx, block in enumerate(blocks):
        room -= block.size
        if room < 0 and kept:
            n_left = sum(len(later.heads) for later in blocks[idx:])
            return Folded(tuple(kept), tuple(names), block.heads[0].decorated_line, n_left)
        kept += block.lines
    return Folded(tuple(kept), tuple(names))


def _blocks(symbols: Sequence[SymbolInfo]) -> list[_Block]:
    """Return the definitions in order; plain variables that follow each other share lines."""
    blocks: list[_Block] = []
    follows = False
    for symbol in symbols:
        is_plain = symbol.kind == "variable" and not symbol.children
        if not is_plain:
            blocks.append(_Block([symbol], list(_lines(symbol))))
        else:
            item = f"{lines_of(symbol)} {symbol.name[:_MAX_SIGNATURE]}"
            if follows and blocks[-1].size + len(item) < _MAX_NAMES:
                blocks[-1] = _Block([*blocks[-1].heads, symbol], [f"{blocks[-1].lines[0]}, {item}"])
            else:
                blocks.append(_Block([symbol], [item]))
        follows = is_plain
    return blocks


def _lines(symbol: SymbolInfo) -> Iterator[str]:
    """Yield a definition with its members; its values share a line."""
    stack = [(symbol, 0)]
    while stack:
        info, depth = stack.pop()
        yield _INDENT * depth + line_of(info)
        fields = ", ".join(child.name for child in info.children if _is_field(child))
        if fields and info.kind not in ("function", "method"):
            yield f"{_INDENT * (depth + 1)}fields {shortened(fields, _MAX_FIELDS)}"
        stack += [(child, depth + 1) for child in reversed(_members(info))]


def _members(info: SymbolInfo) -> list[SymbolInfo]:
    """Return what is worth a line inside of a definition: no values, nothing of short functions."""
    is_short = info.line_end - info.line < _LONG_FUNCTION
    if info.kind in ("function", "method") and is_short:
        return []
    return [child for child in info.children if not _is_field(child)]


def _is_field(info: SymbolInfo) -> bool:
    """Return whether a member is a value; a property that is computed is like a method."""
    is_computed = info.kind == "property" and info.line_end > info.line
    return info.kind in _NESTED_VALUES and not is_computed
