"""The server's text of an open document is the editor's, whatever stands in it and is typed."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lsp.in_process import Wire

URI = "file:///nowhere/a.txt"
ENCODINGS = ["utf-8", "utf-16", "utf-32"]
CODECS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
UNIT_BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
texts = st.text(st.sampled_from("ab(é😀\u0301\n\r\x0b\x0c\x1c\x85\u2028\u2029\t "), max_size=25)


@dataclass
class ReferenceDocument:
    """A document by the words of the protocol: lines end at LF, CR LF and CR, columns are units."""

    text: str
    encoding: str

    def positions(self) -> list[tuple[int, int]]:
        """Every place between two characters at which an edit may begin or end."""
        found = []
        for number, line in enumerate(re.split(r"\r\n|\r|\n", self.text)):
            found += [(number, self._units(line[:column])) for column in range(len(line) + 1)]
        return found

    def replace(self, start: tuple[int, int], end: tuple[int, int], new: str) -> None:
        self.text = self.text[: self._offset(start)] + new + self.text[self._offset(end) :]

    def _offset(self, position: tuple[int, int]) -> int:
        ends = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", self.text))]
        start = ends[position[0]]
        raw = self.text[start:].encode(CODECS[self.encoding])
        prefix = raw[: position[1] * UNIT_BYTES[self.encoding]]
        return start + len(prefix.decode(CODECS[self.encoding]))

    def _units(self, text: str) -> int:
        return len(text.encode(CODECS[self.encoding])) // UNIT_BYTES[self.encoding]


def change(start: tuple[int, int], end: tuple[int, int], new: str) -> dict[str, object]:
    ends = {
        name: {"line": line, "character": character}
        for name, (line, character) in {"start": start, "end": end}.items()
    }
    return {"range": ends, "text": new}


async def text_after(encoding: str, text: str, messages: list[list[dict[str, object]]]) -> str:
    """What the server holds after some notifications of changes."""
    wire = Wire()
    await wire.initialize(encoding)
    document = {"uri": URI, "languageId": "plaintext", "version": 1, "text": text}
    wire.notify("textDocument/didOpen", {"textDocument": document})
    for version, changes in enumerate(messages, start=2):
        named = {"uri": URI, "version": version}
        wire.notify("textDocument/didChange", {"textDocument": named, "contentChanges": changes})
    await asyncio.sleep(0)
    await wire.request("shutdown", None)
    return wire.server.texts[URI]


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_random_edits(encoding: str, data: st.DataObject):
    before = data.draw(texts)
    document = ReferenceDocument(before, encoding)
    messages = []
    for _ in range(data.draw(st.integers(1, 3))):
        changes = []
        for _ in range(data.draw(st.integers(1, 3))):
            places = document.positions()
            start, end = sorted(data.draw(st.tuples(*[st.sampled_from(places)] * 2)))
            new = data.draw(texts)
            document.replace(start, end, new)
            changes.append(change(start, end, new))
        messages.append(changes)
    assert asyncio.run(text_after(encoding, before, messages)) == document.text


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    ("before", "start", "end", "new", "after"),
    [
        ("a\x0cb\nlong line\n", (1, 5), (1, 9), "word", "a\x0cb\nlong word\n"),
        ("a\x85b\nlong line\n", (1, 5), (1, 9), "word", "a\x85b\nlong word\n"),
        ("a\u2028b\nlong line\n", (1, 5), (1, 9), "word", "a\u2028b\nlong word\n"),
        ("abc", (0, 3), (0, 3), "d", "abcd"),
        ("abc", (0, 99), (0, 99), "d", "abcd"),  # clamped, as the protocol asks for
        ("abc", (1, 0), (1, 0), "d", "abcd"),
        ("abc\n", (1, 0), (9, 0), "d", "abc\nd"),
        ("", (0, 0), (0, 0), "a", "a"),
        ("a\r\nb", (0, 9), (1, 0), "-", "a-b"),
        ("a\rb\r", (1, 0), (1, 1), "c", "a\rc\r"),
    ],
)
def test_single_edits(
    encoding: str, before: str, start: tuple[int, int], end: tuple[int, int], new: str, after: str
):
    assert asyncio.run(text_after(encoding, before, [[change(start, end, new)]])) == after
