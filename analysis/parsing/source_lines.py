"""Where things stand in a source text: bytes to code points, names near a place."""

from __future__ import annotations


class SourceLines:
    """A file's lines, with columns as they are counted everywhere in Scope."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self._plain = text.isascii()

    def column(self, line: int, byte_column: int) -> int:
        """Return a column in code points from one in UTF-8 bytes."""
        if self._plain or byte_column == 0:
            return byte_column
        text = self.lines[line - 1]
        if text.isascii():
            return byte_column
        return len(text.encode()[:byte_column].decode("utf-8", "replace"))

    def find_word(self, line: int, start: int, word: str) -> int:
        """Return the column of a whole word at or after ``start`` in a line, or -1."""
        text = self.lines[line - 1]
        at = text.find(word, start)
        while at >= 0:
            end = at + len(word)
            if not _joins(text[at - 1 : at]) and not _joins(text[end : end + 1]):
                return at
            at = text.find(word, at + 1)
        return -1


def _joins(character: str) -> bool:
    """Return whether a neighbouring character makes a word longer."""
    return character == "_" or character.isalnum()
