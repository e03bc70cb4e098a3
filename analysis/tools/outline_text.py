"""A file's outline as a model reads it: a line a definition, folded where it would be too long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

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


def head_of(outline: FileOutline) -> list[str]:
    """Return what a file is: language, size, docstring, imports."""
    head = f"{outline.path}: {outline.language}, {outline.line_count} lines"
    if outline.docstring:
        head += f'; "{outline.docstring[:_MAX_DOCSTRING]}"'
    lines = [head]
    if outline.imports:
        modules = dict.fromkeys(
            item.module if item.module.strip(".") else f"{item.module}{','.join(item.names)}"
            for item in outline.imports
        )
        lines.append(_cut(f"imports {', '.join(modules)}", _MAX_IMPORTS))
    return lines


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
            yield f"{_INDENT * (depth + 1)}fields {_cut(fields, _MAX_FIELDS)}"
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


def line_of(symbol: SymbolInfo) -> str:
    """Return a definition as one line: where it is, and its signature."""
    return f"{lines_of(symbol)} {_cut(symbol.signature or symbol.name, _MAX_SIGNATURE)}"


def lines_of(symbol: SymbolInfo) -> str:
    """Return the lines of a definition with its decorators, as ``4-9`` or ``4``."""
    start, end = symbol.decorated_line, symbol.line_end
    return f"{start}-{end}" if end > start else str(start)


def _cut(text: str, max_chars: int) -> str:
    return text if len(text) <= max_chars else f"{text[: max_chars - 1]}…"
