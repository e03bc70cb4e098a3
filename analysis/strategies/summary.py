"""The summary: where to start, and which way the code goes from there."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.documents.links import Links
from analysis.documents.markdown import inline_code
from analysis.strategies.findings import Findings
from analysis.strategies.places import Place
from analysis.strategies.writing import doc_of, listed, named, within

MAX_WORDS = 150
# Kept free for the sentence that says how the summary was made.
_CLOSING_WORDS = 16
_CLOSING = "Assembled from names, docstrings and calls in the code; no model was asked."


def summary(found: Findings, links: Links) -> str:
    """Return at most 150 words on the way through the code that answers the question."""
    if found.walk is None:
        return f"Nothing in the code matches the question. {_CLOSING}"
    sentences = _walk(found, links) if found.walk.edges else _single(found, links)
    return f"{within(sentences, MAX_WORDS - _CLOSING_WORDS)}\n\n{_CLOSING}"


def _walk(found: Findings, links: Links) -> Iterator[str]:
    """Yield the sentences that follow a chain of definitions."""
    assert found.walk is not None
    first = found.walk.places[0]
    yield f"Start at {named(first, links)}{_remark(first)}."
    for number, edge in enumerate(found.walk.edges):
        who = "It" if number == 0 else inline_code(edge.source.name)
        beside = [place for place in _beside(found, edge.source) if place != edge.target]
        also = (
            f" gets there through {listed(named(p, links) for p in beside)} and" if beside else ""
        )
        yield f"{who}{also} {edge.kind} {named(edge.target, links)}{_remark(edge.target)}."
    yield from _also(found, links)


def _single(found: Findings, links: Links) -> Iterator[str]:
    """Yield the sentences on a definition that stands by itself."""
    place = found.path[0]
    kind = place.info.kind if place.info else "place"
    yield f"The {kind} that fits best is {named(place, links)}{_remark(place)}."
    if place.info is not None:
        yield f"Its signature: {inline_code(place.info.signature)}."
    yield from _also(found, links)


def _also(found: Findings, links: Links) -> Iterator[str]:
    rest = [p for p in found.also if not any(p == b for s in found.path for b in _beside(found, s))]
    if rest:
        yield f"Also part of it: {listed(named(place, links) for place in rest[:3])}."


def _beside(found: Findings, source: Place) -> list[Place]:
    """Return what a step of the way calls besides the next step, to get at it."""
    return [e.target for e in found.edges if e.source == source and e.target in found.beside]


def _remark(place: Place) -> str:
    doc = doc_of(place)
    return f", {doc}" if doc else ""
