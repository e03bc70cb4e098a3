"""Where the start of an answer is registered, handed over, or named by a string."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from analysis.documents import CodeView
from analysis.documents.code import definitions
from analysis.documents.links import Links
from analysis.indirection import Indirection
from analysis.models import Position
from analysis.modes.places import CallEdge, Place, place_of
from analysis.modes.writing import line_link
from analysis.stopping import StopFlag

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess

# An answer does not wait longer for it.
_TIME_S = 0.4
_MOST = 3
# What says little by itself: an answer tells it only of what nothing else is known.
_PLAIN = frozenset({"decorator", "callback", "attribute", "dispatch"})


def registrations_of(
    place: Place, access: SmartFileAccess, stop: StopFlag
) -> tuple[Indirection, ...]:
    """Return how a definition is reached without being called by its name, outside of tests."""
    info = place.info
    if info is None:
        return ()
    at = Position(place.path, info.name_line, info.name_column)
    found = access.find_indirections(at, info.name, stop=stop, time_limit_s=_TIME_S)
    return tuple(way for way in found if not way.is_test)


def dispatchers(start: Place, ways: Iterable[Indirection], code: CodeView) -> list[CallEdge]:
    """Return who may call a definition through an event or a table, as edges to it."""
    edges = []
    for way in ways:
        if way.kind != "dispatch" or way.source is None:
            continue
        for info in definitions(code, way.path, way.source):
            if info.line <= way.line <= info.line_end:
                source = place_of(way.path, info)
                edges.append(CallEdge(source, start, way.line, "calls", resolved=False))
    return [edge for edge in edges if edge.source != start]


def told(ways: Sequence[Indirection], links: Links) -> str:
    """Return the lines that tell of it, the first few; nothing where it says little."""
    sure = [way for way in ways if way.sure and way.kind != "dispatch"]
    telling = [way for way in sure if way.kind not in _PLAIN]
    callbacks = [way for way in sure if way.kind in ("callback", "attribute")]
    chosen = telling + callbacks
    if not chosen:
        return ""
    lines = [
        f"- {way.text} at {line_link(way.path, way.line, way.line, links)}"
        for way in chosen[:_MOST]
    ]
    more = len(chosen) - _MOST
    return "\n".join(["Registration:\n", *lines, *([f"- and {more} more"] if more > 0 else [])])
