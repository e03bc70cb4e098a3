"""The hashes that the first version of the block kept: read, and never written any more."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

# 64 bits: collisions inside one code base are out of the question, and the block stays short.
_DIGITS = 16
# One line is recognised by fewer digits; a false alarm only costs a comparison.
_LINE_DIGITS = 6
# Fewer characters than this, such as a closing brace, prove nothing when found elsewhere.
_TELLING_CHARS = 12


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Hashes of a range of lines."""

    exact: str
    """Hash of the lines as they are."""
    loose: str
    """Hash without any white space: survives re-indenting and re-wrapping."""
    head: str
    """Short hash, without white space, of the first line that has any text."""
    chars: int
    """Number of characters that are not white space."""

    @property
    def telling(self) -> bool:
        """Whether finding these lines elsewhere means anything."""
        return self.chars >= _TELLING_CHARS


def fingerprint(lines: Sequence[str]) -> Fingerprint:
    """Return the hashes of some lines."""
    squeezed = [_squeezed(line) for line in lines]
    head = next((line for line in squeezed if line), "")
    return Fingerprint(
        exact=_digest("\n".join(lines)),
        loose=_digest("".join(squeezed)),
        head=_digest(head)[:_LINE_DIGITS],
        chars=sum(map(len, squeezed)),
    )


def places_of(mark: Fingerprint, lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the 1-based ranges of lines whose text without white space is the marked one."""
    if not mark.chars:
        return
    squeezed = [_squeezed(line) for line in lines]
    ends = list(accumulate(map(len, squeezed)))
    for start, line in enumerate(squeezed):
        if not line or _digest(line)[:_LINE_DIGITS] != mark.head:
            continue
        goal = ends[start] - len(line) + mark.chars
        end = bisect_left(ends, goal)
        if end < len(ends) and ends[end] == goal:
            window = squeezed[start : end + 1]
            if _digest("".join(window)) == mark.loose:
                yield start + 1, end + 1


def starts_like(mark: Fingerprint, lines: Sequence[str], line: int) -> bool:
    """Return whether a 1-based line reads like the first of the marked lines."""
    if not 1 <= line <= len(lines):
        return False
    return _digest(_squeezed(lines[line - 1]))[:_LINE_DIGITS] == mark.head


def _squeezed(line: str) -> str:
    return "".join(line.split())


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=_DIGITS // 2).hexdigest()
