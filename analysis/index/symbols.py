"""Symbols as rows of the index, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from analysis.models import SymbolInfo

SymbolRecord = tuple[Any, ...]
"""A row of the table of symbols without its file."""

COLUMNS = (
    "ord, parent, name, qualified_name, kind, line, line_end, signature, name_line, name_column,"
    " decorated_line, decorators, docstring, exported"
)


@dataclass(frozen=True, slots=True)
class SymbolRow:
    """A definition and where it stands."""

    path: str
    info: SymbolInfo
    """Without its children if it was found by name."""
    parent: str | None
    """Qualified name of the enclosing definition."""


def symbol_records(symbols: tuple[SymbolInfo, ...]) -> list[SymbolRecord]:
    """Return rows for an outline's symbols, each after its parent."""
    records: list[SymbolRecord] = []
    pending: list[tuple[SymbolInfo, int | None]] = [(symbol, None) for symbol in reversed(symbols)]
    while pending:
        symbol, parent = pending.pop()
        number = len(records)
        records.append(_record(symbol, number, parent))
        pending.extend((child, number) for child in reversed(symbol.children))
    return records


def symbol_from(record: SymbolRecord) -> SymbolInfo:
    """Return the symbol of a row, without children."""
    return SymbolInfo(
        name=record[2],
        qualified_name=record[3],
        kind=record[4],
        line=record[5],
        line_end=record[6],
        signature=record[7],
        name_line=record[8],
        name_column=record[9],
        decorated_line=record[10],
        decorators=tuple(json.loads(record[11])) if record[11] else (),
        docstring=record[12],
        exported=bool(record[13]),
    )


def symbols_from(records: Iterable[SymbolRecord]) -> tuple[SymbolInfo, ...]:
    """Return an outline's symbols, nested, from their rows in order."""
    rows = list(records)
    below: dict[int | None, list[SymbolInfo]] = {}
    for record in reversed(rows):  # children come after their parents
        children = below.pop(record[0], [])
        symbol = symbol_from(record)
        if children:
            symbol = replace(symbol, children=tuple(reversed(children)))
        below.setdefault(record[1], []).append(symbol)
    return tuple(reversed(below.get(None, [])))


def symbol_rows(path: str, symbols: tuple[SymbolInfo, ...]) -> list[SymbolRow]:
    """Return all symbols of a file in order of the text, parents before children."""
    rows: list[SymbolRow] = []
    pending: list[tuple[SymbolInfo, str | None]] = [(symbol, None) for symbol in reversed(symbols)]
    while pending:
        symbol, parent = pending.pop()
        rows.append(SymbolRow(path, symbol, parent))
        pending.extend((child, symbol.qualified_name) for child in reversed(symbol.children))
    return rows


def _record(symbol: SymbolInfo, number: int, parent: int | None) -> SymbolRecord:
    return (
        number,
        parent,
        symbol.name,
        symbol.qualified_name,
        symbol.kind,
        symbol.line,
        symbol.line_end,
        symbol.signature,
        symbol.name_line,
        symbol.name_column,
        symbol.decorated_line,
        json.dumps(symbol.decorators) if symbol.decorators else None,
        symbol.docstring,
        int(symbol.exported),
    )
