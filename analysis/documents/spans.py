"""Finds the parts of markdown that are prose, and in it code spans, links, images and URLs."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_RUN = re.compile(r"`+")
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*)>")
_BARE_URL = re.compile(
    r"(?i)\b(?:https?|ftp|file|vscode)://"
    r"(?:[^\s<>`\"'()\[\]\\!]|!(?!\[)|\([^\s<>`\"'()\[\]\\]*\))+"
)
_STOPS = re.compile(r"[\\`<!\[]|(?i:\b(?:https?|ftp|file|vscode)://)")
_BRACKETS = re.compile(r"[\\`\[\]]")
_DESTINATION = re.compile(
    r"\(\s{0,9}(?:<([^<>\n]*)>|((?:\\.|[^\s\\()<]|\((?:\\.|[^\s\\()])*\))*))"
    r"(?:\s{1,9}(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?\s{0,9}\)"
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_CELL_END = re.compile(r"\\.|\|", re.DOTALL)

ZoneKind = Literal["code", "link", "image", "url"]


@dataclass(frozen=True, slots=True)
class Zone:
    """A piece of inline markdown that is not plain text; offsets into the whole text."""

    kind: ZoneKind
    start: int
    end: int
    content: str
    """The code, the label, or the URL."""
    target: str = ""
    """Where a link or image points, unescaped."""


@dataclass(frozen=True, slots=True)
class Region:
    """One block of text: a paragraph, heading or table row; or code that must stay as it is."""

    start: int
    end: int
    is_code: bool
    is_row: bool = False
    """Whether it is a row of a table, whose cells are texts of their own."""
    line_start: int = 0
    """Number of its first line, from 0."""
    line_end: int = 0
    """Number of the line after its last one."""


@dataclass(frozen=True, slots=True)
class _Lines:
    """What the lines of a text belong to."""

    owners: list[int]
    """A block number for each line, negative for code; each other line is its own."""
    rows: frozenset[int]
    """The lines that are rows of tables."""


def block_parser() -> MarkdownIt:
    """Return a parser that finds blocks, and leaves what is inside them alone."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable("inline")


def regions(markdown: str) -> tuple[Region, ...]:
    """Return the blocks of markdown in order; together they cover the text exactly once."""
    offsets = [0]
    for match in _LINE.finditer(markdown):
        if match.end() > offsets[-1]:
            offsets.append(match.end())
    n_lines = len(offsets) - 1
    lines = _lines_of(block_parser().parse(markdown), n_lines)
    owner = lines.owners
    found: list[Region] = []
    first = 0
    for line in range(1, n_lines + 1):
        if line == n_lines or owner[line] != owner[first]:
            is_row = first in lines.rows
            place = offsets[first], offsets[line]
            found.append(Region(*place, owner[first] < 0, is_row, first, line))
            first = line
    return tuple(found)


def zones(text: str, region: Region, start: int = 0, end: int | None = None) -> Iterator[Zone]:
    """Yield what is not plain text, from left to right, not overlapping.

    Args:
        text: The whole markdown.
        region: The block to look in.
        start: Where to begin, inside of it; at its start if that comes later.
        end: Where to stop; at its end if that comes earlier.
    """
    low = max(start, region.start)
    high = region.end if end is None else min(end, region.end)
    for first, last in cells(text, low, high) if region.is_row else ((low, high),):
        yield from _zones(text, first, last)


def cells(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the cells of a row of a table; a bar between backticks ends a cell as well."""
    position = start
    for match in _CELL_END.finditer(text, start, end):
        if match[0] == "|":
            yield position, match.start()
            position = match.end()
    yield position, end


def unescaped(text: str) -> str:
    """Return text with markdown's backslash escapes and HTML entities resolved."""
    return unescape(_ESCAPE.sub(r"\1", text))


def _lines_of(tokens: list[Token], n_lines: int) -> _Lines:
    """Return what each line belongs to."""
    owner = list(range(1, n_lines + 1))
    rows: set[int] = set()
    for token in tokens:
        if token.map is None:
            continue
        first, last = token.map[0], min(token.map[1], n_lines)
        if token.type == "tr_open":
            rows.add(first)
        elif token.type in {"fence", "code_block", "inline"}:
            sign = 1 if token.type == "inline" else -1
            for line in range(first, last):
                owner[line] = sign * (first + 1)
    return _Lines(owner, frozenset(rows))


def _zones(text: str, start: int, end: int) -> Iterator[Zone]:
    """Yield the zones of a stretch that is parsed as a whole."""
    closers = _runs_by_length(text, start, end)
    pairs = _bracket_pairs(text, start, end)
    position = start
    while (stop := _STOPS.search(text, position, end)) is not None:
        zone = _zone_at(text, stop.start(), end, closers, pairs)
        if zone is None:
            position = _past_literal(text, stop.start(), end)
        else:
            yield zone
            position = zone.end


def _runs_by_length(text: str, start: int, end: int) -> dict[int, list[int]]:
    """Return where runs of backticks start, latest first, by their length."""
    runs: dict[int, list[int]] = {}
    for run in _RUN.finditer(text, start, end):
        runs.setdefault(len(run[0]), []).append(run.start())
    for starts in runs.values():
        starts.reverse()
    return runs


@dataclass(frozen=True, slots=True)
class _Brackets:
    """The brackets of a stretch, code and escapes passed over."""

    closes: dict[int, int]
    """Where each bracket closes that does."""
    links: list[int]
    """Where those open that a link's destination follows, images left out, in order."""


def _bracket_pairs(text: str, start: int, end: int) -> _Brackets:
    """Return the brackets of a stretch."""
    closers = _runs_by_length(text, start, end)
    pairs: dict[int, int] = {}
    open_at: list[int] = []
    position = start
    while (match := _BRACKETS.search(text, position, end)) is not None:
        at, position = match.start(), match.end()
        if match[0] == "[":
            open_at.append(at)
        elif match[0] == "]":
            if open_at:
                pairs[open_at.pop()] = at
        elif match[0] == "\\":
            position += 1
        else:
            code = _code_span(text, at, end, closers)
            position = code.end if code else _past_literal(text, at, end)
    links = [
        at
        for at, close in pairs.items()
        if text[at - 1 : at] != "!" and _DESTINATION.match(text, close + 1, end)
    ]
    return _Brackets(pairs, sorted(links))


def _zone_at(
    text: str, at: int, end: int, closers: dict[int, list[int]], pairs: _Brackets
) -> Zone | None:
    """Return the zone that starts at an offset, if one does."""
    first = text[at]
    if first == "`":
        return _code_span(text, at, end, closers)
    if first == "<":
        match = _AUTOLINK.match(text, at, end)
        return Zone("url", at, match.end(), match[1], match[1]) if match else None
    if first == "!":
        zone = _link(text, at + 1, end, pairs) if text.startswith("![", at, end) else None
        return Zone("image", at, zone.end, zone.content, zone.target) if zone else None
    if first == "[":
        return _link(text, at, end, pairs)
    match = _BARE_URL.match(text, at, end)
    return Zone("url", at, match.end(), match[0], match[0]) if match else None


def _past_literal(text: str, at: int, end: int) -> int:
    """Return where to go on after a character that starts nothing."""
    run = _RUN.match(text, at, end)
    if run is not None:
        return run.end()
    return min(at + 2, end) if text[at] == "\\" else at + 1


def _code_span(text: str, at: int, end: int, closers: dict[int, list[int]]) -> Zone | None:
    run = _RUN.match(text, at, end)
    assert run is not None
    starts = closers.get(len(run[0]), [])
    while starts and starts[-1] < run.end():
        starts.pop()
    if not starts:
        return None
    close = starts[-1]
    return Zone("code", at, close + len(run[0]), text[run.end() : close])


def _link(text: str, at: int, end: int, pairs: _Brackets) -> Zone | None:
    """Return the inline link whose opening bracket stands at an offset."""
    close = pairs.closes.get(at)
    if close is None:
        return None
    destination = _DESTINATION.match(text, close + 1, end)
    if destination is None:
        return None
    inner = bisect_right(pairs.links, at)
    if inner < len(pairs.links) and pairs.links[inner] < close:
        return None  # No link is inside of another one.
    target = destination[1] if destination[1] is not None else destination[2]
    return Zone("link", at, destination.end(), text[at + 1 : close], unescaped(target))
