"""Finds the way through the code that answers a question: an entry point, and what it calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.modes.offline.scoring import Scores
from analysis.modes.places import SETUP, CallEdge, Place

_MAX_STEPS = 6
_BEAM = 40
_STARTS = 30
_SIDE_CALLS = 2
_SIDE_FLOOR = 0.2
# Every step has to be worth the reader's time.
_STEP_COST = 0.05
# Where the way goes into another file, it shows how parts of the program meet.
_OTHER_FILE = 0.12
# A last step that is not named after the question needs this part of the best score.
_TAIL_FLOOR = 0.45
# What a term of the question adds, times its weight: once for a qualified name that holds it, and
# once more for a plain name.
_NEW_TERM = 0.6
# One more method of a class that was shown, and that only its class connects with the question.
_SAME_OWNER = 0.3
# The same, but named after the question itself.
_SAME_TOPIC = 0.65
_CLASS_STEP = 0.5
_CLASS_ALONE = 0.6
# Naming a class is a weaker link than a call, but where an object is set up to work with it; so is
# a call of which only the name is known.
_USE_COST = 0.15
_SETUP_USE = 0.1
# Where it fails is seldom the way that is asked for.
_RAISE_COST = 0.2
# Operators and hooks of the language are seldom what a question is about.
_DUNDER_STEP = 0.5
_WORKING_DUNDERS = frozenset(
    {"__init__", "__call__", "__iter__", "__next__", "__enter__", "__exit__", "__new__"}
)
# A definition that is named like the question itself is where its answer begins.
_EXACT_START = 1.0
# Callers before the start are shown if they fit this much as well as it does; so many at most.
_LEAD_FLOOR = 0.8
_MAX_LEAD = 2
# A few lines around another definition of the same name, or a hook of the language that calls the
# real thing: as a start they are worth no more than their names.
_WRAPPER_LINES = 6
_PASSING_START = 0.1
# A private helper is a poor place to start reading, a test the worst.
_PRIVATE_START = 0.15


@dataclass(frozen=True, slots=True)
class CallChain:
    """A chain of definitions, each of which refers to the next."""

    places: tuple[Place, ...]
    edges: tuple[CallEdge, ...]
    value: float
    covered: frozenset[str]
    """Terms of the question that are part of a step's qualified name."""
    named: frozenset[str]
    """Those that are part of a step's own name."""


def best_chain(
    places: Sequence[Place],
    edges: Sequence[CallEdge],
    scores: Scores,
    *,
    start: Place | None = None,
) -> CallChain | None:
    """Return the most telling chain; a single definition if nothing worth showing is called.

    Args:
        places: Where it may begin.
        edges: Where it may go.
        scores: What a place is worth.
        start: Where it has to begin, if the question is about one definition.
    """
    following: dict[Place, list[CallEdge]] = defaultdict(list)
    for edge in edges:
        following[edge.source].append(edge)
    ranked = sorted(places, key=lambda place: -scores.of(place))[:_STARTS]
    starts = [start] if start else [place for place in ranked if scores.of(place) > 0]
    beam = [_start(place, scores, following[place]) for place in starts]
    alone = max(beam, key=lambda chain: chain.value, default=None)
    best: CallChain | None = None
    for _ in range(_MAX_STEPS - 1):
        longer = [
            _longer(chain, edge, scores)
            for chain in beam
            for edge in following[chain.places[-1]]
            if edge.target not in chain.places and not _is_part(edge.target, edge.source)
        ]
        beam = sorted(longer, key=lambda chain: -chain.value)[:_BEAM]
        if beam and (best is None or beam[0].value > best.value):
            best = beam[0]
    if best is not None:
        best = _without_tail(best, scores)
        best = best if start else _led_to(best, edges, scores)
    if alone is None or best is None or len(best.places) < 2:
        return alone
    # By itself a class tells what there is, but not how it works.
    enough = _CLASS_ALONE if alone.places[0].is_class and start is None else 1.0
    return best if best.value >= enough * alone.value else alone


def _led_to(chain: CallChain, edges: Sequence[CallEdge], scores: Scores) -> CallChain:
    """Return a chain with the callers before it that are as much about the question."""
    for _ in range(_MAX_LEAD):
        first = chain.places[0]
        floor = _LEAD_FLOOR * _own_worth(first, scores)
        callers = [
            edge
            for edge in edges
            if edge.target == first
            and edge.kind == "calls"
            and edge.source not in chain.places
            and not _is_part(edge.source, first)
            and not _is_part(first, edge.source)
            and not passes_on(edge.source, [edge])
            and scores.covered(edge.source)
            and _own_worth(edge.source, scores) >= floor
        ]
        if not callers:
            break
        edge = max(callers, key=lambda edge: _own_worth(edge.source, scores))
        chain = replace(chain, places=(edge.source, *chain.places), edges=(edge, *chain.edges))
    return chain


def side_calls(chain: CallChain, edges: Sequence[CallEdge], scores: Scores) -> tuple[Place, ...]:
    """Return what the way calls before it goes on: where it gets the objects that it works with."""
    found: list[Place] = []
    for step in chain.edges:
        called = [
            edge.target
            for edge in edges
            if edge.source == step.source
            and edge.line <= step.line
            and edge.kind == "calls"
            and edge.target not in chain.places
            and edge.target not in found
            and scores.of(edge.target) >= _SIDE_FLOOR
        ]
        found += sorted(called, key=lambda place: -scores.of(place))[:1]
    return tuple(found[:_SIDE_CALLS])


def _start(place: Place, scores: Scores, onward: Sequence[CallEdge]) -> CallChain:
    covered, own = scores.covered(place), scores.covered_by_itself(place)
    value = _worth(covered, scores) + _worth(own, scores)
    value += -_PASSING_START if passes_on(place, onward) else _own_worth(place, scores)
    exact = scores.exactness(place)
    value = _demotion(place, scores) * (value + _EXACT_START * exact)
    names = place.name.split(".") if place.info else []
    if any(name.startswith("_") and name not in _WORKING_DUNDERS for name in names):
        value -= _PRIVATE_START * (1 - exact)
    return CallChain((place,), (), value, covered, own)


def passes_on(place: Place, onward: Sequence[CallEdge]) -> bool:
    """Return whether a definition leaves the work to what it calls, by its length and by name."""
    n_lines = place.line_end - place.info.line + 1 if place.info else 0
    if place.is_class or n_lines > _WRAPPER_LINES:
        return False
    called = {edge.target.name.rpartition(".")[2] for edge in onward if edge.kind == "calls"}
    name = place.name.rpartition(".")[2]
    return name in called or (name.startswith("__") and bool(called))


def _longer(chain: CallChain, edge: CallEdge, scores: Scores) -> CallChain:
    new = scores.covered(edge.target) - chain.covered
    own = scores.covered_by_itself(edge.target) - chain.named
    owners = {(place.path, place.owner) for place in chain.places if place.owner}
    fresh = 1.0
    if not new and (edge.target.path, edge.target.owner) in owners:
        fresh = _SAME_TOPIC if scores.covered_by_itself(edge.target) else _SAME_OWNER
    gain = fresh * _own_worth(edge.target, scores) - _STEP_COST
    gain += _worth(new, scores) + _worth(own, scores)
    if edge.target.path not in {place.path for place in chain.places}:
        gain += _OTHER_FILE
    if edge.kind == "raises":
        gain -= _RAISE_COST
    if not edge.resolved:
        gain -= _USE_COST
    if edge.kind == "uses":
        by_setup = edge.source.info is not None and edge.source.info.name in SETUP
        gain += _SETUP_USE if by_setup else -_USE_COST
    return CallChain(
        (*chain.places, edge.target),
        (*chain.edges, edge),
        chain.value + gain,
        chain.covered | new,
        chain.named | own,
    )


def _is_part(place: Place, other: Place) -> bool:
    """Return whether a place lies inside another, which shows it already."""
    inside = other.line_start <= place.line_start and place.line_end <= other.line_end
    return inside and place.path == other.path


def _without_tail(chain: CallChain, scores: Scores) -> CallChain:
    """Return a chain without last steps that have little to do with the question."""
    best = max((scores.direct.get(p, 0.0) for p in chain.places if not p.is_class), default=0.0)
    n_kept = len(chain.places)
    while n_kept > 1:
        last = chain.places[n_kept - 1]
        if scores.covered_by_itself(last) or scores.direct.get(last, 0.0) >= _TAIL_FLOOR * best:
            break
        n_kept -= 1
    return replace(chain, places=chain.places[:n_kept], edges=chain.edges[: n_kept - 1])


def _own_worth(place: Place, scores: Scores) -> float:
    """Return what a place is worth by itself; what its neighbours are counts only half."""
    direct = scores.direct.get(place, 0.0)
    return _reading(place) * _demotion(place, scores) * (direct + scores.of(place)) / 2


def _demotion(place: Place, scores: Scores) -> float:
    return scores.demotions.get(place, 1.0)


def _reading(place: Place) -> float:
    """Return how much of a place's score it is worth as a step: a class is no step by itself."""
    if place.is_class:
        return _CLASS_STEP
    name = place.info.name if place.info else ""
    return _DUNDER_STEP if name.startswith("__") and name not in _WORKING_DUNDERS else 1.0


def _worth(terms: frozenset[str], scores: Scores) -> float:
    return _NEW_TERM * sum(scores.term_weights[term] for term in terms)
