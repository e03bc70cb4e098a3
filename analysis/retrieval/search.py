"""From a question to ranked places in the code: the one entry point of retrieval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from analysis.models import Candidate
from analysis.parsing.code_words import is_path
from analysis.parsing.stems import stem
from analysis.parsing.words import terms_of_word
from analysis.retrieval import weights
from analysis.retrieval.places import Places
from analysis.retrieval.question import Question, read_question
from analysis.retrieval.ranking import RankedFile, rank
from analysis.retrieval.reasons import explained
from analysis.retrieval.scoring import Scorer
from analysis.retrieval.selection import allowed_files, files_named
from analysis.retrieval.signals import Filter, signals_for
from analysis.retrieval.skim import skim

if TYPE_CHECKING:
    from analysis.index.code_index import CodeIndex
    from analysis.index.view import IndexView


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


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Ranked places, and how they came to be."""

    question: Question
    candidates: tuple[Candidate, ...]
    """Best first: one place a file, then further places of the same files if there is room."""
    more: Mapping[str, tuple[Candidate, ...]]
    """By path: further good places in the first files of ``candidates``, best first."""
    explain: Mapping[str, Mapping[str, float]]
    """By path: what each signal added to the score, and the ``factor`` it was multiplied by."""
    searched: int
    """How many files were searched."""
    matched: int
    """How many files could be an answer; those below the cut are not in ``candidates``."""
    unknown: tuple[str, ...] = ()
    """Words of the query that are nowhere in the code base, in no form."""

    @property
    def files(self) -> tuple[str, ...]:
        """Return the paths of the candidates, each once, best first."""
        return tuple(dict.fromkeys(candidate.path for candidate in self.candidates))


_DEFAULT_OPTIONS = SearchOptions()


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
    view: IndexView, query: str, options: SearchOptions = _DEFAULT_OPTIONS
) -> SearchResult:
    """Return what ``search`` returns, for one state of the index."""
    question = read_question(query)
    files = view.file_table()
    allowed = allowed_files(files, options.language, options.path_globs)
    searched = len(files) if allowed is None else int(allowed.sum())
    bare = query.strip().strip("`'\"")
    paths = question.keywords.paths or ((bare,) if "." in bare else ())
    named = [
        file_idx for file_idx in files_named(files, paths) if allowed is None or allowed[file_idx]
    ]
    if named and (is_path(bare) or not question.keywords.paths):
        candidates = skim(view, [files.paths[i] for i in named], options.top_k)
        return SearchResult(question, candidates, {}, {}, searched, len(named))
    if question.empty or not len(files):
        return SearchResult(question, (), {}, {}, searched, 0)
    chosen = Filter(allowed, options.location, frozenset(named))
    scorer = Scorer.of(view)
    signals = signals_for(scorer, question, files, chosen)
    ranked = [
        file
        for file in rank(signals, question, files, scorer.chunks)
        if scorer.filled[file.file_idx]
    ]
    places = Places(scorer, question, signals)
    found = _result(question, ranked, places, options.top_k, searched)
    return replace(found, unknown=_unknown(question, scorer, files.paths))


def _unknown(question: Question, scorer: Scorer, paths: Sequence[str]) -> tuple[str, ...]:
    """Return the words that no text, path or compound of the code base holds."""
    missing = [
        word
        for word in question.keywords.words
        if (terms := terms_of_word(word)) and not any(len(scorer.postings(t)) for t in terms)
    ]
    if not missing:
        return ()
    compounds = [*question.terms, *map(stem, question.joined)]
    found = [term for term in compounds if len(scorer.postings(term))]
    known = "\n".join([*found, *paths]).lower()
    return tuple(word for word in missing if stem(word) not in known)


def _result(
    question: Question, ranked: list[RankedFile], places: Places, top_k: int, searched: int
) -> SearchResult:
    """Return the best files with their places."""
    best = [file for file in ranked[:top_k] if file.score > 0]
    by_path = {
        file.path: places.in_file(
            file, weights.CHUNKS_PER_FILE if place < weights.FILES_WITH_MORE else 1
        )
        for place, file in enumerate(best)
    }
    firsts = [found[0] for found in by_path.values()]
    more = {path: found[1:] for path, found in by_path.items() if len(found) > 1}
    rest = [candidate for found in more.values() for candidate in found]
    return SearchResult(
        question=question,
        candidates=tuple([*firsts, *rest][:top_k]),
        more=more,
        explain={file.path: explained(file) for file in best},
        searched=searched,
        matched=len(ranked),
    )
