"""How well every definition answers a question: by its words, its name, and what is around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analysis.retrieval import weights
from analysis.retrieval.per_generation import PerGeneration
from analysis.retrieval.scoring import COMMENTS, NAME, PATH

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.index.view import Postings
    from analysis.retrieval.concepts import Concept
    from analysis.retrieval.definition_table import DefinitionTable
    from analysis.retrieval.scoring import Scorer

# What a chunk's name counts as: the name of what is around it, and its own.
_AROUND, _OWN = 1, 2
# Columns of what one word is worth to a chunk.
_WORDS, _COVERAGE, _NAME, _AROUND_NAME, _COMMENT = range(5)
_N_COLUMNS = 5
# Of a word some hundred places are kept, so all of them take some megabytes at most.
_MOST_KEPT = 3_000


@dataclass(frozen=True, slots=True, eq=False)
class DefinitionScores:
    """By definition; each is a share of what the whole question weighs, 0 to about 1."""

    words: NDArray[np.float32]
    """BM25F over all its text."""
    name: NDArray[np.float32]
    """What of the question stands in its own name."""
    whole_name: NDArray[np.float32]
    """What share of the words of its name stand in the question."""
    around: NDArray[np.float32]
    """What stands in the name of what encloses it, and half of that in its path."""
    coverage: NDArray[np.float32]
    """What is mentioned at all."""
    comment: NDArray[np.float32]
    """What stands in its comments and docstring."""
    breadth: NDArray[np.float32]
    """How many of the things that the question is about it speaks of, however rare they are."""


@dataclass(frozen=True, slots=True, eq=False)
class _Word:
    """Where a word counts, and for how much of its rarity."""

    at: NDArray[np.int32]
    """Numbers of chunks in the table of definitions."""
    values: NDArray[np.float32]
    """One row a chunk, in the columns above."""
    idf: float


def score_definitions(
    scorer: Scorer, table: DefinitionTable, concepts: Sequence[Concept]
) -> DefinitionScores:
    """Return how well each definition matches the concepts of a question.

    Several words for a concept count as the best of them, not as their sum; several chunks of a
    definition count as one text.
    """
    import numpy as np

    words = _words(scorer, table, concepts)
    sums = np.zeros((len(table.of_chunk), _N_COLUMNS), np.float32)
    joint = np.zeros((len(table.in_pieces), _N_COLUMNS), np.float32)
    named = np.zeros(len(table.of_chunk), np.uint8)
    total, n_topics = 0.0, 0
    spoken_of = np.zeros(len(table), np.float32)
    for concept in concepts:
        spoken = [(surety * words[term].idf, words[term]) for term, surety in concept.terms.items()]
        most = max(worth for worth, _ in spoken)
        if not most:
            continue
        total += concept.weight * most
        best = np.zeros_like(sums)
        for worth, word in spoken:
            best[word.at] = np.maximum(best[word.at], np.float32(worth) * word.values)
        best *= np.float32(concept.weight)
        sums += best
        named += best[:, _NAME] > 0
        if concept.weight > weights.ASKING_WEIGHT:
            n_topics += 1
            told = np.zeros(len(table), np.bool_)
            told[table.of_chunk[best[:, _COVERAGE] > 0]] = True
            spoken_of += told
        if len(joint):
            joint += np.maximum.reduceat(best[table.pieces], table.piece_starts)
    breadth = spoken_of / np.float32(n_topics or 1)
    return _by_definition(table, sums, joint, named, total or 1.0, breadth)


@dataclass(frozen=True, slots=True)
class Told:
    """Something that a question speaks of and a place tells of."""

    said: str
    """As the question says it."""
    term: str | None
    """Stem of the word that the place has for it; None if it is the question's own."""


def told_at(scorer: Scorer, table: DefinitionTable, concept: Concept, chunks: range) -> Told | None:
    """Return in which word some chunks tell of a concept; None if they do not."""
    kept = _shared_words(table).words
    for term, surety in concept.terms.items():
        if surety >= weights.SURE_WORD and _stands(scorer.postings(term).chunk_idx, chunks):
            return Told(concept.said, None)
    numbers = range(int(table.number_of[chunks[0]]), int(table.number_of[chunks[-1]]) + 1)
    found = [
        (surety * kept[term].idf, term)
        for term, surety in concept.terms.items()
        if term in kept and _stands(kept[term].at, numbers)
    ]
    return Told(concept.said, max(found)[1]) if found else None


def _stands(chunks: NDArray[np.int32], wanted: range) -> bool:
    """Return whether one of the wanted chunks is among some chunks in order."""
    position = int(chunks.searchsorted(wanted.start))
    return position < len(chunks) and int(chunks[position]) < wanted.stop


def _by_definition(
    table: DefinitionTable,
    sums: NDArray[np.float32],
    joint: NDArray[np.float32],
    named: NDArray[np.uint8],
    total: float,
    breadth: NDArray[np.float32],
) -> DefinitionScores:
    """Return the sums by chunk as shares of a total by definition."""
    import numpy as np

    scores = sums[table.heads]
    in_name = named[table.heads]
    if len(joint):
        scores[table.in_pieces] = joint
        in_name[table.in_pieces] = np.maximum.reduceat(named[table.pieces], table.piece_starts)
    scores *= np.float32(1 / total)
    return DefinitionScores(
        words=scores[:, _WORDS],
        name=scores[:, _NAME],
        whole_name=np.minimum(in_name / np.maximum(table.own_words, 1), 1).astype(np.float32),
        around=scores[:, _AROUND_NAME],
        coverage=scores[:, _COVERAGE],
        comment=scores[:, _COMMENT],
        breadth=breadth,
    )


def _words(scorer: Scorer, table: DefinitionTable, concepts: Sequence[Concept]) -> dict[str, _Word]:
    """Return all words of some concepts: the question's own, and others for the same things.

    The others tell something where things are named or explained. They come up in one question
    after the other, so they are kept.
    """
    sure = {
        term
        for concept in concepts
        for term, surety in concept.terms.items()
        if surety >= weights.SURE_WORD
    }
    kept = _shared_words(table).words
    others = dict.fromkeys(t for concept in concepts for t in concept.terms if t not in sure)
    missing = [term for term in others if term not in kept]
    scorer.read((*sure, *missing))
    if len(kept) + len(missing) > _MOST_KEPT:
        kept.clear()
        missing = list(others)
    for term in missing:
        kept[term] = _unsure(scorer, table, term)
    found = {term: kept[term] for term in others}
    for term in sure:
        found[term] = _word(scorer, table, term, scorer.postings(term), weights.PLACE_FIELDS)
    return found


def _unsure(scorer: Scorer, table: DefinitionTable, term: str) -> _Word:
    from analysis.index.view import Postings

    found = scorer.postings(term)
    told = (found.counts[:, NAME] > 0) | (found.counts[:, COMMENTS] > 0)
    kept = Postings(found.chunk_idx[told], found.counts[told])
    return _word(scorer, table, term, kept, weights.PLACE_FIELDS_UNSURE)


def _word(
    scorer: Scorer,
    table: DefinitionTable,
    term: str,
    found: Postings,
    fields: tuple[float, float, float, float, float],
) -> _Word:
    """Return where a term counts, its BM25F weight there, and in which fields; without its idf."""
    import numpy as np

    at = table.number_of[found.chunk_idx]
    known = at >= 0
    at, counts = at[known], found.counts[known]
    norms = table.norms[at]
    body, own, around, path, comments = map(np.float32, fields)
    by_name = np.array([0, around, own], np.float32)
    tf = by_name[counts[:, NAME]] * norms[:, NAME]
    tf += path * counts[:, PATH] * norms[:, PATH]
    tf += comments * counts[:, COMMENTS] * norms[:, COMMENTS]
    if body:
        tf += body * counts[:, 0] * norms[:, 0]
    values = np.empty((len(counts), _N_COLUMNS), np.float32)
    values[:, _WORDS] = tf * np.float32(weights.K1 + 1) / (tf + np.float32(weights.K1))
    values[:, _COVERAGE] = 1
    values[:, _NAME] = counts[:, NAME] == _OWN
    values[:, _AROUND_NAME] = counts[:, NAME] == _AROUND
    values[:, _AROUND_NAME] += np.float32(0.5) * (counts[:, PATH] > 0)
    values[:, _COMMENT] = counts[:, COMMENTS] > 0
    return _Word(at, values, scorer.idf(term) if len(at) else 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class _SharedWords:
    words: dict[str, _Word] = field(default_factory=dict)


_SHARED: PerGeneration[_SharedWords] = PerGeneration()


def _shared_words(table: DefinitionTable) -> _SharedWords:
    """Return what questions that use the same table share."""
    return _SHARED.get(table, _SharedWords)
