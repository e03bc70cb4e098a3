"""The editor's positions and texts, in our terms.

The client counts characters in the encoding that was negotiated (UTF-16 if it is silent) and ends
lines at LF, CR LF and CR only. Python's ``splitlines`` also ends them at form feeds and other
separators, so lines are split here by the protocol's rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types
from pygls.workspace import PositionCodec

from analysis.models import Position
from lsp_server.protocol import WireRange

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


def text_in_range(text: str, wanted: types.Range, codec: PositionCodec) -> str:
    """Return the text that a client's range selects."""
    lines = split_lines(text)
    return text[offset_from(lines, wanted.start, codec) : offset_from(lines, wanted.end, codec)]
