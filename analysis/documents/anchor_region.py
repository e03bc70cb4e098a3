"""The tokens of a definition or module, and where some of them stand."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from textwrap import dedent
from typing import TYPE_CHECKING

from analysis.documents.mark import AROUND, PROOF, WEAK, Around, Rule, around, digest
from analysis.parsing.code_tokens import CodeTokens, is_mark

if TYPE_CHECKING:
    from analysis.documents.anchor_file import AnchorFile

# What is longer than this is found by its lines, not by a search through its tokens.
_MOST_RAW_LINES = 80


@dataclass(frozen=True, slots=True)
class Spot:
    """Some tokens of a region, and the lines that they stand on."""

    first: int
    """Index of the first token."""
    last: int
    """Index behind the last one."""
    line_start: int
    line_end: int


class AnchorRegion:
    """The tokens of a definition, or of a module, with its own names left out."""

    def __init__(self, file: AnchorFile, start: int, end: int, rule: Rule, name: str) -> None:
        self.file, self.rule = file, rule
        self.start, self.end = start, end
        found = file.tokens(start, end, rule)
        self.lines = found.lines
        self._comments = found.comments
        self._names = _placeholders(name)
        self.texts = self._nameless(found.texts)
        self._first, self._behind = found.between(start, end)

    @property
    def weight(self) -> int:
        """Number of tokens that are no marks."""
        return len(self._plain)

    @cached_property
    def code(self) -> str:
        """Hash of all tokens."""
        return self.code_of(self._first, self._behind)

    def spot(self, start: int, end: int) -> Spot:
        """Return the tokens of some of the lines."""
        first, last = CodeTokens(tuple(self.texts), self.lines, ()).between(start, end)
        return Spot(first, last, start, end)

    def code_of(self, first: int, last: int) -> str:
        """Return the hash of some tokens."""
        texts = self.texts[first:last]
        if self.rule == "l":
            texts = dedent("\n".join(texts)).split("\n")
        return digest(texts, PROOF)

    def first_of(self, spot: Spot) -> str:
        """Return a weak hash of the first token of a spot."""
        return self._weak(self.texts[spot.first]) if spot.first < spot.last else ""

    def comments_of(self, start: int, end: int) -> str:
        """Return a weak hash of the comments on some lines, or "A" as often without any."""
        texts = ["".join(text.split()) for line, text in self._comments if start <= line <= end]
        return digest(texts, WEAK) if texts else "A" * WEAK

    def around(self, spot: Spot) -> Around:
        """Return the tokens around a spot, inside the region; marks do not count."""
        first, last = self._borders(spot)
        return self._around(first, last)

    def borders(self, mine: Around, least: int) -> tuple[list[int], list[int]]:
        """Return where surroundings like these end before a place, and begin after one.

        Args:
            mine: The surroundings of a place in an older state of the region.
            least: How many widths must agree.

        Returns:
            The indices behind tokens like those before it, and of tokens like those after it.
        """
        before, after = [], []
        for position in range(len(self._plain) + 1):
            ahead, behind = mine.agreement(self._around(position, position))
            if ahead >= least:
                before.append(self._plain[position - 1] + 1 if position else 0)
            if behind >= least and position < len(self._plain):
                after.append(self._plain[position])
            elif behind >= least:
                after.append(len(self.texts))
        return before, after

    @cached_property
    def _plain(self) -> list[int]:
        """Indices of the tokens that are no marks."""
        known = {text: not is_mark(text) for text in set(self.texts)}
        return [index for index, text in enumerate(self.texts) if known[text]]

    def _borders(self, spot: Spot) -> tuple[int, int]:
        return bisect_left(self._plain, spot.first), bisect_left(self._plain, spot.last)

    def _around(self, first: int, last: int) -> Around:
        """Return what is around the plain tokens with these numbers."""
        before = self._plain[max(0, first - AROUND[-1]) : first][::-1]
        after = self._plain[last : last + AROUND[-1]]
        return around([self.texts[i] for i in before], [self.texts[i] for i in after])

    def lines_between(self, first: int, last: int) -> tuple[int, int] | None:
        """Return the lines of the tokens from one index up to another; None if there are none."""
        plain = [i for i in self._plain if first <= i < last]
        return (self.lines[plain[0]], self.lines[plain[-1]]) if plain else None

    def find(self, size: int, first: str, code: str) -> Iterator[Spot]:
        """Yield the places whose tokens have this number and hash; they begin and end lines."""
        for spot in self._find(size, first, code):
            if self._is_aligned(spot):
                yield spot

    def find_within_lines(self, size: int, first: str, code: str) -> Iterator[Spot]:
        """Yield such places also where they share their lines with other tokens."""
        yield from self._find(size, first, code)

    def find_text(self, count: int, text: str) -> Iterator[Spot]:
        """Yield the places whose lines have this number and hash as they stand."""
        if count > _MOST_RAW_LINES:
            return
        for start in range(self.start, self.end - count + 2):
            if self.file.hash_of(start, start + count - 1) == text:
                yield self.spot(start, start + count - 1)

    def _find(self, size: int, first: str, code: str) -> Iterator[Spot]:
        if not size:
            return
        for index in self._by_weak.get(first, ()):
            last = index + size
            if last <= len(self.texts) and self.code_of(index, last) == code:
                yield Spot(index, last, self.lines[index], self.lines[last - 1])

    @cached_property
    def _by_weak(self) -> dict[str, list[int]]:
        """Where tokens of each weak hash are."""
        by_text: dict[str, list[int]] = {}
        for index, text in enumerate(self.texts):
            by_text.setdefault(text, []).append(index)
        found: dict[str, list[int]] = {}
        for text, indices in by_text.items():
            found.setdefault(self._weak(text), []).extend(indices)
        return {weak: sorted(indices) for weak, indices in found.items()}

    def _is_aligned(self, spot: Spot) -> bool:
        before, after = spot.first - 1, spot.last
        while before >= 0 and is_mark(self.texts[before]):
            before -= 1
        while after < len(self.texts) and is_mark(self.texts[after]):
            after += 1
        begins = before < 0 or self.lines[before] < spot.line_start
        ends = after >= len(self.texts) or self.lines[after] > spot.line_end
        return begins and ends

    def _weak(self, text: str) -> str:
        return _weak_hash(text.strip() if self.rule == "l" else text)

    def _nameless(self, texts: Sequence[str]) -> list[str]:
        names = self._names
        if self.rule == "p":
            return [names.get(text, text) for text in texts]
        if not names:
            return list(texts)
        words = "|".join(re.escape(name) for name in names)
        pattern = re.compile(rf"(?<![\w$])(?:{words})(?![\w$])")
        return [pattern.sub(lambda match: names[match[0]], text) for text in texts]


@lru_cache(maxsize=50_000)
def _weak_hash(text: str) -> str:
    """Return a weak hash of one token; a file that is edited is mostly made of known ones."""
    return digest([text], WEAK)


def _placeholders(name: str) -> Mapping[str, str]:
    """Return what stands for the parts of a qualified name in its own code and its strings."""
    parts = [part for part in name.split(".") if part]
    marks = {part: f"\0{len(parts) - number}" for number, part in enumerate(parts)}
    return marks | {f"s{part}": f"s{mark}" for part, mark in marks.items()}
