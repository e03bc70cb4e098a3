"""Chooses the few lines of a definition that show what the question asks for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate

from analysis.modes.places import Place
from analysis.parsing.words import terms_of

_WHOLE = 28
_HEAD = 12
_WINDOW = 12
_MAX_WINDOWS = 2
# A line on which the next step of the way is called says more than any word on it.
_FOCUS_WORTH = 4.0

Lines = tuple[int, int]


def excerpts(
    place: Place, lines: Sequence[str], focus: Collection[int], terms: Collection[str]
) -> list[Lines]:
    """Return the ranges of a place to show, in order: all of it if it is short.

    Args:
        place: A definition or a run of lines.
        lines: The lines of its file.
        focus: Lines that must be seen, such as calls that lead on.
        terms: Stems of the question's keywords.
    """
    start, end = place.line_start, min(place.line_end, len(lines))
    if end - start < _WHOLE:
        return [(start, end)]
    head_end = end_of_signature(place, lines)
    if place.is_class:
        return [(start, min(end, max(head_end, start + _HEAD + 2)))]
    worth = _worth(lines, head_end + 1, end, focus, terms)
    chosen = [(start, head_end)]
    for _ in range(_MAX_WINDOWS):
        window = _best_window(worth, head_end + 1)
        if window is None:
            break
        chosen.append(_trimmed(window, lines, end))
        for number in range(window[0], window[1] + 1):
            worth[number - head_end - 1] = 0.0
    return _joined(chosen)


def end_of_signature(place: Place, lines: Sequence[str]) -> int:
    """Return the line on which a definition's body opens."""
    first = place.info.line if place.info else place.line_start
    last = min(place.line_end, len(lines), first + _HEAD - 1)
    depth = 0
    for number in range(first, last + 1):
        line = lines[number - 1]
        depth += sum(map(line.count, "([")) - sum(map(line.count, ")]"))
        if depth <= 0 and line.rstrip().endswith((":", "{", "=>", "(")):
            return number
    return first if depth <= 0 else last


def _worth(
    lines: Sequence[str], start: int, end: int, focus: Collection[int], terms: Collection[str]
) -> list[float]:
    """Return how telling each line is."""
    wanted = frozenset(terms)
    seen: set[str] = set()
    worth = []
    for number in range(start, end + 1):
        held = wanted.intersection(terms_of(lines[number - 1]))
        value = 0.4 * len(held) + 0.6 * len(held - seen)
        seen |= held
        worth.append(value + (_FOCUS_WORTH if number in focus else 0.0))
    return worth


def _best_window(worth: Sequence[float], first: int) -> Lines | None:
    """Return the run of lines that is worth most, if any is worth anything."""
    if not any(worth):
        return None
    sums = [0.0, *accumulate(worth)]
    size = min(_WINDOW, len(worth))
    best = max(range(len(worth) - size + 1), key=lambda i: sums[i + size] - sums[i])
    # Lines before the first telling one only push it down.
    skip = next(i for i in range(best, best + size) if worth[i])
    lead = max(best, skip - 2)
    lead = min(lead, len(worth) - 1)
    return first + lead, min(first + lead + size - 1, first + len(worth) - 1)


def _trimmed(window: Lines, lines: Sequence[str], end: int) -> Lines:
    """Return a window without empty lines at its ends, and with the end of its statement."""
    start, stop = window
    while start < stop and not lines[start - 1].strip():
        start += 1
    while stop > start and not lines[stop - 1].strip():
        stop -= 1
    depth = sum(
        sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
        for line in lines[start - 1 : stop]
    )
    while depth > 0 and stop < min(end, window[1] + 4):
        stop += 1
        line = lines[stop - 1]
        depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
    return start, stop


def _joined(ranges: list[Lines]) -> list[Lines]:
    """Return ranges in order, those that touch or nearly touch made one."""
    joined: list[Lines] = []
    for start, end in sorted(ranges):
        if joined and start <= joined[-1][1] + 3:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined
