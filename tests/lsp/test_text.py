"""Edits and columns: our text stays equal to the client's, whatever is in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.workspace import PositionCodec

from lsp_server.locations import (
    apply_changes,
    character_of,
    column_from,
    offset_from,
    range_of_lines,
    split_lines,
)

ENCODINGS = [
    types.PositionEncodingKind.Utf8,
    types.PositionEncodingKind.Utf16,
    types.PositionEncodingKind.Utf32,
]
texts = st.text(st.sampled_from("ab é😀e\u0301\n\r\x0c\u2028(;"), max_size=40)


def client_position(text: str, offset: int, codec: PositionCodec) -> types.Position:
    """What a client would send for an offset that is not inside a line end."""
    line_start, line = 0, 0
    for piece in split_lines(text):
        if offset < line_start + len(piece):
            break
        line_start, line = line_start + len(piece), line + 1
        if not piece.endswith(("\n", "\r")):
            line_start, line = line_start - len(piece), line - 1
            break
    return types.Position(line, codec.client_num_units(text[line_start:offset]))


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=texts, data=st.data())
def test_incremental_edits_equal_the_clients(encoding, text, data):
    codec = PositionCodec(encoding)
    whole = [i for i in range(len(text) + 1) if not (i and text[i - 1 : i + 1] == "\r\n")]
    start = data.draw(st.sampled_from(whole))
    end = data.draw(st.sampled_from([i for i in whole if i >= start]))
    new = data.draw(texts)
    change = types.TextDocumentContentChangePartial(
        range=types.Range(client_position(text, start, codec), client_position(text, end, codec)),
        text=new,
    )
    assert apply_changes(text, [change], codec) == text[:start] + new + text[end:]


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(line=st.text(st.characters(exclude_characters="\r\n"), max_size=30), data=st.data())
def test_columns_round_trip(encoding, line, data):
    codec = PositionCodec(encoding)
    column = data.draw(st.integers(0, len(line)))
    assert column_from(line, character_of(line, column, codec), codec) == column


def test_form_feeds_and_separators_are_no_line_ends():
    assert split_lines("a\x0cb\u2028c\x85d\r\ne\rf\n") == ["a\x0cb\u2028c\x85d\r\n", "e\r", "f\n"]


def test_a_column_after_an_emoji():
    codec = PositionCodec(types.PositionEncodingKind.Utf16)
    line = 's = "😀é"; target()'
    assert line[column_from(line, 11, codec) :] == "target()"
    assert character_of(line, line.index("target"), codec) == 11


@pytest.mark.parametrize(
    ("line", "character", "expected"), [(0, 99, 3), (5, 0, 8), (1, 2, 6), (2, 0, 8)]
)
def test_positions_beyond_the_text_are_clamped(line, character, expected):
    codec = PositionCodec(types.PositionEncodingKind.Utf16)
    lines = split_lines("abc\ndef\n")
    assert offset_from(lines, types.Position(line, character), codec) == expected


def test_a_range_of_lines_ends_before_the_line_end():
    codec = PositionCodec(types.PositionEncodingKind.Utf16)
    found = range_of_lines(["a\r\n", "😀b\r\n"], 1, 9, codec)
    assert (found.start.line, found.start.character) == (0, 0)
    assert (found.end.line, found.end.character) == (1, 3)
