"""The long runs of a text without white space, in which all tokens and encoded keys stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

# Every token of the rules has so many of these characters in a row.
_RUN = re.compile(r"[A-Za-z0-9+/_-]{16,}")
_DIGIT = re.compile(r"\d")
# What may belong to the same token, or to the address or pair that gives it away.
_BEFORE = frozenset(" \t\n\r\f\v\"'`<>")
_AFTER = re.compile(r"[^\s\"'`<>]{0,2000}")
_REACH = 160


@dataclass(frozen=True)
class LongRuns:
    """The long runs of a text that hold a digit; others are words, lines and names."""

    text: str

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where they stand, in order."""
        return [m.span() for m in _RUN.finditer(self.text) if _DIGIT.search(m[0])]

    @cached_property
    def joined(self) -> str:
        """The runs with what touches them, one a line."""
        return "\n".join(self.text[start:end] for start, end in self._surroundings)

    @cached_property
    def _surroundings(self) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        done = 0
        for start, end in self.spans:
            if start < done:
                continue
            lowest = max(done, start - _REACH)
            while start > lowest and self.text[start - 1] not in _BEFORE:
                start -= 1
            after = _AFTER.match(self.text, end)
            done = after.end() if after else end
            found.append((start, done))
        return found

    @cached_property
    def _starts(self) -> list[int]:
        starts, size = [], 0
        for start, end in self._surroundings:
            starts.append(size)
            size += end - start + 1
        return starts

    def matches(self, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], int]]:
        """Yield what a pattern finds in ``joined``, and how far from there it is in the text."""
        for match in pattern.finditer(self.joined):
            line = bisect_right(self._starts, match.start()) - 1
            yield match, self._surroundings[line][0] - self._starts[line]
