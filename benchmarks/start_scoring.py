"""The rule by which the begin of an answer is scored against symbols that were read out by hand.

A place hits a symbol if the paths are the same and it overlaps the lines of the symbol's definition
or names the same symbol. All symbols that must be in an answer count the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.questions import Question

Symbol = dict[str, Any]
"""`path`, `symbol` (its qualified name), `line_start` and `line_end`."""
FIRST = 3
TOP = 10
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Place:
    """Lines that an answer or the ranking points to."""

    path: str
    line_start: int
    line_end: int
    symbol: str | None


@dataclass(frozen=True, slots=True)
class Score:
    """How well one question was answered."""

    query_id: str
    starts_right: bool
    in_three: bool
    """Whether the start is right, or one of the two that are named where it may not be it."""
    recall: float
    """Part of the symbols that must be in it which the references hit."""
    n_references: int
    words: int
    """Above the fold."""
    fit: str | None
    """What the answer says of itself; None if it does not say."""
    analyze_starts_right: bool
    analyze_recall: float
    """Part of the symbols that must be in the answer which the ranking's first ten places hit."""
    seconds: float
    start: str
    """The first place, to be read where it is wrong."""
    missing: tuple[str, ...]
    """Symbols that must be in the answer and are not."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What came back for a question."""

    path: tuple[Place, ...]
    """The way through the code that the answer begins with; empty if it has none as data."""
    guesses: tuple[Place, ...]
    """Where else to begin, as the first screen says before the path; without the start."""
    references: tuple[Place, ...]
    markdown: str
    fit: str | None
    ranked: tuple[Place, ...]
    seconds: float


def scored(question: Question, answered: Answered) -> Score:
    """Return the score of one answer."""
    start, must = question["start"], question["must"]
    order = in_order((*answered.path[:1], *answered.guesses) or answered.references)
    missing = [symbol["symbol"] for symbol in must if not hits_any(answered.references, [symbol])]
    return Score(
        query_id=question["query_id"],
        starts_right=hits_any(order[:1], start),
        in_three=hits_any(order[:FIRST], start),
        recall=1 - len(missing) / len(must),
        n_references=len(answered.references),
        words=words_above_the_fold(answered.markdown),
        fit=answered.fit,
        analyze_starts_right=hits_any(answered.ranked[:1], start),
        analyze_recall=sum(hits_any(answered.ranked[:TOP], [s]) for s in must) / len(must),
        seconds=answered.seconds,
        start=f"{order[0].path}:{order[0].line_start} {order[0].symbol}" if order else "",
        missing=tuple(missing),
    )


def hits_any(places: Iterable[Place], symbols: Sequence[Symbol]) -> bool:
    """Return whether one of the places hits one of the symbols."""
    return any(hits(place, symbol) for place in places for symbol in symbols)


def hits(place: Place, symbol: Symbol) -> bool:
    """Return whether a place shows a symbol."""
    if place.path != symbol["path"]:
        return False
    overlaps = place.line_start <= symbol["line_end"] and place.line_end >= symbol["line_start"]
    return bool(overlaps or place.symbol == symbol["symbol"])


def in_order(places: Iterable[Place]) -> tuple[Place, ...]:
    """Return the places without repetitions."""
    return tuple(dict.fromkeys(places))


def words_above_the_fold(markdown: str) -> int:
    """Return how many words a reader sees before the first thing that is folded away."""
    shown = _COMMENT.sub("", _FRONT_MATTER.sub("", markdown))
    return len(shown.partition("<details")[0].split())
