"""Where an answer may begin: ranked definitions as places, each worth what it is worth to read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analysis.documents import CodeView
from analysis.models import Candidate, SymbolInfo
from analysis.modes.offline.code_places import CodePlaces
from analysis.modes.places import Place, place_of
from analysis.retrieval.file_kinds import is_output
from analysis.retrieval.file_roles import is_aside

# So many ranked definitions can be where the answer begins.
_MOST = 25


@dataclass(frozen=True, slots=True)
class Beginning:
    """A ranked definition."""

    place: Place
    share: float
    """How likely it is the place to begin with, among all; 0 to 1."""
    candidate: Candidate


def beginnings(
    ranked: Sequence[Candidate], graph: CodePlaces, asked_for: frozenset[str], code: CodeView
) -> list[Beginning]:
    """Return the ranked definitions in the code itself, best first.

    What is only declared, deprecated or inside another function is worth less than its words.
    """
    known = code.paths()
    main = [
        candidate
        for candidate in ranked
        if not is_aside(candidate.path, asked_for) and not is_output(candidate.path, known)
    ]
    found: dict[Place, Beginning] = {}
    for candidate in (main or list(ranked))[:_MOST]:
        place = place_for(candidate, code)
        if place is None or place in found:
            continue
        found[place] = Beginning(place, candidate.score * graph.demotion(place), candidate)
    order = sorted(found.values(), key=lambda item: -item.share)
    # Lines between definitions are where to begin only if there is no definition.
    return [i for i in order if i.place.info] + [i for i in order if not i.place.info]


def place_for(candidate: Candidate, code: CodeView) -> Place | None:
    """Return a candidate as a place: the whole of its definition, or the lines alone."""
    if code.lines(candidate.path) is None:
        return None
    info = _info_of(candidate, code.symbols(candidate.path))
    if info is not None:
        return place_of(candidate.path, info)
    return Place(candidate.path, candidate.line_start, candidate.line_end)


def _info_of(candidate: Candidate, infos: Iterable[SymbolInfo]) -> SymbolInfo | None:
    """Return the definition of a candidate: of several of its name the longest one around it."""
    if candidate.symbol is None:
        return None
    same = [info for info in infos if info.qualified_name == candidate.symbol]
    around = [
        info
        for info in same
        if info.decorated_line <= candidate.line_end and candidate.line_start <= info.line_end
    ]
    return max(around or same, key=lambda info: info.line_end - info.line, default=None)
