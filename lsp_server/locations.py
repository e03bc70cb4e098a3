"""The editor's positions and ours: the only module that converts one into the other.

The client counts characters in the encoding that was negotiated (UTF-16 if it is silent) and ends
lines at LF, CR LF and CR only. Python's ``splitlines`` also ends them at form feeds and other
separators, so lines are split here by the protocol's rule. Ours are 1-based lines and 0-based code
points.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from lsprotocol import types
from pygls.workspace import PositionCodec

from analysis.models import Position
from lsp_server.protocol import WireLocation, WirePosition, WireRange

_LINE_END = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def split_lines(text: str) -> list[str]:
    """Return the lines of a text as the protocol counts them, with their ends kept."""
    return _LINE.findall(text)


def column_from(line: str, character: int, codec: PositionCodec) -> int:
    """Return the code point column of a client's character, clamped to the line."""
    units = 0
    for column, char in enumerate(line):
        if units >= character or char in "\r\n":
            return column
        units += codec.client_num_units(char)
    return len(line.rstrip("\r\n"))


def offset_from(lines: Sequence[str], position: types.Position, codec: PositionCodec) -> int:
    """Return the offset of a client's position in the joined lines, clamped to the text."""
    if position.line >= len(lines):
        return sum(map(len, lines))
    before = sum(map(len, lines[: position.line]))
    return before + column_from(lines[position.line], position.character, codec)


def apply_changes(
    text: str,
    changes: Sequence[types.TextDocumentContentChangeEvent],
    codec: PositionCodec,
) -> str:
    """Return the text after a client's changes, each of which sees the ones before."""
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            lines = split_lines(text)
            start = offset_from(lines, change.range.start, codec)
            end = offset_from(lines, change.range.end, codec)
            text = text[:start] + change.text + text[end:]
        else:
            text = change.text
    return text


def position_from(
    path: str, text: str, line: int, character: int, codec: PositionCodec
) -> Position:
    """Return a client's 0-based position as ours: 1-based line, code point column."""
    lines = split_lines(text)
    source = lines[line] if line < len(lines) else ""
    return Position(path, line + 1, column_from(source, character, codec))


def range_from(wire: WireRange) -> types.Range:
    """Return a range of our own messages as the protocol's type."""
    return types.Range(
        start=types.Position(wire.start.line, wire.start.character),
        end=types.Position(wire.end.line, wire.end.character),
    )


class TextLines:
    """Where the lines of a text begin, as the protocol counts them; for many places of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and the code point column of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1]

    def range(self, start: int, end: int, codec: PositionCodec) -> types.Range:
        """Return the range between two offsets."""
        return types.Range(self._wire(start, codec), self._wire(end, codec))

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a 1-based line and a code point column, clamped to the text."""
        if line > len(self._starts):
            return len(self._text)
        return min(self._starts[line - 1] + column, len(self._text))

    def _wire(self, offset: int, codec: PositionCodec) -> types.Position:
        line, column = self.position(offset)
        before = self._text[offset - column : offset]
        return types.Position(line - 1, character_of(before, column, codec))


def text_in_range(text: str, wanted: types.Range, codec: PositionCodec) -> str:
    """Return the text that a client's range selects."""
    lines = split_lines(text)
    return text[offset_from(lines, wanted.start, codec) : offset_from(lines, wanted.end, codec)]


def character_of(line: str, column: int, codec: PositionCodec) -> int:
    """Return the client's character for a code point column."""
    return int(codec.client_num_units(line[:column]))


def range_of_lines(
    lines: Sequence[str], line_start: int, line_end: int, codec: PositionCodec
) -> types.Range:
    """Return the range of whole lines, given 1-based and inclusive, without the last line's end."""
    last = max(min(line_end, len(lines)), 1)
    first = max(min(line_start, last), 1)
    text = lines[last - 1].rstrip("\r\n") if lines else ""
    return types.Range(
        start=types.Position(first - 1, 0),
        end=types.Position(last - 1, character_of(text, len(text), codec)),
    )


def range_of_span(
    line_text: str, line: int, start: int, end: int, codec: PositionCodec
) -> types.Range:
    """Return the range of code point columns ``start`` to ``end`` on a 1-based line."""
    return types.Range(
        start=types.Position(line - 1, character_of(line_text, start, codec)),
        end=types.Position(line - 1, character_of(line_text, end, codec)),
    )


def wire_location(location: types.Location) -> WireLocation:
    """Return a location as it goes over the wire in our own messages."""
    start, end = location.range.start, location.range.end
    wire = WireRange(
        start=WirePosition(line=start.line, character=start.character),
        end=WirePosition(line=end.line, character=end.character),
    )
    return WireLocation(uri=location.uri, range=wire)
