"""From scores to an order of definitions: what each signal adds, and which of them call others."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.parsing.words import terms_of_word
from analysis.retrieval import weights
from analysis.retrieval.definition_scoring import DefinitionScores, score_definitions
from analysis.retrieval.definition_table import DefinitionTable, definition_table
from analysis.retrieval.definition_traits import worth_of
from analysis.retrieval.file_roles import is_aside
from analysis.retrieval.ranking import Added
from analysis.retrieval.signals import Filter, nearness

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.retrieval.concepts import Concept
    from analysis.retrieval.definitions import Definition
    from analysis.retrieval.question import Question
    from analysis.retrieval.question_kind import QuestionKind
    from analysis.retrieval.scoring import Scorer

# Scores that differ by less are the same.
_DIGITS, _AS_GOOD = 4, 1e-4


@dataclass(frozen=True, slots=True)
class RankedDefinition:
    """A definition in its place, and why it is there."""

    number: int
    """In the table of definitions."""
    chunk_idx: int
    """The chunk in which it begins."""
    file_idx: int
    symbol: str | None
    kind: str
    score: float
    """How likely it is the place to begin with, as a share of 1 among all places looked at."""
    contributions: Mapping[str, float]
    """Signal -> what it added; only those that added something."""
    callees: tuple[int, ...] = ()
    """Numbers of definitions that it calls, as far as names tell, among those looked at."""

    @property
    def explained(self) -> Mapping[str, float]:
        """What each signal added, in short."""
        return {name: round(value, 3) for name, value in self.contributions.items()}


def rank_definitions(
    scorer: Scorer,
    question: Question,
    concepts: Sequence[Concept],
    written: Mapping[str, Definition],
    chosen: Filter,
) -> list[RankedDefinition]:
    """Return the definitions that answer a question best, best first.

    Args:
        scorer: Of the code base.
        question: What is asked.
        concepts: What it speaks of.
        written: By path: the definition whose name the question writes.
        chosen: Which files may be found.
    """
    import numpy as np

    table = definition_table(scorer.view, question.asked_for)
    scores = score_definitions(scorer, table, concepts)
    signals = _signals(scorer, table, scores, written) | _asked_at(scorer, table, chosen)
    total = sum((weights.PLACE_SIGNALS[name] * column for name, column in signals.items()),
                start=np.zeros(len(table), np.float32))  # fmt: skip
    total += table.standing + np.float32(weights.LENGTH_WEIGHTS[question.kind]) * table.length
    possible = (scores.words > 0) | (signals["definition"] > 0)
    if chosen.allowed is not None:
        possible &= chosen.allowed[table.file_idx]
    total = np.where(possible, total, -np.inf)
    named = _depended_on(table, question, possible, scores.whole_name, signals["definition"])
    if question.kind == "depends" and len(named):
        # One definition is what the others depend on; they need not be named like it.
        best = named[total[named] >= total[named].max() - _AS_GOOD].tolist()
        total[min(best, key=_order(scorer, table))] += np.float32(weights.DEPENDED_ON)
    pool = _pool(total, min(weights.POOL, int(possible.sum())))
    return _with_calls(scorer, table, pool, total, signals, question.kind)


def _depended_on(
    table: DefinitionTable,
    question: Question,
    possible: NDArray[np.bool_],
    whole_name: NDArray[np.float32],
    definition: NDArray[np.float32],
) -> NDArray[np.int64]:
    """Return the definitions that a question can mean by what others depend on.

    A name that is written as code is meant; words that are a name by chance are not.
    """
    import numpy as np

    is_written = definition > weights.CAPITALISED_WEIGHT
    if any("." in name for name in question.keywords.identifiers):
        of_written = (table.owner >= 0) & is_written[table.owner]
        members = np.flatnonzero(possible & of_written & (whole_name > 0))
        if len(members):
            return members
    written = np.flatnonzero(possible & is_written)
    return written if len(written) else np.flatnonzero(possible & (whole_name == 1))


def _pool(total: NDArray[np.float32], n: int) -> NDArray[np.int64]:
    """Return the best definitions, with those that are as good as the last of them."""
    import numpy as np

    if not n:
        return np.empty(0, np.int64)
    least = np.partition(total, len(total) - n)[len(total) - n]
    return np.flatnonzero(total >= least)[: weights.MOST_IN_POOL]


def _order(scorer: Scorer, table: DefinitionTable) -> Callable[[int], tuple[bool, str, int]]:
    """Return the order of definitions that are as good as each other: the code itself first.

    The numbers of definitions say nothing: they follow the order in which files were indexed.
    """
    paths = scorer.view.file_table().paths

    def key(number: int) -> tuple[bool, str, int]:
        path = paths[int(table.file_idx[number])]
        return is_aside(path), path, number

    return key


def _signals(
    scorer: Scorer,
    table: DefinitionTable,
    scores: DefinitionScores,
    written: Mapping[str, Definition],
) -> dict[str, NDArray[np.float32]]:
    """Return the signals by definition, before their weights."""
    import numpy as np

    # A file of many good definitions is a better place than one with the same best one.
    squares = np.square(scores.words * table.factors[table.file_idx])
    gathered = np.bincount(table.file_idx, squares * squares, len(table.factors)) ** 0.25
    gathered /= max(float(gathered.max(initial=0.0)), 1e-9)
    return {
        "words": scores.words,
        "name": scores.name,
        "whole name": scores.whole_name,
        "around": scores.around,
        "one word": scores.whole_name * (table.own_words == 1),
        "coverage": scores.coverage,
        "breadth": scores.breadth,
        "comment": scores.comment,
        "file": gathered[table.file_idx].astype(np.float32),
        "definition": _named(scorer, table, written),
    }


def _asked_at(
    scorer: Scorer, table: DefinitionTable, chosen: Filter
) -> dict[str, NDArray[np.float32]]:
    """Return by definition whether its file is named, and how close it is to the asker's."""
    import numpy as np

    paths = scorer.view.file_table().paths
    named = np.zeros(len(paths), np.float32)
    named[sorted(chosen.named_files)] = 1
    signals = {"named file": named[table.file_idx]}
    if chosen.location:
        near = np.array([nearness(path, chosen.location) for path in paths], np.float32)
        signals["near"] = near[table.file_idx]
    return signals


def _named(
    scorer: Scorer, table: DefinitionTable, definitions: Mapping[str, Definition]
) -> NDArray[np.float32]:
    """Return what each definition is worth as one whose name the question writes."""
    import numpy as np

    values = np.zeros(len(table), np.float32)
    known = scorer.view.file_table().index_of
    for path, found in definitions.items():
        file_idx = known[path]
        first = int(scorer.chunks.first_chunk[file_idx])
        n_chunks = int(scorer.chunks.n_chunks[file_idx])
        if n_chunks:
            ends = scorer.chunks.line_end[first : first + n_chunks]
            chunk = first + min(int(ends.searchsorted(found.row.info.name_line)), n_chunks - 1)
            number = int(table.number_of[chunk])
            if number >= 0:
                at = table.of_chunk[number]
                values[at] = max(values[at], found.value)
    return values


def _with_calls(
    scorer: Scorer,
    table: DefinitionTable,
    pool: NDArray[np.int64],
    total: NDArray[np.float32],
    signals: Mapping[str, NDArray[np.float32]],
    asked: QuestionKind,
) -> list[RankedDefinition]:
    """Return the best definitions in order, once it is known which of them call others of them."""
    import numpy as np

    scorer.view.expect(table.file_idx[pool].tolist())
    numbers = np.sort(pool)
    heads = table.chunk_idx[table.heads[numbers]].tolist()
    symbols = {
        number: scorer.view.chunk_symbol(head)
        for number, head in zip(numbers.tolist(), heads, strict=True)
    }
    callees = _callees(scorer, table, symbols, _best_of(pool, total))
    words = signals["words"]
    siblings = _siblings(table, pool, words)
    columns: dict[str, Sequence[float] | NDArray[np.float64]] = {
        name: weights.PLACE_SIGNALS[name] * column[numbers].astype(np.float64)
        for name, column in signals.items()
    }
    called = [callees.get(number, set()) for number in symbols]
    best = (max((float(words[callee]) for callee in some), default=0.0) for some in called)
    owners = table.owner[numbers].tolist()
    in_pool = {
        "calls": [weights.CALLEE_WEIGHT * value for value in best],
        "calls more": [weights.CALLEES_WEIGHT * math.log1p(len(some)) for some in called],
        "siblings": [weights.SIBLINGS_WEIGHT * math.log1p(siblings[owner]) for owner in owners],
        "name says": [worth_of(*symbol, asked) for symbol in symbols.values()],
    }
    columns |= in_pool
    added = map(sum, zip(*in_pool.values(), strict=True))
    scores = [one + more for one, more in zip(total[numbers].tolist(), added, strict=True)]
    order = _order(scorer, table)
    rows = list(enumerate(symbols))
    rows.sort(key=lambda row: (-round(scores[row[0]], _DIGITS), order(row[1])))
    highest = scores[rows[0][0]] if rows else 0.0
    shares = [math.exp(scores[row] - highest) for row, _ in rows]
    whole = sum(shares) or 1.0
    files = table.file_idx[numbers].tolist()
    return [
        RankedDefinition(
            number,
            heads[row],
            files[row],
            *symbols[number],
            share / whole,
            Added(columns, row),
            tuple(sorted(called[row])),
        )
        for (row, number), share in zip(rows, shares, strict=True)
    ]


def _siblings(
    table: DefinitionTable, pool: NDArray[np.int64], words: NDArray[np.float32]
) -> dict[int, float]:
    """Return by owner how well all that is in it and in the pool matches; 0 for no owner."""
    found = {-1: 0.0}
    for owner, worth in zip(table.owner[pool].tolist(), words[pool].tolist(), strict=True):
        if owner >= 0:
            found[owner] = found.get(owner, 0.0) + worth
    return found


def _best_of(pool: NDArray[np.int64], total: NDArray[np.float32]) -> list[int]:
    """Return the best of the definitions that are looked at."""
    found: list[int] = pool[(-total[pool]).argsort(kind="stable")].tolist()
    return found[: weights.MOST_CALLED]


def _callees(
    scorer: Scorer,
    table: DefinitionTable,
    symbols: Mapping[int, tuple[str | None, str]],
    called: Iterable[int],
) -> dict[int, set[int]]:
    """Return which of some definitions mention which of the best of them by name.

    Names of one word say little: half the code base has a ``get``.
    """
    import numpy as np

    terms: dict[str, list[int]] = {}
    for number in called:
        symbol, kind = symbols[number]
        parts = terms_of_word((symbol or "").rpartition(".")[2])
        if len(parts) > 1 and kind != "block":
            terms.setdefault(parts[-1], []).append(number)
    scorer.read(terms)
    is_asked = np.zeros(len(table), np.bool_)
    is_asked[list(symbols)] = True
    found: dict[int, set[int]] = {}
    for term, numbers in terms.items():
        postings = scorer.postings(term)
        if len(postings) > weights.MOST_CALLERS:
            continue
        at = table.number_of[postings.chunk_idx[postings.counts[:, 0] > 0]]
        mention = table.of_chunk[at[at >= 0]]
        for number in set(mention[is_asked[mention]].tolist()):
            others = {other for other in numbers if other != number}
            if others:
                found.setdefault(number, set()).update(others)
    return found
