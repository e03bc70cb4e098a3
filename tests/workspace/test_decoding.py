"""Bytes to text: encodings, and lines as editors count them."""

from __future__ import annotations

import ast
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.errors import BadInput
from analysis.workspace.decoding import decode, split_lines
from analysis.workspace.files import LocalFileBackend
from tests.workspace.repositories import write


@pytest.mark.parametrize(
    ("path", "data", "text", "encoding"),
    [
        ("a.py", b"x\n", "x\n", "utf-8"),
        ("a.py", b"", "", "utf-8"),
        ("a.py", b"#!/usr/bin/python\r\n# vim: set fileencoding=cp1252 :\r\n\x93", None, "cp1252"),
        ("a.py", b"\n\n# coding: latin-1\n\xe9", "\n\n# coding: latin-1\n\ufffd", "utf-8"),
        ("a.py", b"x = 1\n# coding: latin-1\n\xe9", None, "utf-8"),
        ("a.txt", b"# coding: latin-1\n\xe9", "# coding: latin-1\n\ufffd", "utf-8"),
        ("a.py", b"# coding: nonsense\nx", "# coding: nonsense\nx", "utf-8"),
        ("a.py", b"# coding: rot13\nx", "# coding: rot13\nx", "utf-8"),
        ("a.py", b"# coding: zlib\nx", "# coding: zlib\nx", "utf-8"),
        ("a.py", b"# coding: unicode_escape\n\\n", "# coding: unicode_escape\n\\n", "utf-8"),
        ("a.py", b"# coding: utf-7\n+2AA-", "# coding: utf-7\n\ufffd", "utf-7"),
        ("a.py", b"\xef\xbb\xbf# coding: latin-1\n\xc3\xa9", "# coding: latin-1\né", "utf-8-sig"),
        ("a.txt", "é\r\n".encode("utf-16-be", "replace"), None, "utf-8"),
        ("a.txt", b"\xfe\xff\x00\xe9\x00\r\x00\n", "é\n", "utf-16"),
        ("a.txt", b"\xff\xfe\xe9\x00\n", "é\ufffd", "utf-16"),
        ("a.txt", b"\xff\xfe\x00\x00\xe9\x00\x00\x00", "é", "utf-32"),
        ("a.txt", b"a\rb\r\nc\n\rd", "a\nb\nc\n\nd", "utf-8"),
        ("a.txt", "a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g".encode(), None, "utf-8"),
    ],
)
def test_decode(path: str, data: bytes, text: str | None, encoding: str) -> None:
    decoded = decode(path, data)
    assert decoded.encoding == encoding
    if text is not None:
        assert decoded.text == text
    decoded.text.encode()


@pytest.mark.parametrize(
    "text",
    ["a = 1\x0c\n\x0cb = 1\n", "a = '\x0b\x1c\x1d\x1e\x85\u2028\u2029'\nb = 1\n", "a\r\n\rb\n"],
)
def test_lines_are_those_of_pythons_parser(text: str) -> None:
    source = decode("a.py", text.encode()).text + "\nlast = 1\n"
    last = ast.parse(source).body[-1]
    assert split_lines(source)[last.lineno - 1] == "last = 1"


_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)


@settings(deadline=None, max_examples=60)
@given(pieces=st.lists(st.tuples(_TEXT, st.sampled_from(["\n", "\r\n", "\r"])), max_size=8))
def test_line_ranges_round_trip(pieces: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        data = "".join(text + end for text, end in pieces).encode("utf-8")
        root = write(Path(name), {"a.txt": data})
        files = LocalFileBackend(root)
        text = files.read("a.txt").text
        lines = split_lines(text)
        assert "\r" not in text
        for first in range(1, len(lines) + 1):
            for last in range(first, len(lines) + 1):
                expected = "".join(line + "\n" for line in lines[first - 1 : last])
                assert files.read_lines("a.txt", first, last) == expected
        with pytest.raises(BadInput):
            files.read_lines("a.txt", len(lines) + 1, len(lines) + 1)
