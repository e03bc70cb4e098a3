"""From a question to ranked places in the code: the one entry point of retrieval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.models import Candidate
from analysis.parsing.code_words import is_path
from analysis.retrieval import weights
from analysis.retrieval.concepts import concepts_of
from analysis.retrieval.definition_places import DefinitionsAsPlaces
from analysis.retrieval.definition_ranking import RankedDefinition, rank_definitions
from analysis.retrieval.definition_table import definition_table
from analysis.retrieval.definitions import definitions_for
from analysis.retrieval.families import bases_first, members_first
from analysis.retrieval.per_generation import PerGeneration
from analysis.retrieval.places import Places
from analysis.retrieval.project_name import own_folders, without_project_name
from analysis.retrieval.question import Question, read_question
from analysis.retrieval.ranking import RankedFile, rank
from analysis.retrieval.reasons import explained
from analysis.retrieval.scoring import Scorer
from analysis.retrieval.selection import allowed_files, files_named
from analysis.retrieval.signals import Filter, candidates_for, signals_for
from analysis.retrieval.skim import skim
from analysis.retrieval.unknown_words import unknown_words

if TYPE_CHECKING:
    from analysis.index.code_index import CodeIndex
    from analysis.index.view import IndexView
    from analysis.retrieval.concepts import Concept


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What a search may find, and how much of it."""

    top_k: int = 20
    """How many places are returned at most."""
    language: str | None = None
    """Only files in this language: its name or a file ending."""
    path_globs: tuple[str, ...] = ()
    """Only files that match one of these; ``!pattern`` leaves files out."""
    location: str | None = None
    """Path of the file that the asker is in: files near it rank a little higher."""
    only_places: bool = False
    """Whether ``candidates``, ``more`` and ``explain`` are of no interest: they are empty then."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Ranked places, and how they came to be."""

    question: Question
    candidates: tuple[Candidate, ...]
    """The best files: one place a file, then further places of the same files if there is room."""
    places: tuple[Candidate, ...]
    """The best places wherever they are, as many of one file as are good."""
    more: Mapping[str, tuple[Candidate, ...]]
    """By path: further good places in the first files of ``candidates``, best first."""
    explain: Mapping[str, Mapping[str, float]]
    """By path: what each signal added to the score, and the ``factor`` it was multiplied by."""
    explain_places: tuple[Mapping[str, float], ...]
    """For each of ``places``: what each signal added to the logarithm of its score."""
    searched: int
    """How many files were searched."""
    matched: int
    """How many files could be an answer; those below the cut are not in ``candidates``."""
    unknown: tuple[str, ...] = ()
    """Words of the query that are nowhere in the code base, in no form."""
    names_files: bool = False
    """Whether the query is a path or a file name: ``places`` is what these files define."""

    @property
    def files(self) -> tuple[str, ...]:
        """Return the paths of the candidates, each once, best first."""
        return tuple(dict.fromkeys(candidate.path for candidate in self.candidates))


_DEFAULT_OPTIONS = SearchOptions()
_OWN_FOLDERS: PerGeneration[frozenset[str]] = PerGeneration()


def search(index: CodeIndex, query: str, options: SearchOptions = _DEFAULT_OPTIONS) -> SearchResult:
    """Return the places that answer a query best; no file is read.

    A query that is a path or a file name returns that file's definitions, in order. Otherwise a
    file in which nothing stands is no answer, whatever it is called. A query in which nothing can
    be searched for returns no candidates, and ``question.empty`` says so.

    Args:
        index: The index as it is now.
        query: A question, an identifier, a path or a file name.
        options: What may be found.
    """
    with index.view() as view:
        return search_view(view, query, options)


def search_view(
    view: IndexView,
    query: str,
    options: SearchOptions = _DEFAULT_OPTIONS,
    scorer: Scorer | None = None,
) -> SearchResult:
    """Return what ``search`` returns, for one state of the index.

    Args:
        view: The state.
        query: As for ``search``.
        options: What may be found.
        scorer: Of this view, with what it has read already; by default a new one.
    """
    files = view.file_table()
    question = _asked(query, view)
    allowed = allowed_files(files, options.language, options.path_globs)
    searched = len(files) if allowed is None else int(allowed.sum())
    bare = query.strip().strip("`'\"")
    paths = question.keywords.paths or ((bare,) if "." in bare else ())
    named = [
        file_idx for file_idx in files_named(files, paths) if allowed is None or allowed[file_idx]
    ]
    if named and (is_path(bare) or not question.keywords.paths):
        candidates = skim(view, [files.paths[i] for i in named], options.top_k)
        return SearchResult(
            question, candidates, candidates, {}, {}, ({},) * len(candidates), searched, len(named),
            names_files=True,
        )  # fmt: skip
    if question.empty or not len(files):
        return SearchResult(question, (), (), {}, {}, (), searched, 0)
    chosen = Filter(allowed, options.location, frozenset(named))
    scorer = scorer or Scorer.of(view)
    concepts = concepts_of(question)
    written = definitions_for(view, question)
    definitions = rank_definitions(scorer, question, concepts, written, chosen)
    definitions = _in_order_of_kind(definitions, scorer, question, concepts)
    found = candidates_for(scorer, question, written, files, chosen)
    by_topic = question.kind == "topic"
    shown: list[RankedFile] = []
    if not options.only_places or by_topic or len(definitions) < options.top_k:
        signals = signals_for(scorer, question, found, files, chosen)
        shown = _shown(rank(signals, question, files, scorer.chunks), scorer, options.top_k)
    by_file = _by_file(view, shown, Places(scorer, question, found), options)
    teller = DefinitionsAsPlaces(scorer, question, concepts)
    in_order = teller.by_file if by_topic else teller.in_order
    places = in_order(definitions, by_file, options.top_k)
    return SearchResult(
        question=question,
        candidates=() if options.only_places else _files_first(by_file, options.top_k),
        places=tuple(place for place, _ in places),
        more={path: places[1:] for path, places in by_file.items() if len(places) > 1},
        explain={} if options.only_places else {file.path: explained(file) for file in shown},
        explain_places=tuple(parts for _, parts in places),
        searched=searched,
        matched=int(scorer.filled[found.files].sum()),
        unknown=unknown_words(question, scorer, files.paths),
    )


def _shown(ranked: list[RankedFile], scorer: Scorer, top_k: int) -> list[RankedFile]:
    """Return the best of the ranked files in which anything stands."""
    filled = [file for file in ranked if scorer.filled[file.file_idx]]
    return [file for file in filled[:top_k] if file.score > 0]


def _asked(query: str, view: IndexView) -> Question:
    """Return a query taken apart, as one that is asked of this code base."""

    def folders() -> frozenset[str]:
        return _OWN_FOLDERS.get(view.generation, lambda: own_folders(view.all_paths()))

    return without_project_name(read_question(query), folders)


def _in_order_of_kind(
    definitions: list[RankedDefinition],
    scorer: Scorer,
    question: Question,
    concepts: Sequence[Concept],
) -> list[RankedDefinition]:
    """Return definitions in the order that suits what kind of question it is."""
    if question.kind == "extend":
        table = definition_table(scorer.view, question.asked_for)
        return bases_first(definitions, scorer, table, concepts)
    if question.kind in ("how", "where", "flow"):
        return members_first(definitions)
    return definitions


def _by_file(
    view: IndexView, ranked: list[RankedFile], places: Places, options: SearchOptions
) -> dict[str, tuple[Candidate, ...]]:
    """Return the best files with their places, both best first."""
    view.expect(file.file_idx for file in ranked)
    n_with_more = 0 if options.only_places else weights.FILES_WITH_MORE
    return {
        file.path: places.in_file(file, weights.CHUNKS_PER_FILE if place < n_with_more else 1)
        for place, file in enumerate(ranked)
    }


def _files_first(found: Mapping[str, tuple[Candidate, ...]], top_k: int) -> tuple[Candidate, ...]:
    """Return the best place of each file, then the others."""
    firsts = [places[0] for places in found.values()]
    rest = [place for places in found.values() for place in places[1:]]
    return tuple([*firsts, *rest][:top_k])
