"""Keeps results within a number of characters or tokens, and says what was left out for it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from analysis.tokens import text_tokens

MAX_LINE = 400
"""Most characters of a line of code where several places are shown; what people write is shorter,
so a longer line is data or generated."""
_CUT = "\n… (cut)"
# What says that something is missing: a count, a line with the rest's place.
_NOTE_TOKENS = 40
# Fields that an agent has no use for: it addresses code by path, line and name.
_EDITOR_FIELDS = frozenset({"name_line", "name_column", "decorated_line", "exported", "char_count"})


def shortened(text: str, most: int) -> str:
    """Return a text of at most that many characters; an ellipsis stands for the rest."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def cut_line(line: str, most: int = MAX_LINE) -> str:
    """Return a line of code of at most that many characters; a mark says how long it is.

    >>> cut_line("x" * 1_200, 40)
    'xxxxxxxxxxx… (line cut: 1200 characters)'
    """
    if len(line) <= most:
        return line
    note = f"… (line cut: {len(line)} characters)"
    return line[: most - len(note)] + note if most > len(note) else line[:most]


def cut_lines(code: str, most: int = MAX_LINE) -> str:
    """Return code whose lines are at most so long; see ``cut_line``."""
    return "\n".join(cut_line(line, most) for line in code.split("\n"))


def within(text: str, limit: int) -> str:
    """Return a text of at most that many characters, cut at the end of a line where it can be."""
    if len(text) <= limit:
        return text
    kept = text[: limit - len(_CUT)]
    whole = kept.rpartition("\n")[0]
    return (whole or kept) + _CUT


def cost(value: object) -> int:
    """Return at least as many tokens as a value takes as compact JSON."""
    return text_tokens(text_of(value))


def text_of(value: object) -> str:
    """Return a value as the JSON that the agent reads."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def compact(value: Any) -> Any:
    """Return plain data without empty fields and without what only an editor needs.

    ``False``, ``0`` and the empty lists at the top stay: they are answers.
    """
    if isinstance(value, dict):
        return {key: _without_empty(item) for key, item in value.items()}
    return value


def with_lists_cut(
    shape: dict[str, Any], lists: tuple[str, ...], max_tokens: int
) -> dict[str, Any]:
    """Return the shape with as many items of its lists as fit, in order, and ``left_out``.

    Args:
        shape: A result.
        lists: Names of its lists, the most important first.
        max_tokens: For all of it.
    """
    cut = {**shape, **{name: [] for name in lists}, "left_out": 0}
    room = max_tokens - cost(cut) - _NOTE_TOKENS
    for name in lists:
        for item in shape[name]:
            room -= cost(item) + 1
            if room < 0:
                break
            cut[name].append(item)
        cut["left_out"] += len(shape[name]) - len(cut[name])
    return cut


def fair_shares(sizes: Sequence[int], room: int) -> list[int]:
    """Return how much each of several gets: what it needs, or an equal part of what is left.

    >>> fair_shares([10, 100, 30], 90)
    [10, 50, 30]
    """
    shares = [0] * len(sizes)
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    for n_done, idx in enumerate(order):
        shares[idx] = min(sizes[idx], room // (len(sizes) - n_done))
        room -= shares[idx]
    return shares


def numbered(lines: Sequence[str], first: int) -> str:
    r"""Return lines of a file with their numbers, so that they can be cited.

    >>> numbered(["def f():", "", "    pass"], 7)
    '7| def f():\n8|\n9|     pass'
    """
    return "\n".join(f"{n}| {line}" if line else f"{n}|" for n, line in enumerate(lines, first))


def numbered_chars(lines: Sequence[str], first: int) -> int:
    """Return the most characters that lines take with their numbers, line ends included.

    >>> numbered_chars(["def f():", "    pass"], 99)
    27
    """
    return sum(len(line) + len(str(number)) + 3 for number, line in enumerate(lines, first))


def with_text_cut(
    shape: dict[str, Any], field: str, max_tokens: int, *, first_line: int | None = None
) -> dict[str, Any]:
    """Return the shape with as many whole lines of a text as fit; a last line tells of the rest.

    Args:
        shape: A result.
        field: Name of the text in it.
        max_tokens: For all of it.
        first_line: Where the text starts in its file, to name the place of the rest.
    """
    room = max_tokens - cost({**shape, field: ""}) - _NOTE_TOKENS
    text: str = shape[field]
    if cost(text) <= room + _NOTE_TOKENS:
        return shape
    lines = text.split("\n")
    kept: list[str] = []
    for line in lines:
        room -= cost(line)
        if room < 0:
            break
        kept.append(line)
    if not kept:  # One line is longer than all, as in minified code.
        per_character = max(cost(lines[0]) / len(lines[0]), 1.0)
        kept = [
            cut_line(lines[0], int(max(max_tokens - cost({**shape, field: ""}), 0) / per_character))
        ]
    n_missing = len(lines) - len(kept)
    if n_missing:
        place = "" if first_line is None else _place(first_line, len(kept), len(lines))
        kept.append(f"... ({n_missing} more lines{place})")
    return {**shape, field: "\n".join(kept)}


def _place(first_line: int, n_kept: int, n_lines: int) -> str:
    return f": {first_line + n_kept}-{first_line + n_lines - 1}"


def _without_empty(value: Any) -> Any:
    """Return nested data without what is empty or of no use to an agent."""
    if isinstance(value, dict):
        return {
            key: _without_empty(item)
            for key, item in value.items()
            if key not in _EDITOR_FIELDS and item is not None and item not in ("", [], {})
        }
    if isinstance(value, list):
        return [_without_empty(item) for item in value]
    return value
