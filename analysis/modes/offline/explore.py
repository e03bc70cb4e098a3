"""From ranked candidates to findings: which definitions, in which order, hanging together how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis.documents import CodeView
from analysis.errors import NotFound
from analysis.indirection import telling
from analysis.models import Candidate
from analysis.modes.offline.above import Above, callers_of
from analysis.modes.offline.beginnings import Beginning, beginnings
from analysis.modes.offline.call_chain import CallChain, best_chain, passes_on, side_calls
from analysis.modes.offline.code_places import CodePlaces
from analysis.modes.offline.edges import EdgeFinder
from analysis.modes.offline.exploration import Exploration, SearchRequest
from analysis.modes.offline.fit import is_named
from analysis.modes.offline.registration import (
    dispatchers,
    owner_of,
    registrations_of,
    settings_of,
)
from analysis.modes.offline.relevance import relevance
from analysis.modes.offline.scoring import Scores, score_places
from analysis.modes.offline.steps import steps_of, steps_of_users, steps_of_variants
from analysis.modes.offline.users import named_together, test_of, users_of, variants_of
from analysis.modes.places import CallEdge, Place, place_of
from analysis.parsing.words import split_identifier
from analysis.retrieval.file_kinds import is_output, is_record, kinds_of
from analysis.retrieval.file_roles import is_aside
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
# Ranked definitions that are cited besides the path, as the next guesses.
_NEXT = 14
# So many places are named besides the start: a reader looks at three, hardly at ten.
_GUESSES = 2
# What passes the work on has few lines, and does so over few steps.
_SHORT = 10
_MOST_WRAPPERS = 3


def explore(
    search: SearchRequest, access: SmartFileAccess, index: CodeIndex, code: CodeView, stop: StopFlag
) -> Exploration:
    """Return what the candidates come to when their code is followed."""
    main = _main(search, code)
    graph = _files_of_candidates(search, main, code, stop)
    ranked = beginnings(search.ranked, graph, search.question.asked_for, code)
    ranked = _boosted(ranked, search.boosts)
    start = _in_graph(search.focus, graph.all()) or _depended_on(search, ranked, code)
    start = start or (ranked[0].place if ranked else None)
    finder = EdgeFinder(access, graph, stop)
    _follow(search, main, graph, index, finder, start)
    if start is not None:
        Above(index, code, _file_scores(main, graph.paths)).look([start], finder)
    edges = finder.edges()
    if start is not None and search.focus is None and search.question.kind != "depends":
        start = _worker(start, edges, ranked)
    scores = _scores(search, main, graph, edges, index)
    chain = best_chain(list(graph.all()), edges, scores, start=start)
    found = Exploration(
        code=code,
        terms=frozenset(search.question.terms),
        names=frozenset(search.question.keywords.identifiers),
        kind=search.question.kind,
        beginnings=tuple(ranked),
        chain=chain,
        documentation=_of_kind(search.candidates, "docs", 3),
        tests=_of_kind(search.candidates, "tests", 2),
        graph_files=len(graph.paths),
        is_cut=finder.is_cut,
    )
    if chain is None:
        files = _files(main, ())
        return replace(found, files=files, best=tuple(c for c in main if c.path in files))
    found = _with_path(found, chain, edges, scores, access, index, stop)
    settings, settings_cut = settings_of(found.acting, access, stop)
    found = replace(
        found,
        test=test_of(found.path[0], found.tests, index, access, code, stop),
        settings=settings,
        settings_cut=settings_cut,
    )
    return _with_rest(found, main, edges, scores, index)


def _with_path(
    found: Exploration,
    chain: CallChain,
    edges: Sequence[CallEdge],
    scores: Scores,
    access: SmartFileAccess,
    index: CodeIndex,
    stop: StopFlag,
) -> Exploration:
    """Return an exploration with the path that its kind of question asks for."""
    start = chain.places[0]
    ways, is_cut = registrations_of(start, access, stop)
    found = replace(found, ways=ways, ways_cut=is_cut)
    edges = [*edges, *dispatchers(start, found.ways, found.code)]
    owner = owner_of(start, found.code)
    if owner is not None and not telling(found.ways):
        # What is registered is the class; its methods are called by whoever gets it.
        ways, is_cut = registrations_of(owner, access, stop)
        found = replace(found, ways=ways, ways_cut=is_cut, registered=owner)
    found = replace(found, guesses=_guesses(start, found))
    above = callers_of(chain.places, edges, _shares(found))
    if found.kind == "depends":
        users, complete = users_of(start, access, found.code, stop)
        steps = steps_of_users(start, users or above, found.guesses)
        aside = [is_aside(edge.source.path) for edge in users if edge.resolved]
        return replace(
            found, steps=tuple(steps), all_users=complete, n_users=aside.count(False),
            n_users_aside=aside.count(True), n_may_use=len(users) - len(aside),
            chain=replace(chain, places=chain.places[:1], edges=()), callers=tuple(users or above),
        )  # fmt: skip
    variants = _examples(start, index, found.code) if found.kind == "extend" else []
    if variants:
        names = [place.name.rpartition(".")[2] for place in variants]
        table = named_together(names, (start, *variants), index, found.code)
        found = replace(found, table=table)
        steps = steps_of_variants(start, variants, above, found.guesses)
        if not telling(found.ways):
            ways, is_cut = registrations_of(variants[0], access, stop)
            found = replace(found, ways=ways, ways_cut=is_cut, registered=variants[0])
        chain = replace(chain, places=chain.places[:1], edges=())
    else:
        onward = [edge for edge in edges if edge.source == start]
        steps = steps_of(found.kind, chain.places, chain.edges, above, onward, found.beginnings,
                         found.guesses)  # fmt: skip
    return replace(
        found, steps=tuple(steps), variants=tuple(variants), chain=chain, callers=tuple(above)
    )


def _examples(start: Place, index: CodeIndex, code: CodeView) -> list[Place]:
    """Return the variants that there are; those of tests only if the code itself has none."""
    return variants_of(start, index, code) or variants_of(start, index, code, aside=True)


def _with_rest(
    found: Exploration,
    main: Sequence[Candidate],
    edges: Sequence[CallEdge],
    scores: Scores,
    index: CodeIndex,
) -> Exploration:
    """Return an exploration with what it shows besides its path."""
    assert found.chain is not None
    side = side_calls(found.chain, edges, scores)
    related = _related(found, (*found.path, *side))
    shown = {*found.path, *side, *related}
    files = _files(main, (*found.path, *side, *related))
    return replace(
        found,
        side_calls=side,
        related=related,
        edges=tuple(e for e in edges if e.source in shown and e.target in shown),
        files=files,
        docs_of_files=_docs_of_files(files, index),
        best=tuple(c for c in main if c.path in files and found.code.lines(c.path)),
        not_shown=_not_shown(main, tuple(shown)),
    )


def _boosted(
    ranked: Sequence[Beginning], boosts: Mapping[tuple[str, str], float]
) -> list[Beginning]:
    """Return ranked definitions in order, those of an earlier answer before others as likely."""
    found = [
        replace(item, share=item.share + boosts.get((item.place.path, item.place.name), 0.0))
        for item in ranked
    ]
    return sorted(found, key=lambda item: (item.place.info is None, -item.share))


def _depended_on(
    search: SearchRequest, ranked: Sequence[Beginning], code: CodeView
) -> Place | None:
    """Return the definition whose qualified name is asked about, where it is what others need."""
    if search.question.kind != "depends":
        return None
    for name in search.question.keywords.identifiers:
        found = [place_of(path, info) for path, info in code.named(name)] if "." in name else []
        found = [place for place in found if not is_aside(place.path)]
        if found:
            return next((item.place for item in ranked if item.place in found), found[0])
    return None


def _worker(start: Place, edges: Sequence[CallEdge], ranked: Sequence[Beginning]) -> Place:
    """Return what does the work of a start that only passes it on, if that is ranked too."""
    for _ in range(_MOST_WRAPPERS):
        onward = [edge for edge in edges if edge.source == start and edge.kind == "calls"]
        passes = passes_on(start, onward)
        called = {e.target for e in onward if passes or _does_more(e.target, start)}
        worker = next((item.place for item in ranked if item.place in called), None)
        if worker is None:
            break
        start = worker
    return start


def _does_more(called: Place, start: Place) -> bool:
    """Return whether a few lines call what has their name and more."""
    name, longer = (set(split_identifier(p.name.rpartition(".")[2])) for p in (start, called))
    is_short = start.line_end - start.line_start < _SHORT and not start.is_class
    return is_short and name < longer


def _shares(found: Exploration) -> dict[Place, float]:
    return {item.place: item.share for item in found.beginnings}


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
    first = [search.focus.path] if search.focus else []
    first += [c.path for c in search.ranked[:_NAMED] if not is_aside(c.path)]
    first += [c.path for c in main]
    for path in list(dict.fromkeys(first))[:_GRAPH_FILES]:
        stop.check()
        graph.add(path)
    return graph


def _follow(
    search: SearchRequest,
    main: Sequence[Candidate],
    graph: CodePlaces,
    index: CodeIndex,
    finder: EdgeFinder,
    start: Place | None,
) -> None:
    """Find what the best definitions use and who uses them; files that they lead to are added."""
    names = {(c.path, c.symbol) for c in [*search.ranked[:_NAMED], *main[:_NAMED]]}
    named = [place for place in graph.all() if (place.path, place.name) in names]
    finder.follow(_worth(search, main, graph, index), [*([start] if start else []), *named])
    finder.follow_on(_worth(search, main, graph, index))


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


def _guesses(start: Place, found: Exploration) -> tuple[Place, ...]:
    """Return where else it may begin; nowhere if the question names what others depend on."""
    if found.kind == "depends" and is_named(start, found.names):
        return ()
    guesses: list[Place] = []
    for place in (item.place for item in found.beginnings):
        is_new = place != start and not any(_holds(place, other) for other in (start, *guesses))
        if place.info and is_new:
            guesses.append(place)
    return tuple(guesses[:_GUESSES])


def _related(found: Exploration, path: Sequence[Place]) -> tuple[Place, ...]:
    """Return the best ranked places that the path does not pass."""
    per_file = Counter(place.path for place in path)
    related: list[Place] = []
    for item in found.beginnings:
        place, shown = item.place, (*path, *related)
        if len(related) == _NEXT:
            break
        if place.info is None or any(_overlap(place, p) for p in shown):
            continue
        if per_file[place.path] >= _PER_FILE or (
            place.is_class and any(_holds(place, p) for p in shown)
        ):
            continue
        per_file[place.path] += 1
        related.append(place)
    return tuple(related)


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


def _files(main: Sequence[Candidate], shown: Sequence[Place]) -> tuple[str, ...]:
    """Return the files that matter: those that rank best, and those that are shown."""
    worth: dict[str, int] = {}
    for rank, candidate in enumerate(main):
        worth.setdefault(candidate.path, 100 - rank)
    for place in shown:
        worth[place.path] = worth.get(place.path, 0) + 10
    return tuple(sorted(worth, key=lambda path: -worth[path])[:_FILES])


def _of_kind(candidates: Iterable[Candidate], kind: str, limit: int) -> tuple[Candidate, ...]:
    found = [c for c in candidates if kind in kinds_of(c.path) and not is_record(c.path)]
    best: dict[str, Candidate] = {}
    for candidate in found:
        best.setdefault(candidate.path, candidate)
    return tuple(best.values())[:limit]


def _not_shown(main: Iterable[Candidate], shown: Iterable[Place]) -> tuple[Candidate, ...]:
    names = {(place.path, place.name) for place in shown}
    return tuple(c for c in main if c.symbol and (c.path, c.symbol) not in names)
