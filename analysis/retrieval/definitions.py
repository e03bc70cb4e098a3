"""Definitions whose exact name a question writes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.parsing.words import split_identifier
from analysis.retrieval import weights
from analysis.retrieval.file_kinds import factor_of, is_output, kinds_of

if TYPE_CHECKING:
    from analysis.index.symbols import SymbolRow
    from analysis.index.view import IndexView
    from analysis.retrieval.question import Question


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition of a name in the question, and what it is worth."""

    row: SymbolRow
    value: float


def definitions_for(view: IndexView, question: Question) -> dict[str, Definition]:
    """Return the best definition of a name in the question, by path."""
    best: dict[str, Definition] = {}
    for name, surety in question.names.items():
        rows = list(_rows(view, name))
        shared = math.sqrt(_number_of_homes({row.path for row, _ in rows}, view))
        for row, worth in rows:
            value = surety * worth * _value(row, name) / shared
            known = best.get(row.path)
            if known is None or value > known.value:
                best[row.path] = Definition(row, value)
    return best


def _number_of_homes(paths: set[str], view: IndexView) -> float:
    """Return how many files define a name, those that stand back counted by their factor.

    A class is no less defined in its source for being declared in build output and fakes too.
    """
    known = view.file_table().index_of
    total = 0.0
    for path in paths:
        kinds = kinds_of(path) + (("output",) if is_output(path, known) else ())
        total += factor_of(kinds, ())
    return max(total, 1.0)


def _rows(view: IndexView, name: str) -> Iterator[tuple[SymbolRow, float]]:
    """Yield definitions of a name, plain or with a sigil."""
    for row in view.symbols_named(name):
        yield row, 1.0
    if name[:1] not in "_$":
        for sigil in weights.SIGILS:
            for row in view.symbols_named(sigil + name):
                yield row, weights.SIGIL_WEIGHT


def _value(row: SymbolRow, name: str) -> float:
    """Return how likely a definition is the one that is meant."""
    value = weights.KIND_WEIGHTS.get(row.info.kind, weights.OTHER_KIND_WEIGHT)
    if row.parent is not None:
        value *= weights.NESTED_WEIGHT
    stem = row.path.rsplit("/", 1)[-1].split(".")[0]
    named = stem.lower() == name.lower()
    if named or set(split_identifier(name)) & set(split_identifier(stem)):
        value *= weights.NAMED_AFTER
    return value
