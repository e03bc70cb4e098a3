"""How far a definition reaches by the look of its lines, for files that do not parse."""

from __future__ import annotations

import re
from collections.abc import Mapping

# Stands for the end of a string of several lines, whose indentation means nothing.
_STRING_END = b"\x01"
# Lines that begin with these belong to the block whose head is indented as they are.
_CLOSERS = (b")", b"]", b"}")
_MAX_DECORATOR_LINES = 60
_TAB = 8


class IndentedLines:
    """The lines of a source whose strings and comments are blanked out.

    Args:
        data: The source.
        strings_and_comments: Matches both; comments begin with ``#`` or ``/``.
    """

    def __init__(self, data: bytes, strings_and_comments: re.Pattern[bytes]) -> None:
        self.plain = strings_and_comments.sub(_blanked, data)
        self._words: list[bytes] = []
        self._depths: list[int] = []
        for line in self.plain.split(b"\n"):
            expanded = line.expandtabs(_TAB)
            words = expanded.lstrip()
            self._words.append(words)
            self._depths.append(len(expanded) - len(words))

    def depth(self, line: int) -> int:
        """Return how far a line is indented."""
        return self._depths[line - 1]

    def ends(self, heads: Mapping[int, int]) -> dict[int, int]:
        """Return the last line of each block.

        Args:
            heads: First line of each block -> its indentation.
        """
        result: dict[int, int] = {}
        open_: list[tuple[int, int]] = []
        last = 1
        for line, (words, depth) in enumerate(zip(self._words, self._depths, strict=True), 1):
            if not words.strip():
                continue
            if not words.startswith(_STRING_END):
                reach = depth + 1 if words.startswith(_CLOSERS) else depth
                while open_ and open_[-1][1] >= reach:
                    result[open_.pop()[0]] = last
            if line in heads:
                open_.append((line, heads[line]))
            last = line
        result.update((line, last) for line, _ in open_)
        return result

    def first_decorator(self, line: int) -> int:
        """Return the line of the first decorator above a line; the line itself without any."""
        first, indent = line, self.depth(line)
        for number in range(line - 1, max(0, line - _MAX_DECORATOR_LINES), -1):
            words, depth = self._words[number - 1], self._depths[number - 1]
            if words.startswith(b"@") and depth == indent:
                first = number
            elif words and depth <= indent and not words.startswith((b")", _STRING_END)):
                break
        return first


def _blanked(match: re.Match[bytes]) -> bytes:
    """Return a string or comment without its words, as long and with the same line ends."""
    source = match[0]
    blank = re.sub(rb"[^\n]", b" ", source)
    if source.startswith((b"#", b"/")):
        return blank
    return b"~" + blank[1:-1] + (_STRING_END if b"\n" in source else b"~")
