"""How symbols are found in an outline; needs no parser, as the index keeps outlines."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.models import FileOutline, SymbolInfo
from analysis.parsing.grammars import TABLE_LANGUAGES


def walk(outline: FileOutline) -> Iterator[SymbolInfo]:
    """Yield every symbol of a file in the order of its text, parents before children."""
    stack = list(reversed(outline.symbols))
    while stack:
        symbol = stack.pop()
        yield symbol
        stack.extend(reversed(symbol.children))


def symbol_at(outline: FileOutline, line: int) -> SymbolInfo | None:
    """Return the innermost symbol whose lines, decorators included, contain the line."""
    found: SymbolInfo | None = None
    candidates = outline.symbols
    while candidates:
        inside = [s for s in candidates if s.decorated_line <= line <= s.line_end]
        if not inside:
            break
        found = inside[-1]
        candidates = found.children
    return found


def find_symbols(outline: FileOutline, name: str) -> list[SymbolInfo]:
    """Return the symbols that a plain or qualified name means, in the order of the text.

    Symbols whose full qualified name it is come alone; otherwise all those whose qualified name
    ends with it, so that ``method`` and ``Inner.method`` find ``Outer.Inner.method``. A type comes
    without the blocks that only add to it, as Rust's ``impl`` and Swift's ``extension`` do.
    """
    symbols = list(walk(outline))
    exact = [symbol for symbol in symbols if symbol.qualified_name == name]
    if exact:
        types = [symbol for symbol in exact if symbol.kind != "module"]
        return types if types and outline.language in TABLE_LANGUAGES else exact
    return [symbol for symbol in symbols if symbol.qualified_name.endswith(f".{name}")]
