"""The summary: where to start, and which way the code goes from there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis.documents.links import Links
from analysis.documents.markdown import inline_code
from analysis.modes.offline.findings import Findings
from analysis.modes.offline.remarks import comment_at, first_sentence
from analysis.modes.places import CallEdge, Place
from analysis.modes.writing import listed, n_words, named, quoted

MAX_WORDS = 150
_CLOSING = "Assembled from names, docstrings and calls in the code; no model was asked."
_MAX_ALSO = 3
_MAX_MEMBERS = 8
_MAX_WORDS_MISSING = 6


def not_in_code(words: Sequence[str]) -> str:
    """Return the sentence that tells which words of the question the code does not hold.

    >>> not_in_code(["kafka", "topics"])
    'Not in the code: `kafka` and `topics`. What follows goes by the rest of the question.'
    """
    some = [inline_code(word) for word in words[:_MAX_WORDS_MISSING]]
    more = len(words) - len(some)
    missing = f"{', '.join(some)} and {more} more words" if more else listed(some)
    return f"Not in the code: {missing}. What follows goes by the rest of the question."


def summary(found: Findings, links: Links) -> str:
    """Return at most 150 words on the way through the code that answers the question."""
    if found.walk is None:
        if found.best or found.files:
            return f"No definition stands out; the files below fit best. {_CLOSING}"
        return f"Nothing in the code matches the question. {_CLOSING}"
    lead, steps = _lead(found, links), list(_steps(found, links))
    left = MAX_WORDS - n_words(f"{lead} {_CLOSING}")
    kept: list[str] = []
    for step in steps:
        left -= n_words(step)
        if left < 0:
            break
        kept.append(step)
    also = _also(found, links)
    closing = f"{also} {_CLOSING}" if also and left >= n_words(also) else _CLOSING
    return "\n\n".join(part for part in (lead, "\n".join(kept), closing) if part)


def _lead(found: Findings, links: Links) -> str:
    """Return the sentence that names the entry point and the way."""
    first = found.path[0]
    if len(found.path) == 1:
        kind = first.info.kind if first.info else "place"
        said = _said(first, found)
        signature = f" Its signature: {inline_code(first.info.signature)}." if first.info else ""
        parts = f"{signature}{_members(first)}{_callers(found, links)}"
        return f"The {kind} that fits best is {named(first, links)}{said}.{parts}"
    return f"Start at {inline_code(first.name)} and follow the calls:"


def _members(place: Place) -> str:
    """Return a sentence with the public methods of a class."""
    inside = place.info.children if place.info and place.is_class else ()
    names = dict.fromkeys(i.name for i in inside if i.exported and i.kind in {"method", "property"})
    if not names:
        return ""
    some = [inline_code(name) for name in names][:_MAX_MEMBERS]
    more = f" and {len(names) - len(some)} more" if len(names) > len(some) else ""
    return f" It offers {', '.join(some)}{more}." if more else f" It offers {listed(some)}."


def _callers(found: Findings, links: Links) -> str:
    """Return a sentence on who refers to what is asked about."""
    sources = dict.fromkeys(edge.source for edge in found.callers)
    if not sources:
        return ""
    some = listed(named(place, links) for place in list(sources)[:_MAX_ALSO])
    return f" Among those that refer to it: {some}."


def _steps(found: Findings, links: Links) -> Iterator[str]:
    """Yield a list item for each step of the way."""
    if not found.walk or not found.walk.edges:
        return
    first = found.path[0]
    yield f"1. {named(first, links)}{_said(first, found)}."
    for number, edge in enumerate(found.walk.edges, 2):
        before = [p for p in _beside(found, edge.source) if p != edge.target]
        then = f", and calls {listed(named(place, links) for place in before)}" if before else ""
        said = _said(edge.target, found, edge)
        yield f"{number}. It {edge.kind} {named(edge.target, links)}{said}{then}."


def _also(found: Findings, links: Links) -> str:
    """Return a sentence on what belongs to it beside the way."""
    way = set(found.path)
    helpers = [e.target for e in found.edges if e.source in way and e.target in found.also]
    rest = dict.fromkeys([*helpers, *found.also])
    if not rest:
        return ""
    return f"Also part of it: {listed(named(place, links) for place in list(rest)[:_MAX_ALSO])}."


def _beside(found: Findings, source: Place) -> list[Place]:
    """Return what a step of the way calls before it goes on."""
    return [e.target for e in found.edges if e.source == source and e.target in found.beside][:1]


def _said(place: Place, found: Findings, edge: CallEdge | None = None) -> str:
    """Return what the code says of a place, quoted: its docstring, or the comment at the call."""
    lines = found.code.lines(place.path) or ()
    text = quoted(first_sentence(place, lines))
    if not text and edge is not None:
        text = quoted(comment_at(edge, found.code.lines(edge.source.path) or ()))
    return f": {text}" if text else ""
