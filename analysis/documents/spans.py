"""Finds the parts of markdown that are prose, and in it code spans, links, images and URLs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Literal

from markdown_it import MarkdownIt

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_RUN = re.compile(r"`+")
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*)>")
_BARE_URL = re.compile(r"(?i)\b(?:https?|ftp|file|vscode)://[^\s<>`\"']+")
_STOPS = re.compile(r"[\\`<!\[]|(?i:\b(?:https?|ftp|file|vscode)://)")
_DESTINATION = re.compile(
    r"\(\s{0,9}(?:<([^<>\n]*)>|((?:\\.|[^\s\\()<]|\((?:\\.|[^\s\\()])*\))*))"
    r"(?:\s{1,9}(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?\s{0,9}\)"
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
# Labels longer than this are not worth looking through for their end.
_MAX_LABEL = 2000

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


def regions(markdown: str) -> tuple[Region, ...]:
    """Return the blocks of markdown in order; together they cover the text exactly once."""
    offsets = [0]
    for match in _LINE.finditer(markdown):
        if match.end() > offsets[-1]:
            offsets.append(match.end())
    n_lines = len(offsets) - 1
    owner = _block_of_lines(markdown, n_lines)
    found: list[Region] = []
    first = 0
    for line in range(1, n_lines + 1):
        if line == n_lines or owner[line] != owner[first]:
            found.append(Region(offsets[first], offsets[line], owner[first] < 0))
            first = line
    return tuple(found)


def zones(text: str, start: int, end: int) -> Iterator[Zone]:
    """Yield what is not plain text between two offsets, from left to right, not overlapping."""
    closers = _runs_by_length(text, start, end)
    position = start
    while (stop := _STOPS.search(text, position, end)) is not None:
        zone = _zone_at(text, stop.start(), end, closers)
        if zone is None:
            position = _past_literal(text, stop.start(), end)
        else:
            yield zone
            position = zone.end


def unescaped(text: str) -> str:
    """Return text with markdown's backslash escapes and HTML entities resolved."""
    return unescape(_ESCAPE.sub(r"\1", text))


def _block_of_lines(markdown: str, n_lines: int) -> list[int]:
    """Return a block number for each line, negative for code; each other line is its own."""
    owner = list(range(1, n_lines + 1))
    parser = MarkdownIt("commonmark").enable("table")
    for token in parser.parse(markdown):
        if token.map is None or token.type not in {"fence", "code_block", "inline"}:
            continue
        first, last = token.map[0], min(token.map[1], n_lines)
        sign = 1 if token.type == "inline" else -1
        for line in range(first, last):
            owner[line] = sign * (first + 1)
    return owner


def _runs_by_length(text: str, start: int, end: int) -> dict[int, list[int]]:
    """Return where runs of backticks start, latest first, by their length."""
    runs: dict[int, list[int]] = {}
    for run in _RUN.finditer(text, start, end):
        runs.setdefault(len(run[0]), []).append(run.start())
    for starts in runs.values():
        starts.reverse()
    return runs


def _zone_at(text: str, at: int, end: int, closers: dict[int, list[int]]) -> Zone | None:
    """Return the zone that starts at an offset, if one does."""
    first = text[at]
    if first == "`":
        return _code_span(text, at, end, closers)
    if first == "<":
        match = _AUTOLINK.match(text, at, end)
        return Zone("url", at, match.end(), match[1], match[1]) if match else None
    if first == "!":
        zone = _link(text, at + 1, end) if text.startswith("![", at) and at + 1 < end else None
        return Zone("image", at, zone.end, zone.content, zone.target) if zone else None
    if first == "[":
        return _link(text, at, end)
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


def _link(text: str, at: int, end: int) -> Zone | None:
    """Return the inline link whose opening bracket stands at an offset."""
    close = _closing_bracket(text, at, min(end, at + _MAX_LABEL))
    if close is None:
        return None
    destination = _DESTINATION.match(text, close + 1, end)
    if destination is None:
        return None
    target = destination[1] if destination[1] is not None else destination[2]
    return Zone("link", at, destination.end(), text[at + 1 : close], unescaped(target))


def _closing_bracket(text: str, at: int, end: int) -> int | None:
    """Return where the bracket that opens at an offset closes, code and escapes passed over."""
    depth, position = 0, at
    while position < end:
        char = text[position]
        if char == "\\":
            position += 1
        elif char == "`":
            position = _end_of_code(text, position, end) - 1
        elif char == "[":
            depth += 1
        elif char == "]":
            depth -= 1
            if depth == 0:
                return position
        position += 1
    return None


def _end_of_code(text: str, at: int, end: int) -> int:
    """Return the end of the code span at an offset, or of its backticks if it never closes."""
    run = _RUN.match(text, at, end)
    assert run is not None
    for other in _RUN.finditer(text, run.end(), end):
        if len(other[0]) == len(run[0]):
            return other.end()
    return run.end()
