"""How well every definition answers a question: by its words, its name, and what is around it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analysis.index.kept import Kept
from analysis.retrieval import weights
from analysis.retrieval.per_generation import PerGeneration
from analysis.retrieval.scoring import COMMENTS, NAME, PATH

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    """A row a definition, with a value for each of the columns above: the best of its chunks."""
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
    sums = np.zeros((len(table), _N_COLUMNS), np.float32)
    named = np.zeros(len(table), np.float32)
    breadth = np.zeros(len(table), np.float32)
    total, n_topics = 0.0, 0
    for concept in concepts:
        most = max(surety * words[term].idf for term, surety in concept.terms.items())
        if not most:
            continue
        total += concept.weight * most
        spoken = {term: word for term in concept.terms if len((word := words[term]).definitions)}
        rows, at = _spoken_of_in(list(spoken.values()), len(table))
        best = _best_of(concept, spoken, at, len(rows))
        named[rows] += _named_by(concept, spoken, at, best, table.own_words.take(rows) == 1)
        best *= np.float32(concept.weight)
        sums[rows] += best
        if concept.weight > weights.ASKING_WEIGHT:
            n_topics += 1
            breadth[rows] += best[:, _COVERAGE] > 0
    columns = sums.T * np.float32(1 / (total or 1.0))
    return DefinitionScores(
        words=columns[_WORDS],
        name=columns[_NAME],
        whole_name=np.minimum(named / np.maximum(table.own_words, 1), 1).astype(np.float32),
        around=columns[_AROUND_NAME],
        coverage=columns[_COVERAGE],
        comment=columns[_COMMENT],
        breadth=breadth / np.float32(n_topics or 1),
    )


def _spoken_of_in(
    spoken: Sequence[_Word], n_definitions: int
) -> tuple[NDArray[np.int32], list[NDArray[np.int32]]]:
    """Return the definitions that have any of some words, and where those of each are in these."""
    import numpy as np

    if len(spoken) == 1:
        rows = spoken[0].definitions
        return rows, [np.arange(len(rows), dtype=np.int32)]
    rows = np.concatenate([np.empty(0, np.int32), *(word.definitions for word in spoken)])
    place = np.empty(n_definitions, np.int32)
    if len(rows) < n_definitions // _FEW:
        rows.sort()
        rows = rows[np.diff(rows, prepend=-1) != 0]
    else:
        is_spoken_of = np.zeros(n_definitions, np.bool_)
        is_spoken_of[rows] = True
        rows = np.flatnonzero(is_spoken_of).astype(np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    return rows, [place.take(word.definitions) for word in spoken]


def _best_of(
    concept: Concept,
    spoken: Mapping[str, _Word],
    at: Sequence[NDArray[np.int32]],
    n_rows: int,
) -> NDArray[np.float32]:
    """Return the best of what the words for a concept are worth, by definition and column."""
    import numpy as np

    best = np.zeros((n_rows, _N_COLUMNS), np.float32)
    is_first = True
    for (term, word), there in zip(spoken.items(), at, strict=True):
        worth = np.float32(concept.terms[term] * word.idf) * word.values
        best[there] = worth if is_first else np.maximum(best.take(there, axis=0), worth)
        is_first = False
    return best


def _named_by(
    concept: Concept,
    spoken: Mapping[str, _Word],
    at: Sequence[NDArray[np.int32]],
    best: NDArray[np.float32],
    is_one_word: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """Return how much of a concept the names of some definitions hold.

    What only qualifies the topic ("for a request") is hardly what a name is about, and a name of
    one word that only may mean it says half as much: it fits many things.
    """
    import numpy as np

    is_named = best[:, _NAME] > 0
    may_mean = is_named & is_one_word
    for (term, word), there in zip(spoken.items(), at, strict=True):
        if word.idf and concept.terms[term] > weights.SYNONYM_WEIGHT:
            may_mean[there[word.values[:, _NAME] > 0]] = False
    found = is_named.astype(np.float32)
    found[may_mean] = weights.SYNONYM_WEIGHT
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
    kept = _shared_words(table).words
    for concept in concepts:
        is_said = np.zeros(len(places), np.bool_)
        for term, surety in concept.terms.items():
            if surety >= weights.SURE_WORD:
                is_said |= _stand(scorer.postings(term).chunk_idx, starts, stops)
        for told, (where, name), said in zip(found, places, is_said.tolist(), strict=True):
            if said:
                told.append(Told(concept.said, None))
            elif not name.isdisjoint(concept.terms):
                other = _other_word(kept, table, concept, where)
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


def _other_word(
    kept: Mapping[str, _Word], table: DefinitionTable, concept: Concept, chunks: range
) -> str | None:
    """Return the other word for a concept that says most in some chunks; None for none."""
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
    kept.update(_weighed(scorer, table, missing, weights.PLACE_FIELDS_UNSURE))
    found = {term: kept[term] for term in others}
    of_questions = _shared_words(table).of_questions
    known = {term: word for term in sure if (word := of_questions.get(term)) is not None}
    for term, word in _weighed(scorer, table, sure - known.keys(), weights.PLACE_FIELDS):
        of_questions.keep(term, word, len(word.at))
        found[term] = word
    return found | known


def _weighed(
    scorer: Scorer,
    table: DefinitionTable,
    terms: Collection[str],
    fields: tuple[float, float, float, float, float],
) -> Iterator[tuple[str, _Word]]:
    """Yield where each of some terms counts, and for how much; all are worked out together.

    One whose body is worth nothing counts where something is named or explained.
    """
    import numpy as np

    if not terms:
        return
    postings = [scorer.postings(term) for term in terms]
    sizes = [len(one) for one in postings]
    counts = np.concatenate([one.counts for one in postings])
    at = table.number_of.take(np.concatenate([one.chunk_idx for one in postings]))
    known = at >= 0
    if not fields[0]:
        known &= (counts[:, NAME] > 0) | (counts[:, COMMENTS] > 0)
    owner = np.repeat(np.arange(len(sizes)), sizes)[known]
    at = at[known]
    keys, values = _by_definition(
        owner * len(table) + table.of_chunk[at], _values(counts[known], table.norms[at], fields)
    )
    ends = np.cumsum(np.bincount(owner, minlength=len(sizes))).tolist()
    of_term, definitions = np.divmod(keys, max(len(table), 1))
    definitions = definitions.astype(np.int32)
    stops = np.cumsum(np.bincount(of_term, minlength=len(sizes))).tolist()
    start = first = 0
    for term, end, stop in zip(terms, ends, stops, strict=True):
        idf = scorer.idf(term) if end > start else 0.0
        # Copies: what is kept of a term does not keep all the others.
        yield (
            term,
            _Word(
                at[start:end].copy(), definitions[first:stop].copy(), values[first:stop].copy(), idf
            ),
        )
        start, first = end, stop


def _values(
    counts: NDArray[np.uint8],
    norms: NDArray[np.float32],
    fields: tuple[float, float, float, float, float],
) -> NDArray[np.float32]:
    """Return what a term is worth in each of some chunks: its BM25F weight, and in which fields."""
    import numpy as np

    in_body, name, in_path, in_comments = counts.T.copy()
    norms = norms.T
    body, own, around, path, comments = map(np.float32, fields)
    by_name = np.array([0, around, own], np.float32)
    tf = by_name.take(name) * norms[NAME]
    tf += path * in_path * norms[PATH]
    tf += comments * in_comments * norms[COMMENTS]
    if body:
        tf += body * in_body * norms[0]
    values = np.empty((len(counts), _N_COLUMNS), np.float32)
    values[:, _WORDS] = tf * np.float32(weights.K1 + 1) / (tf + np.float32(weights.K1))
    values[:, _COVERAGE] = 1
    values[:, _NAME] = name == _OWN
    values[:, _AROUND_NAME] = (name == _AROUND) + np.float32(0.5) * (in_path > 0)
    values[:, _COMMENT] = in_comments > 0
    return values


def _by_definition(
    keys: NDArray[np.int64], values: NDArray[np.float32]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return each definition of each term once, with the best of what its chunks have."""
    import numpy as np

    if not len(keys):
        return keys, values
    steps = keys[1:] - keys[:-1]
    least = steps.min(initial=1)
    if least > 0:
        return keys, values  # Each has one chunk, as most have.
    if least < 0:
        order = keys.argsort(kind="stable")
        keys, values = keys[order], values.take(order, axis=0)
        steps = keys[1:] - keys[:-1]
    starts = np.append(0, np.flatnonzero(steps != 0) + 1)
    return keys[starts], np.maximum.reduceat(values, starts, axis=0)


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
