"""Where the start of an answer is registered, handed over, or named by a string."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from analysis.documents import CodeView
from analysis.documents.code import definitions, innermost
from analysis.documents.links import Links
from analysis.documents.markdown import inline_code
from analysis.indirection import Indirection, SettingRead, telling
from analysis.models import Position, Span
from analysis.modes.places import CallEdge, Place, place_of
from analysis.modes.writing import CHARS, code_line, line_link
from analysis.retrieval.file_roles import is_aside
from analysis.stopping import Deadline, StopFlag

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.modes.offline.exploration import Exploration

# An answer does not wait longer for it.
_TIME_S = 0.4
_MOST = 3
# Longer definitions are cited by the line that registers.
_WHOLE = 60
# Of so many places of a path the settings are looked for.
_SETTING_PLACES = 4
_CUT = "- and maybe others: looking for them was ended because it took too long"


def registrations_of(
    place: Place, access: SmartFileAccess, stop: StopFlag
) -> tuple[tuple[Indirection, ...], bool]:
    """Return how a definition is reached without being called by its name, outside of tests.

    What documentation, examples and the like do with it comes last. Returns also whether the time
    was over before all was looked at.
    """
    info = place.info
    if info is None:
        return (), False
    at = Position(place.path, info.name_line, info.name_column)
    deadline = Deadline(_TIME_S, stop)
    found = access.find_indirections(at, info.name, stop=stop, time_limit_s=_TIME_S)
    kept = [way for way in found if not way.is_test]
    kept.sort(key=lambda way: way.kind != "entry point" and is_aside(way.path))
    return tuple(kept), deadline.is_over


def registering(found: Exploration) -> Iterator[Place]:
    """Yield the definitions outside of the path that register what an answer tells of, a few."""
    for way in telling(found.ways)[:_MOST]:
        info = innermost(found.code, way.path, way.line, way.line)
        is_short = info is not None and info.line_end - info.decorated_line < _WHOLE
        line = Place(way.path, way.line, way.line)
        place = place_of(way.path, info) if info is not None and is_short else line
        if not place.is_within(found.path):
            yield place


def settings_of(
    places: Sequence[Place], access: SmartFileAccess, stop: StopFlag
) -> tuple[tuple[SettingRead, ...], bool]:
    """Return the settings that the first places of a path read, and whether time cut them.

    Of classes there are none.
    """
    spans: list[Span] = [place for place in places[:_SETTING_PLACES] if not place.is_class]
    deadline = Deadline(_TIME_S, stop)
    return access.find_settings(spans, stop=stop, time_limit_s=_TIME_S), deadline.is_over


def settings_told(
    settings: Sequence[SettingRead], code: CodeView, links: Links, *, is_cut: bool = False
) -> str:
    """Return the lines that tell of settings, the first few; nothing if there are none."""
    lines = []
    for read in settings[:_MOST]:
        line = f"- {inline_code(read.text)} is read at "
        line += line_link(read.path, read.line, read.line, links)
        if read.given is not None:
            path, number = read.given
            where = line_link(path, number, number, links)
            line += f"; the only {inline_code(read.name)} of the settings is at {where}"
            line += _value((code.lines(path) or ())[number - 1])
        lines.append(line)
    rest = _left(len(settings) - _MOST, is_cut=is_cut)
    return "Settings:\n\n" + "\n".join([*lines, *rest]) if lines else ""


def _left(more: int, *, is_cut: bool) -> list[str]:
    """Return the line that tells of what is not listed; none if all is."""
    if is_cut:
        return [_CUT]
    return [f"- and {more} more"] if more > 0 else []


def _value(line: str) -> str:
    """Return a line of the settings as what ends a sentence; nothing for one with a secret."""
    from analysis.llm.redact import find_secrets

    return "" if find_secrets(line) else f": {code_line(line[:CHARS])}"


def owner_of(place: Place, code: CodeView) -> Place | None:
    """Return the class that a method belongs to; None for any other definition."""
    found = definitions(code, place.path, place.owner) if place.owner else []
    owners = [place_of(place.path, info) for info in found if info.kind == "class"]
    return owners[0] if len(owners) == 1 else None


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


def told(
    ways: Sequence[Indirection],
    links: Links,
    *,
    title: str = "Registration:",
    most: int = _MOST,
    with_all: bool = False,
    is_cut: bool = False,
) -> str:
    """Return the lines that tell of it, the first few; nothing if there are none.

    Args:
        ways: How a definition is reached without being called by its name.
        links: Where the document's links must point to.
        title: What stands before the lines.
        most: How many are told.
        with_all: Whether to tell also what says little by itself, and what only may lead to it.
        is_cut: Whether the time was over before all were looked for.
    """
    chosen = list(ways) if with_all else telling(ways)
    lines = [
        f"- {'' if way.sure else 'may be '}{way.text} at "
        f"{line_link(way.path, way.line, way.line, links)}"
        for way in chosen[:most]
    ]
    rest = _left(len(chosen) - most, is_cut=is_cut)
    head = f"{title}\n\n" if title else ""
    return head + "\n".join([*lines, *rest]) if lines else ""
