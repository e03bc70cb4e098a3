"""Finds the way through the code that answers a question: an entry point, and what it calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.strategies.places import SETUP, Edge, Place
from analysis.strategies.scoring import Scores

_MAX_STEPS = 6
_BEAM = 40
_STARTS = 30
_SIDE_STEPS = 2
_SIDE_FLOOR = 0.2
# Every step has to be worth the reader's time.
_STEP_COST = 0.26
# What a term of the question that no earlier step named adds, times the term's weight.
_NEW_TERM = 1.2
# One more method of a class that was shown, and that only its class connects with the question.
_SAME_OWNER = 0.3
_CLASS_STEP = 0.5
# Naming a class is a weaker link than a call, but where an object is set up with it.
_USE_COST = 0.1
# Where it fails is seldom the way that is asked for.
_RAISE_COST = 0.2
# Operators and hooks of the language are seldom what a question is about.
_DUNDER_STEP = 0.5
_WORKING_DUNDERS = frozenset(
    {"__init__", "__call__", "__iter__", "__next__", "__enter__", "__exit__", "__new__"}
)
# A private helper is a poor place to start reading, a test the worst.
_PRIVATE_START = 0.15


@dataclass(frozen=True, slots=True)
class Walk:
    """A chain of definitions, each of which refers to the next."""

    places: tuple[Place, ...]
    edges: tuple[Edge, ...]
    value: float
    covered: frozenset[str]


def best_walk(
    places: Sequence[Place], edges: Sequence[Edge], scores: Scores, *, start: Place | None = None
) -> Walk | None:
    """Return the most telling chain; a single definition if nothing worth showing is called.

    Args:
        places: Where it may begin.
        edges: Where it may go.
        scores: What a place is worth.
        start: Where it has to begin, if the question is about one definition.
    """
    following: dict[Place, list[Edge]] = defaultdict(list)
    for edge in edges:
        following[edge.source].append(edge)
    ranked = sorted(places, key=lambda place: -scores.of(place))[:_STARTS]
    starts = [start] if start else [place for place in ranked if scores.of(place) > 0]
    beam = [_start(place, scores) for place in starts]
    best = max(beam, key=lambda walk: walk.value, default=None)
    for _ in range(_MAX_STEPS - 1):
        longer = [
            _longer(walk, edge, scores)
            for walk in beam
            for edge in following[walk.places[-1]]
            if edge.target not in walk.places
        ]
        beam = sorted(longer, key=lambda walk: -walk.value)[:_BEAM]
        if beam and (best is None or beam[0].value > best.value):
            best = beam[0]
    return best


def side_steps(walk: Walk, edges: Sequence[Edge], scores: Scores) -> tuple[Place, ...]:
    """Return what the way calls before it goes on: where it gets the objects that it works with."""
    found: list[Place] = []
    for step in walk.edges:
        beside = [
            edge.target
            for edge in edges
            if edge.source == step.source
            and edge.line <= step.line
            and edge.kind == "calls"
            and edge.target not in walk.places
            and edge.target not in found
            and scores.of(edge.target) >= _SIDE_FLOOR
        ]
        found += sorted(beside, key=lambda place: -scores.of(place))[:1]
    return tuple(found[:_SIDE_STEPS])


def _start(place: Place, scores: Scores) -> Walk:
    covered = scores.covered(place)
    value = _reading(place) * scores.of(place) + _worth(covered, scores)
    name = place.info.name if place.info else ""
    if name.startswith("_") and name not in _WORKING_DUNDERS:
        value -= _PRIVATE_START
    return Walk((place,), (), value, covered)


def _longer(walk: Walk, edge: Edge, scores: Scores) -> Walk:
    new = scores.covered(edge.target) - walk.covered
    owners = {(place.path, place.owner) for place in walk.places if place.owner}
    again = (edge.target.path, edge.target.owner) in owners
    fresh = _SAME_OWNER if again and not scores.covered_by_itself(edge.target) else 1.0
    gain = fresh * _reading(edge.target) * scores.of(edge.target) + _worth(new, scores) - _STEP_COST
    if edge.kind == "raises":
        gain -= _RAISE_COST
    if edge.kind == "uses" and (edge.source.info is None or edge.source.info.name not in SETUP):
        gain -= _USE_COST
    return Walk(
        (*walk.places, edge.target), (*walk.edges, edge), walk.value + gain, walk.covered | new
    )


def _reading(place: Place) -> float:
    """Return how much of a place's score it is worth as a step: a class is no step by itself."""
    if place.is_class:
        return _CLASS_STEP
    name = place.info.name if place.info else ""
    return _DUNDER_STEP if name.startswith("__") and name not in _WORKING_DUNDERS else 1.0


def _worth(terms: frozenset[str], scores: Scores) -> float:
    return _NEW_TERM * sum(scores.term_weights[term] for term in terms)
