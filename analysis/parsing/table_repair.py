"""Definitions where a tree is broken: macros, and syntax that the grammar does not know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis.parsing.drafts import Draft
from analysis.parsing.text_outline import text_symbols

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.models import SymbolInfo
    from analysis.parsing.grammars.table import LanguageTable
    from analysis.parsing.table_reader import TableReader
    from analysis.parsing.trees import ParsedTree

# A file that is broken in more places than this is not one of the language.
_MAX_BROKEN = 5000


def from_lines(reader: TableReader, language: str, text: str) -> list[Draft]:
    """Return definitions that lines look like, where the tree has none because it is broken.

    Args:
        reader: What was read of the tree.
        language: The language, for the look of its lines.
        text: The file's text.
    """
    tree, drafts = reader.tree, reader.drafts
    broken = [*reader.misread, *sorted(_broken_rows(tree, reader.table))]
    if not broken:
        return []
    lines = {draft.name_line for draft in drafts}
    starts = tree.line_starts()
    found = []
    for symbol in _flat(text_symbols(language, text)):
        row = symbol.name_line - 1
        if symbol.name_line in lines or not any(first <= row <= last for first, last in broken):
            continue
        found.append(_draft(symbol, starts, len(tree.data)))
    return found


def _draft(symbol: SymbolInfo, starts: list[int], size: int) -> Draft:
    end = starts[symbol.line_end] - 1 if symbol.line_end < len(starts) else size
    owner = symbol.qualified_name.removesuffix(symbol.name).rstrip(".")
    return Draft(
        name=symbol.name,
        kind=symbol.kind,
        start=starts[symbol.line - 1] + symbol.name_column,
        end=max(end, starts[symbol.line - 1] + symbol.name_column),
        line=symbol.line,
        line_end=symbol.line_end,
        signature=symbol.signature,
        name_line=symbol.name_line,
        name_column=symbol.name_column,
        decorated_line=symbol.decorated_line,
        docstring=symbol.docstring,
        exported=symbol.exported,
        owner=owner if symbol.kind == "method" and symbol.line == symbol.name_line else "",
    )


def _flat(symbols: tuple[SymbolInfo, ...]) -> Iterator[SymbolInfo]:
    stack = list(reversed(symbols))
    while stack:
        symbol = stack.pop()
        yield symbol
        stack.extend(reversed(symbol.children))


def _broken_rows(tree: ParsedTree, table: LanguageTable) -> set[tuple[int, int]]:
    """Return first and last row of what could not be read, with what it is a part of."""
    rows: set[tuple[int, int]] = set()
    stack: list[Node] = [tree.root]
    while stack and len(rows) < _MAX_BROKEN:
        node = stack.pop()
        is_whole = node.type in table.transparent or node.is_error or node.parent is None
        for child in node.children:
            if child.is_error or child.is_missing:
                around = child if is_whole else node
                rows.add((around.start_point.row, around.end_point.row))
            if child.has_error:
                stack.append(child)
    return rows
