"""Which lines of a text differ from those of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

# Beyond so many pairs of lines a comparison takes seconds, and nobody reads its result.
_MOST_PAIRS = 40_000_000


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that take the place of others."""

    old_start: int
    old_lines: tuple[str, ...]
    new_start: int
    """1-based; if there are no new lines, the line before which the old ones stood."""
    n_new: int

    @property
    def new_end(self) -> int:
        """Last of the new lines; the line before ``new_start`` if there are none."""
        return self.new_start + self.n_new - 1


def hunks_of(old: Sequence[str], new: Sequence[str]) -> tuple[Hunk, ...]:
    r"""Return how lines differ, in order.

    >>> [(h.old_lines, h.new_start, h.new_end) for h in hunks_of(["a", "b", "c"], ["a", "x", "c"])]
    [(('b',), 2, 2)]
    """
    head = _shared(old, new)
    tail = _shared(old[head:][::-1], new[head:][::-1])
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(a) * len(b) > _MOST_PAIRS:
        return (Hunk(head + 1, tuple(a), head + 1, len(b)),)
    return tuple(
        Hunk(head + i1 + 1, tuple(a[i1:i2]), head + j1 + 1, j2 - j1)
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b).get_opcodes()
        if tag != "equal"
    )


def followed_lines(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Return where each line of a text that stands in another still stands there, both 1-based."""
    if old == new:
        return {number: number for number in range(1, len(old) + 1)}
    found: dict[int, int] = {}
    at_old, at_new = 1, 1
    for hunk in (*hunks_of(old, new), Hunk(len(old) + 1, (), len(new) + 1, 0)):
        while at_old < hunk.old_start:
            found[at_old] = at_new
            at_old, at_new = at_old + 1, at_new + 1
        at_old, at_new = hunk.old_start + len(hunk.old_lines), hunk.new_end + 1
    return found


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many lines at the beginning are the same."""
    n = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        n += 1
    return n
