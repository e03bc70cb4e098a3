"""The lines of a definition on which something is decided."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from analysis.modes.offline.excerpts import end_of_signature
from analysis.modes.places import Place
from analysis.parsing.comment_spans import comment_spans
from analysis.parsing.languages import language_of
from analysis.parsing.words import terms_of

# What branches, in the usual languages.
_BRANCH = re.compile(
    r"^\s*(?:\}?\s*(?:else\s+)?if\b|elif\b|while\b|switch\b|match\b|case\b|unless\b|when\b|"
    r"except\b|\}?\s*catch\b|assert\b)|\s\?\s.+\s:\s"
)
_LEAVES = re.compile(r"^\s*(?:return|raise|throw|yield)\b.*\S")
_COMPARES = re.compile(r"[=!]==?|[<>]=?|\bnot\b|\bin\b|\band\b|\bor\b|&&|\|\|")
_BRANCHES, _LEAVING, _COMPARING, _WORD = 1.0, 0.5, 0.4, 1.0


def deciding_lines(
    place: Place, lines: Sequence[str], terms: Collection[str], most: int
) -> list[int]:
    """Return the numbers of the lines that decide what the question asks about, in order.

    A line decides if it branches, compares or leaves, and holds words of the question.

    Args:
        place: A definition; classes decide nothing themselves.
        lines: The lines of its file.
        terms: Stems of the question's keywords.
        most: How many lines are wanted.
    """
    if place.info is None or place.is_class:
        return []
    wanted = frozenset(terms)
    first = end_of_signature(place, lines) + 1
    bare = _without_comments(place, lines)
    worth: dict[int, float] = {}
    for number in range(first, min(place.line_end, len(lines)) + 1):
        line = bare[number - place.line_start]
        decides = _BRANCHES * bool(_BRANCH.search(line)) + _LEAVING * bool(_LEAVES.match(line))
        held = wanted.intersection(terms_of(line)) if decides else frozenset()
        if held:
            worth[number] = decides + _COMPARING * bool(_COMPARES.search(line)) + _WORD * len(held)
    best = sorted(worth, key=lambda number: (-worth[number], number))[:most]
    return sorted(best)


def _without_comments(place: Place, lines: Sequence[str]) -> list[str]:
    """Return the lines of a place with comments and docstrings blanked out."""
    text = "\n".join(lines[place.line_start - 1 : place.line_end])
    pieces, at = [], 0
    for start, end in comment_spans(language_of(place.path), text):
        if start >= at:
            pieces += [text[at:start], re.sub(r"[^\n]", " ", text[start:end])]
            at = end
    return "".join([*pieces, text[at:]]).split("\n")
