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
_INDENT = " "
# Room for the line that says what is left.
_NOTE = 120
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
    wanted = [symbol for symbol in symbols if symbol.line_end >= from_line]
    blocks = [list(_lines(group)) for group in _groups(wanted)]
    heads = [group[0] for group in _groups(wanted)]
    sizes = [_size(block) for block in blocks]
    names: list[str] = []
    for idx in sorted(range(len(blocks)), key=lambda i: -sizes[i]):
        if sum(sizes) <= max_chars:
            break
        if len(blocks[idx]) > 1:
            n_members = len(blocks[idx]) - 1
            blocks[idx] = [f"{blocks[idx][0]}  [{n_members} members folded]"]
            names.append(heads[idx].qualified_name)
            sizes[idx] = _size(blocks[idx])
    return _fitting(blocks, heads, sizes, names, max_chars)


def _fitting(
    blocks: list[list[str]],
    heads: list[SymbolInfo],
    sizes: list[int],
    names: list[str],
    max_chars: int,
) -> Folded:
    """Return as many blocks as fit, in order; one at least."""
    room = max_chars if sum(sizes) <= max_chars else max_chars - _NOTE
    kept: list[str] = []
    for idx, block in enumerate(blocks):
        room -= sizes[idx]
        if room < 0 and kept:
            left = heads[idx:]
            return Folded(tuple(kept), tuple(names), left[0].decorated_line, len(left))
        kept += block
    return Folded(tuple(kept), tuple(names))


def _groups(symbols: Sequence[SymbolInfo]) -> Iterator[list[SymbolInfo]]:
    """Yield plain variables that follow each other together, and everything else alone."""
    group: list[SymbolInfo] = []
    for symbol in symbols:
        if symbol.kind == "variable" and not symbol.children:
            group.append(symbol)
            continue
        if group:
            yield group
            group = []
        yield [symbol]
    if group:
        yield group


def _lines(group: list[SymbolInfo]) -> Iterator[str]:
    """Yield a definition with its members; variables share lines."""
    if group[0].kind == "variable" and not group[0].children:
        yield from _names(group)
        return
    stack = [(group[0], 0)]
    while stack:
        symbol, depth = stack.pop()
        yield _INDENT * depth + line_of(symbol)
        inner = [child for child in symbol.children if child.kind not in _NESTED_VALUES]
        stack += [(child, depth + 1) for child in reversed(inner)]


def _names(variables: list[SymbolInfo]) -> Iterator[str]:
    """Yield names with their lines, as many on a line as are easy to read."""
    line = ""
    for variable in variables:
        item = f"{lines_of(variable)} {variable.name[:_MAX_SIGNATURE]}"
        if line and len(line) + len(item) > _MAX_NAMES:
            yield line
            line = ""
        line = f"{line}, {item}" if line else item
    yield line


def line_of(symbol: SymbolInfo) -> str:
    """Return a definition as one line: where it is, and its signature."""
    return f"{lines_of(symbol)} {_cut(symbol.signature or symbol.name, _MAX_SIGNATURE)}"


def lines_of(symbol: SymbolInfo) -> str:
    """Return the lines of a definition with its decorators, as ``4-9`` or ``4``."""
    start, end = symbol.decorated_line, symbol.line_end
    return f"{start}-{end}" if end > start else str(start)


def _size(block: list[str]) -> int:
    return sum(len(line) + 1 for line in block)


def _cut(text: str, max_chars: int) -> str:
    return text if len(text) <= max_chars else f"{text[: max_chars - 1]}…"
