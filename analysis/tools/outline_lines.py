"""Writes definitions as lines without bodies, and chooses which where there is no room for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.models import SymbolInfo
from analysis.parsing.words import terms_of

_MAX_DOCSTRING = 100
_MAX_SIGNATURE = 160
_INDENT = "  "


@dataclass(slots=True)
class _Line:
    info: SymbolInfo
    depth: int
    parent: int | None
    """Index of the line of the definition around it."""
    text: str


def selected(
    symbols: Sequence[SymbolInfo], max_chars: int, terms: frozenset[str] = frozenset()
) -> list[str]:
    """Return a line per definition, indented by depth; those that matter most if not all fit.

    Args:
        symbols: Of one file.
        max_chars: For all lines together.
        terms: Stems of the words that are asked about.
    """
    lines = _lines(symbols)
    if sum(len(line.text) + 1 for line in lines) <= max_chars:
        return [line.text for line in lines]
    chosen: set[int] = set()
    left = max_chars
    for idx in sorted(range(len(lines)), key=lambda i: (-_worth(lines[i], terms), i)):
        wanted = _with_parents(idx, lines) - chosen
        size = sum(len(lines[i].text) + 1 for i in wanted)
        if size <= left:
            chosen |= wanted
            left -= size
    kept = [lines[idx].text for idx in sorted(chosen)]
    return [*kept, f"… {len(lines) - len(kept)} more definitions"]


def _lines(symbols: Sequence[SymbolInfo]) -> list[_Line]:
    """Return all definitions worth a line: plain variables only at the top."""
    lines: list[_Line] = []
    stack: list[tuple[SymbolInfo, int, int | None]] = [(i, 0, None) for i in reversed(symbols)]
    while stack:
        info, depth, parent = stack.pop()
        if info.kind in {"variable", "property"} and depth:
            continue
        doc = f"  # {info.docstring[:_MAX_DOCSTRING]}" if info.docstring else ""
        signature = info.signature[:_MAX_SIGNATURE]
        text = f"{_INDENT * depth}{info.line}-{info.line_end} {signature}{doc}"
        lines.append(_Line(info, depth, parent, text))
        here = len(lines) - 1
        stack += [(child, depth + 1, here) for child in reversed(info.children)]
    return lines


def _worth(line: _Line, terms: frozenset[str]) -> float:
    """Return how much a reader who asks about the terms wants to see a line."""
    named = len(terms.intersection(terms_of(line.info.name)))
    said = len(terms.intersection(terms_of(line.text)))
    is_large = line.info.kind in {"class", "interface"}
    return 3 * named + 2 * said - 0.5 * line.depth + 0.25 * is_large


def _with_parents(idx: int, lines: list[_Line]) -> set[int]:
    found = {idx}
    while (parent := lines[idx].parent) is not None:
        found.add(parent)
        idx = parent
    return found
