"""From ranked candidates to findings: which definitions, in which order, hanging together how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analysis.documents import CodeView
from analysis.errors import NotFound
from analysis.models import Candidate
from analysis.modes.offline.call_chain import CallChain, best_chain, side_calls
from analysis.modes.offline.code_places import CodePlaces
from analysis.modes.offline.edges import EdgeFinder
from analysis.modes.offline.relevance import relevance
from analysis.modes.offline.scoring import Scores, score_places
from analysis.modes.places import CallEdge, Place
from analysis.retrieval.file_kinds import is_output, kinds_of
from analysis.retrieval.file_roles import is_aside
from analysis.retrieval.question import Question
from analysis.stopping import StopFlag

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.index.code_index import CodeIndex

_GRAPH_FILES = 14
# Candidates that are named by ranking itself.
_NAMED = 12
_RELATED = 6
_FILES = 8
_PER_FILE = 6
# A definition with less than this part of the best score is no answer to the question.
_RELATED_FLOOR = 0.3
# What neither calls the way nor is called from it has to fit the question much better.
_UNCONNECTED = 0.6


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is searched for, with what ranking proposes for it."""

    question: Question
    """The question's words, taken apart."""
    candidates: Sequence[Candidate]
    """Best first."""
    focus: Place | None = None
    """The definition that the question is about, if it is about one."""
    boosts: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """By path and qualified name: what is added to a definition's score."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """Everything that the sections of a document are written from."""

    code: CodeView
    terms: frozenset[str]
    """Stems of the question's keywords."""
    chain: CallChain | None = None
    """The way through the code; one step if nothing is called."""
    side_calls: tuple[Place, ...] = ()
    """What steps of the way call before they go on."""
    related: tuple[Place, ...] = ()
    """Further places worth reading, best first."""
    edges: tuple[CallEdge, ...] = ()
    """What refers to what among the shown places."""
    callers: tuple[CallEdge, ...] = ()
    """Who calls the place that the question is about."""
    files: tuple[str, ...] = ()
    """The files that matter, best first."""
    docs_of_files: Mapping[str, str] = field(default_factory=dict)
    """What files say of themselves, by path."""
    best: tuple[Candidate, ...] = ()
    """The candidates in those files."""
    documentation: tuple[Candidate, ...] = ()
    tests: tuple[Candidate, ...] = ()
    not_shown: tuple[Candidate, ...] = ()
    """Candidates that are not shown."""
    graph_files: int = 0

    @property
    def path(self) -> tuple[Place, ...]:
        """The places of the way through the code."""
        return self.chain.places if self.chain else ()

    @property
    def shown(self) -> tuple[Place, ...]:
        """All places that the document shows."""
        return self.path + self.side_calls + self.related


def explore(
    search: SearchRequest, access: SmartFileAccess, index: CodeIndex, code: CodeView, stop: StopFlag
) -> Exploration:
    """Return what the candidates come to when their code is followed."""
    main = _main(search, code)
    graph = _files_of_candidates(search, main, code, stop)
    edges = _edges(search, main, graph, access, index, stop)
    places = list(graph.all())
    scores = _scores(search, main, graph, edges, index)
    focus = _in_graph(search.focus, places)
    chain = best_chain(places, edges, scores, start=focus)
    way = chain.places if chain else ()
    side = side_calls(chain, edges, scores) if chain else ()
    related = _related(places, (*way, *side), edges, scores)
    shown = (*way, *side, *related)
    files = _files(main, shown)
    return Exploration(
        code=code,
        terms=frozenset(search.question.terms),
        chain=chain,
        side_calls=side,
        related=related,
        edges=tuple(e for e in edges if e.source in shown and e.target in shown),
        callers=_callers(edges, focus),
        files=files,
        docs_of_files=_docs_of_files(files, index),
        best=tuple(c for c in main if c.path in files and code.lines(c.path)),
        documentation=_of_kind(search.candidates, "docs", 3),
        tests=_of_kind(search.candidates, "tests", 2),
        not_shown=_not_shown(main, shown),
        graph_files=len(graph.paths),
    )


def _in_graph(focus: Place | None, places: Iterable[Place]) -> Place | None:
    """Return the graph's own place for a definition."""
    if focus is None:
        return None
    same = (p for p in places if (p.path, p.name) == (focus.path, focus.name))
    return next(same, focus)


def _main(search: SearchRequest, code: CodeView) -> list[Candidate]:
    """Return the candidates in the code itself; all of them if none is."""
    known = code.paths()
    main = [
        candidate
        for candidate in search.candidates
        if not is_aside(candidate.path, search.question.asked_for)
        and not is_output(candidate.path, known)
    ]
    return main or list(search.candidates)


def _files_of_candidates(
    search: SearchRequest, main: Sequence[Candidate], code: CodeView, stop: StopFlag
) -> CodePlaces:
    """Return the definitions in the best candidates' files."""
    graph = CodePlaces(code)
    first = ([search.focus.path] if search.focus else []) + [c.path for c in main]
    for path in list(dict.fromkeys(first))[:_GRAPH_FILES]:
        stop.check()
        graph.add(path)
    return graph


def _edges(
    search: SearchRequest,
    main: Sequence[Candidate],
    graph: CodePlaces,
    access: SmartFileAccess,
    index: CodeIndex,
    stop: StopFlag,
) -> list[CallEdge]:
    """Return what the best definitions use and who uses them; files that they lead to are added."""
    finder = EdgeFinder(access, graph, stop)
    names = {(c.path, c.symbol) for c in main[:_NAMED]}
    named = [place for place in graph.all() if (place.path, place.name) in names]
    focus = _in_graph(search.focus, graph.all())
    finder.follow(_worth(search, main, graph, index), [*([focus] if focus else []), *named])
    finder.follow_on(_worth(search, main, graph, index))
    return finder.edges()


def _worth(
    search: SearchRequest, main: Sequence[Candidate], graph: CodePlaces, index: CodeIndex
) -> dict[Place, float]:
    """Return how well each definition fits by itself."""
    fitting = _fitting(search, main, graph, index)
    return {
        place: score * graph.demotion(place)
        for place in graph.all()
        if (score := fitting.get((place.path, place.name), 0.0)) > 0
    }


def _fitting(
    search: SearchRequest, main: Sequence[Candidate], graph: CodePlaces, index: CodeIndex
) -> dict[tuple[str, str], float]:
    fitting = relevance(index, search.question, _file_scores(main, graph.paths))
    for key, boost in search.boosts.items():
        fitting[key] = fitting.get(key, 0.0) + boost
    return fitting


def _scores(
    search: SearchRequest,
    main: Sequence[Candidate],
    graph: CodePlaces,
    edges: Sequence[CallEdge],
    index: CodeIndex,
) -> Scores:
    """Return how well each definition of the graph fits."""
    fitting = _fitting(search, main, graph, index)
    frequencies = {term: index.document_frequency(term) for term in search.question.terms}
    places = list(graph.all())
    weak = {place: part for place in places if (part := graph.demotion(place)) < 1}
    return score_places(places, edges, fitting, search.question, frequencies, weak)


def _file_scores(main: Sequence[Candidate], paths: Collection[str]) -> dict[str, float]:
    """Return what ranking gives to each file; files that were only followed get the least."""
    scores: dict[str, float] = dict.fromkeys(paths, 0.0)
    for candidate in main:
        if candidate.path in scores:
            scores[candidate.path] = max(scores[candidate.path], candidate.score)
    return scores


def _related(
    places: Iterable[Place], path: Sequence[Place], edges: Iterable[CallEdge], scores: Scores
) -> tuple[Place, ...]:
    """Return the best places that the way does not pass, those connected with it preferred."""
    near = {e.target for e in edges if e.source in path} | {
        e.source for e in edges if e.target in path
    }
    worth = {p: scores.of(p) * (1.0 if p in near else _UNCONNECTED) for p in places}
    best = max((scores.of(place) for place in worth), default=0.0)
    per_file = Counter(place.path for place in path)
    found: list[Place] = []
    for place in sorted(worth, key=lambda place: -worth[place]):
        if worth[place] <= _RELATED_FLOOR * best or len(found) == _RELATED:
            break
        shown = (*path, *found)
        if per_file[place.path] >= _PER_FILE or any(_overlap(place, p) for p in shown):
            continue
        if place.is_class and any(_holds(place, p) for p in shown):
            continue
        per_file[place.path] += 1
        found.append(place)
    return tuple(found)


def _overlap(one: Place, other: Place) -> bool:
    """Return whether one place is a part of the other, or the same."""
    return (
        one.path == other.path
        and one.line_start <= other.line_end
        and other.line_start <= one.line_end
        and not (one.is_class or other.is_class)
    ) or one == other


def _holds(owner: Place, member: Place) -> bool:
    return owner.path == member.path and member.owner == owner.name


def _docs_of_files(paths: Iterable[str], index: CodeIndex) -> dict[str, str]:
    """Return the first line of what files say of themselves."""
    found = {}
    for path in paths:
        try:
            found[path] = index.outline(path).docstring or ""
        except NotFound:
            continue  # It went away since it was found.
    return found


def _callers(edges: Iterable[CallEdge], focus: Place | None) -> tuple[CallEdge, ...]:
    """Return what refers to the place that the question is about."""
    if focus is None:
        return ()
    return tuple(edge for edge in edges if edge.target == focus)[:8]


def _files(main: Sequence[Candidate], shown: Sequence[Place]) -> tuple[str, ...]:
    """Return the files that matter: those that rank best, and those that are shown."""
    worth: dict[str, int] = {}
    for rank, candidate in enumerate(main):
        worth.setdefault(candidate.path, 100 - rank)
    for place in shown:
        worth[place.path] = worth.get(place.path, 0) + 10
    return tuple(sorted(worth, key=lambda path: -worth[path])[:_FILES])


def _of_kind(candidates: Iterable[Candidate], kind: str, limit: int) -> tuple[Candidate, ...]:
    found = [c for c in candidates if kind in kinds_of(c.path)]
    best: dict[str, Candidate] = {}
    for candidate in found:
        best.setdefault(candidate.path, candidate)
    return tuple(best.values())[:limit]


def _not_shown(main: Iterable[Candidate], shown: Iterable[Place]) -> tuple[Candidate, ...]:
    names = {(place.path, place.name) for place in shown}
    return tuple(c for c in main if c.symbol and (c.path, c.symbol) not in names)
