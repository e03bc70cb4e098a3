"""How well each definition of some files fits the question's words, or words that say the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from analysis.parsing.stems import stem
from analysis.parsing.words import STOP_WORDS, terms_of_word
from analysis.retrieval.abbreviations import other_forms
from analysis.retrieval.question import Question

if TYPE_CHECKING:
    from analysis.index.code_index import CodeIndex

Key = tuple[str, str]
"""Path and qualified name of a definition."""

# A definition that is named after the question's words says it is about them; one that only
# mentions them often may be about anything.
_BY_NAME = 0.5
# Definitions in the best file keep their whole score, those in the last ones this part of it.
_WORST_FILE = 0.45
# Each further piece of a long definition adds this part of its own score.
_FURTHER_PIECE = 0.15
_OWNER_PART = 0.35
_SHORT = frozenset({"function", "method", "property", "class"})
# Names and questions choose between these freely: a command "gets executed" in ``invoke``.
_FAMILIES_TEXT = """
execute run invoke perform main;dispatch handle process;load read;store save persist write;
show display print echo;create make build;remove delete drop;resolve lookup match find;
validate verify;convert transform cast;combine merge;pick select choose;
start launch boot begin;stop shutdown close;fetch load get;follow redirect;
collect gather;cancel abort;encode serialize dump;decode deserialize parse;
refresh update;paint render draw
"""


def relevance(
    index: CodeIndex, question: Question, file_scores: Mapping[str, float]
) -> dict[Key, float]:
    """Return the score of the definitions in some files, between 0 and about 1.

    Args:
        index: The index as it is now.
        question: The question, taken apart.
        file_scores: How well each file fits; only these files are looked at.
    """
    from analysis.retrieval.scoring import Scorer

    best_file = max(file_scores.values(), default=0.0) or 1.0
    found: dict[Key, float] = {}
    with index.view() as view:
        scorer = Scorer.of(view)
        idf = {term: weight * scorer.idf(term) for term, weight in question.terms.items()}
        named_after = _Naming(idf, synonyms_of(question.terms)).of
        text = scorer.bm25f(question.terms)
        chunks, numbers = view.chunk_table(), view.file_table().index_of
        pieces = {}
        for path in file_scores.keys() & numbers.keys():
            first = int(chunks.first_chunk[numbers[path]])
            pieces[path] = range(first, first + int(chunks.n_chunks[numbers[path]]))
        most = max((float(text[piece].max()) for piece in _slices(pieces.values())), default=0) or 1
        for path, piece in pieces.items():
            part = file_scores[path] / best_file
            factor = _WORST_FILE + (1 - _WORST_FILE) * min(1.0, part)
            for chunk_idx in piece:
                symbol, _ = view.chunk_symbol(chunk_idx)
                words = (1 - _BY_NAME) * float(text[chunk_idx]) / most
                score = factor * (words + _BY_NAME * named_after(symbol or ""))
                if symbol and score > 0:
                    known = found.get((path, symbol), 0.0)
                    more = max(known, score) + _FURTHER_PIECE * min(known, score)
                    found[path, symbol] = min(1.0, more)
            for row in view.symbols_in(path):
                # A definition of a line or two has no piece of its own; its name speaks for it.
                name = row.info.qualified_name
                if row.info.kind in _SHORT and (path, name) not in found:
                    score = factor * _BY_NAME * named_after(name)
                    if score > 0:
                        found[path, name] = score
    return found


class _Naming:
    """How much of a question names hold; most names and owners are asked about several times."""

    def __init__(self, weights: Mapping[str, float], synonyms: Mapping[str, str]) -> None:
        self._weights = weights
        self._synonyms = synonyms
        self._total = sum(weights.values())
        self._known: dict[str, float] = {}
        self._owners: dict[str, frozenset[str]] = {}

    def of(self, symbol: str) -> float:
        """Return how much of the question a name holds, and how little else, from 0 to 1.

        What only the class is named after says less of each of its methods.
        """
        known = self._known.get(symbol)
        if known is None:
            known = self._known[symbol] = self._found(symbol)
        return known

    def _found(self, symbol: str) -> float:
        weights, synonyms = self._weights, self._synonyms
        owner, _, name = symbol.rpartition(".")
        # The whole of a name is a term of it only if the question holds it.
        terms = telling_terms(name) | (set(terms_of_word(name)) & weights.keys())
        own = {synonyms.get(term, term) for term in terms}
        if not own or not self._total:
            return 0.0
        around = self._owners.get(owner)
        if around is None:
            around = self._owners[owner] = terms_of_name(owner, synonyms)
        held = sum(weights.get(term, 0.0) for term in own)
        held += _OWNER_PART * sum(weights.get(term, 0.0) for term in around - own)
        precision = len(own & weights.keys()) / len(own)
        precision = max(precision, _OWNER_PART if around & weights.keys() else 0.0)
        recall = min(1.0, held / self._total)
        return 2 * precision * recall / (precision + recall) if recall else 0.0


@lru_cache(maxsize=16_384)
def telling_terms(name: str) -> frozenset[str]:
    """Return the terms of a plain name: not the whole of it again, and no words like "as"."""
    terms = frozenset(terms_of_word(name))
    whole = name.replace("_", "").lower()
    return terms - (
        {term for term in terms if term in STOP_WORDS} | ({whole} if len(terms) > 1 else set())
    )


def terms_of_name(name: str, synonyms: Mapping[str, str]) -> frozenset[str]:
    """Return the stems in a qualified name, in the question's own words where they are synonyms."""
    terms = (term for part in name.split(".") for term in terms_of_word(part))
    return frozenset(synonyms.get(term, term) for term in terms)


def _slices(ranges: Iterable[range]) -> list[slice]:
    return [slice(piece.start, piece.stop) for piece in ranges if len(piece)]


@cache
def _families() -> Mapping[str, frozenset[str]]:
    """Return stem -> the stems of its families, without itself."""
    found: dict[str, set[str]] = {}
    for family in _FAMILIES_TEXT.replace("\n", "").split(";"):
        stems = {stem(word) for word in family.split()}
        for one in stems:
            found.setdefault(one, set()).update(stems - {one})
    return {one: frozenset(others) for one, others in found.items()}


def synonyms_of(terms: Iterable[str]) -> dict[str, str]:
    """Return for stems that say the same as a term of the question that term.

    >>> synonyms_of(["configur", "execut"])["config"], synonyms_of(["configur", "execut"])["invok"]
    ('configur', 'execut')
    """
    asked = list(terms)
    synonyms: dict[str, str] = {}
    for others in (other_forms, lambda term: _families().get(term, frozenset())):
        for term in asked:
            for other in others(term):
                synonyms.setdefault(other, term)
    return {other: term for other, term in synonyms.items() if other not in asked}
