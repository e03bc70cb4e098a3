"""How well every definition answers a question: by its words, its name, and what is around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analysis.index.kept import Kept
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
# So much of all is few enough to be sorted rather than marked.
_FEW = 16
# Columns of what one word is worth to a chunk.
_WORDS, _COVERAGE, _NAME, _AROUND_NAME, _COMMENT = range(5)
_N_COLUMNS = 5
# Of a word some hundred places are kept, so all of them take some megabytes at most.
_MOST_KEPT = 3_000
# A question's own words have many places, of some 30 bytes: 3 MB are kept.
_POSTINGS_KEPT = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class DefinitionScores:
    """By definition; each is a share of what the whole question weighs, 0 to about 1."""

    words: NDArray[np.float32]
    """BM25F over all its text."""
    name: NDArray[np.float32]
    """What of the question stands in its own name."""
    whole_name: NDArray[np.float32]
    """What share of the words of its name stand in the question, each as much as it is about it."""
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
    definitions: NDArray[np.int32]
    """Numbers of the definitions that these are of, in order."""
    values: NDArray[np.float32]
    """One row for each of the columns above, a value a definition: the best of its chunks."""
    idf: float


def score_definitions(
    scorer: Scorer,
    table: DefinitionTable,
    concepts: Sequence[Concept],
    rarity: Mapping[str, float] | None = None,
) -> DefinitionScores:
    """Return how well each definition matches the concepts of a question.

    Several words for a concept count as the best of them, not as their sum; several chunks of a
    definition count as one text.

    Args:
        scorer: Of the code base.
        table: Its definitions.
        concepts: What the question speaks of.
        rarity: How rare each word is in all code bases whose definitions are compared; by default
            in this one.
    """
    import numpy as np

    words = _words(scorer, table, concepts)
    if rarity is not None:
        words = {t: replace(word, idf=rarity.get(t, 0.0)) for t, word in words.items()}
    sums = np.zeros((_N_COLUMNS, len(table)), np.float32)
    named = np.zeros(len(table), np.float32)
    breadth = np.zeros(len(table), np.float32)
    total, n_topics = 0.0, 0
    for concept in concepts:
        most = max(surety * words[term].idf for term, surety in concept.terms.items())
        if not most:
            continue
        total += concept.weight * most
        spoken = {term: word for term in concept.terms if len((word := words[term]).definitions)}
        rows, at = _spoken_of_in(spoken, len(table))
        best = np.zeros((_N_COLUMNS, len(rows)), np.float32)
        for term, word in spoken.items():
            worth = np.float32(concept.terms[term] * word.idf)
            there = at[term]
            best[:, there] = np.maximum(best.take(there, axis=1), worth * word.values)
        best *= np.float32(concept.weight)
        for column, weighted in zip(sums, best, strict=True):
            column[rows] += weighted
        named[rows] += _named_by(concept, spoken, at, table.own_words.take(rows) == 1)
        if concept.weight > weights.ASKING_WEIGHT:
            n_topics += 1
            breadth[rows] += best[_COVERAGE] > 0
    sums *= np.float32(1 / (total or 1.0))
    return DefinitionScores(
        words=sums[_WORDS],
        name=sums[_NAME],
        whole_name=np.minimum(named / np.maximum(table.own_words, 1), 1).astype(np.float32),
        around=sums[_AROUND_NAME],
        coverage=sums[_COVERAGE],
        comment=sums[_COMMENT],
        breadth=breadth / np.float32(n_topics or 1),
    )


def _spoken_of_in(
    spoken: Mapping[str, _Word], n_definitions: int
) -> tuple[NDArray[np.int32], dict[str, NDArray[np.int32]]]:
    """Return the definitions that have any of some words, and where those of each are in these."""
    import numpy as np

    if len(spoken) == 1:
        ((term, word),) = spoken.items()
        return word.definitions, {term: np.arange(len(word.definitions), dtype=np.int32)}
    rows = np.concatenate([np.empty(0, np.int32), *(word.definitions for word in spoken.values())])
    if len(rows) < n_definitions // _FEW:
        rows.sort()
        rows = rows[np.diff(rows, prepend=-1) != 0]
    else:
        is_spoken_of = np.zeros(n_definitions, np.bool_)
        is_spoken_of[rows] = True
        rows = np.flatnonzero(is_spoken_of).astype(np.int32)
    place = np.empty(n_definitions, np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    return rows, {term: place.take(word.definitions) for term, word in spoken.items()}


def _named_by(
    concept: Concept,
    spoken: Mapping[str, _Word],
    at: Mapping[str, NDArray[np.int32]],
    is_one_word: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """Return how much of a concept the names of some definitions hold.

    What only qualifies the topic ("for a request") is hardly what a name is about, and a name of
    one word that only may mean it says half as much: it fits many things.
    """
    import numpy as np

    found = np.zeros(len(is_one_word), np.float32)
    meant = np.zeros(len(is_one_word), np.bool_)
    for term, word in spoken.items():
        if word.idf:
            named = at[term][word.values[_NAME] > 0]
            found[named] = 1
            if concept.terms[term] > weights.SYNONYM_WEIGHT:
                meant[named] = True
    found[(found > 0) & is_one_word & ~meant] = weights.SYNONYM_WEIGHT
    return found * np.float32(min(1.0, concept.weight))


@dataclass(frozen=True, slots=True)
class Told:
    """Something that a question speaks of and a place tells of."""

    said: str
    """As the question says it."""
    term: str | None
    """Stem of the word that the place has for it; None if it is the question's own."""


def told_in(
    scorer: Scorer,
    table: DefinitionTable,
    concepts: Sequence[Concept],
    places: Sequence[tuple[range, frozenset[str]]],
) -> list[list[Told]]:
    """Return what some places tell of a question: its own words, and others in their names.

    Args:
        scorer: It has read the words.
        table: The definitions.
        concepts: What the question speaks of.
        places: The chunks of each, and the stems of the words of its own name. In any other place
            another word says little: most words have several meanings.
    """
    import numpy as np

    chunks = np.array([(where.start, where.stop) for where, _ in places], np.int32)
    starts, stops = chunks.reshape(-1, 2).T.copy()
    found: list[list[Told]] = [[] for _ in places]
    for concept in concepts:
        is_said = np.zeros(len(places), np.bool_)
        for term, surety in concept.terms.items():
            if surety >= weights.SURE_WORD:
                is_said |= _stand(scorer.postings(term).chunk_idx, starts, stops)
        for told, (where, name), said in zip(found, places, is_said.tolist(), strict=True):
            if said:
                told.append(Told(concept.said, None))
            elif not name.isdisjoint(concept.terms):
                other = _other_word(table, concept, where)
                if other is not None:
                    told.append(Told(concept.said, other))
    return found


def _stand(
    chunks: NDArray[np.int32], starts: NDArray[np.int32], stops: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """Return which places hold one of some chunks, which are in order."""
    import numpy as np

    if not len(chunks):
        return np.zeros(len(starts), np.bool_)
    following = chunks.searchsorted(starts)
    is_there = following < len(chunks)
    return is_there & (chunks[np.where(is_there, following, 0)] < stops)


def _other_word(table: DefinitionTable, concept: Concept, chunks: range) -> str | None:
    """Return the other word for a concept that says most in some chunks; None for none."""
    kept = _shared_words(table).words
    numbers = range(int(table.number_of[chunks[0]]), int(table.number_of[chunks[-1]]) + 1)
    found = [
        (surety * kept[term].idf, term)
        for term, surety in concept.terms.items()
        if term in kept and _stands(kept[term].at, numbers)
    ]
    return max(found)[1] if found else None


def _stands(chunks: NDArray[np.int32], wanted: range) -> bool:
    """Return whether one of the wanted chunks is among some chunks in order."""
    position = int(chunks.searchsorted(wanted.start))
    return position < len(chunks) and int(chunks[position]) < wanted.stop


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
    of_questions = _shared_words(table).of_questions
    for term in sure:
        word = of_questions.get(term)
        if word is None:
            word = _word(scorer, table, term, scorer.postings(term), weights.PLACE_FIELDS)
            of_questions.keep(term, word, len(word.at))
        found[term] = word
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

    at = table.number_of.take(found.chunk_idx)
    known = at >= 0
    in_body, name, in_path, in_comments = found.counts[known].T.copy()
    at = at[known]
    norms = table.norms.take(at, axis=0).T
    body, own, around, path, comments = map(np.float32, fields)
    by_name = np.array([0, around, own], np.float32)
    tf = by_name.take(name) * norms[NAME]
    tf += path * in_path * norms[PATH]
    tf += comments * in_comments * norms[COMMENTS]
    if body:
        tf += body * in_body * norms[0]
    values = np.empty((_N_COLUMNS, len(at)), np.float32)
    values[_WORDS] = tf * np.float32(weights.K1 + 1) / (tf + np.float32(weights.K1))
    values[_COVERAGE] = 1
    values[_NAME] = name == _OWN
    values[_AROUND_NAME] = name == _AROUND
    values[_AROUND_NAME] += np.float32(0.5) * (in_path > 0)
    values[_COMMENT] = in_comments > 0
    definitions, values = _by_definition(table.of_chunk[at], values)
    return _Word(at, definitions, values, scorer.idf(term) if len(at) else 0.0)


def _by_definition(
    of_chunk: NDArray[np.int32], values: NDArray[np.float32]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return each definition once, with the best of what its chunks have."""
    import numpy as np

    if not len(of_chunk):
        return of_chunk, values
    steps = of_chunk[1:] - of_chunk[:-1]
    least = steps.min(initial=1)
    if least > 0:
        return of_chunk, values  # Each has one chunk, as most have.
    if least < 0:
        order = of_chunk.argsort(kind="stable")
        of_chunk, values = of_chunk[order], values.take(order, axis=1)
        steps = of_chunk[1:] - of_chunk[:-1]
    starts = np.append(0, np.flatnonzero(steps != 0) + 1)
    return of_chunk[starts], np.maximum.reduceat(values, starts, axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class _SharedWords:
    words: dict[str, _Word] = field(default_factory=dict)
    """Other words than those of questions, where they name or explain something."""
    of_questions: Kept[str, _Word] = field(default_factory=lambda: Kept(_POSTINGS_KEPT))
    """Words that questions said themselves, wherever they stand."""


_SHARED: PerGeneration[_SharedWords] = PerGeneration()


def _shared_words(table: DefinitionTable) -> _SharedWords:
    """Return what questions that use the same table share."""
    return _SHARED.get(table, _SharedWords)
