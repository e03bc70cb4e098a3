"""From signals to an order: weights, factors for kinds of files, and what each contributed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from analysis.retrieval import file_kinds, weights
from analysis.retrieval.per_generation import PerGeneration
from analysis.retrieval.question import Question
from analysis.retrieval.signals import Signals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.index.tables import ChunkTable, FileTable

# Chunk kinds of which a file must have one to be more than a list of what others hold.
_SUBSTANCE = frozenset({"function", "class", "method", "interface", "enum", "type"})
_BARREL_NAMES = ("__init__.py", "mod.rs", "lib.rs", "index.ts", "index.tsx", "index.js")


@dataclass(frozen=True, slots=True)
class RankedFile:
    """A file in its place, and why it is there."""

    file_idx: int
    path: str
    score: float
    contributions: Mapping[str, float]
    """Signal -> what it added, before the factor; only those that added something."""
    factor: float
    kinds: tuple[str, ...]
    """Kinds of file for which the score was cut; empty for plain source."""


def rank(
    signals: Signals, question: Question, files: FileTable, chunks: ChunkTable
) -> list[RankedFile]:
    """Return the candidates best first."""
    import numpy as np

    paths = [files.paths[i] for i in signals.files.tolist()]
    kinds = _kinds(paths, signals, question, files, chunks)
    by_kinds = {kind: file_kinds.factor_of(kind, question.asked_for) for kind in set(kinds)}
    factors = [by_kinds[kind] for kind in kinds]
    columns = {
        name: weight * signals.columns[name].astype(np.float64)
        for name, weight in weights.SIGNALS.items()
    }
    sums = np.zeros(len(paths))
    for column in columns.values():
        sums += np.maximum(column, 0)
    scores = (sums * np.array(factors)).tolist()
    order = sorted(range(len(paths)), key=lambda row: (-scores[row], paths[row]))
    file_idx = signals.files.tolist()
    return [
        RankedFile(
            file_idx[row], paths[row], scores[row], Added(columns, row), factors[row], kinds[row]
        )
        for row in order
    ]


class Added(Mapping[str, float]):
    """What each signal added to the score of one of some files or definitions, made if asked for.

    Args:
        columns: By signal what it adds to each.
        row: Of the one in these.
    """

    def __init__(
        self, columns: Mapping[str, Sequence[float] | NDArray[np.float64]], row: int
    ) -> None:
        self._columns = columns
        self._row = row

    @cached_property
    def _parts(self) -> dict[str, float]:
        parts = {name: float(column[self._row]) for name, column in self._columns.items()}
        return {name: value for name, value in parts.items() if value > 0}

    def __getitem__(self, name: str) -> float:
        return self._parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)


def _kinds(
    paths: list[str], signals: Signals, question: Question, files: FileTable, chunks: ChunkTable
) -> list[tuple[str, ...]]:
    """Return the kinds of each candidate that make it stand back."""
    older = _older(paths, files.index_of, question.versions)
    by_path = _BY_PATH.get(files, dict)
    result: list[tuple[str, ...]] = []
    for path, file_idx in zip(paths, signals.files.tolist(), strict=True):
        kinds = by_path.get(file_idx)
        if kinds is None:
            kinds = file_kinds.kinds_of(path)
            if "output" not in kinds and file_kinds.is_output(path, files.index_of):
                kinds = (*kinds, "output")
            by_path[file_idx] = kinds
        if path in older:
            kinds = (*kinds, "older")
        if path.endswith(_BARREL_NAMES) and not _has_substance(file_idx, chunks):
            kinds = (*kinds, "barrel")
        result.append(kinds)
    return result


_BY_PATH: PerGeneration[dict[int, tuple[str, ...]]] = PerGeneration()
"""By the table of files: what the paths of those files tell that were candidates before."""


def _older(paths: list[str], known: Collection[str], asked: frozenset[int]) -> set[str]:
    """Return files of older trees; of all other trees if the question names its version."""
    if not asked:
        return file_kinds.older_trees(paths, known)
    return {path for path in paths if (found := file_kinds.versions_in(path)) and not found & asked}


def _has_substance(file_idx: int, chunks: ChunkTable) -> bool:
    """Return whether a file defines anything of more than a line or two itself."""
    first = int(chunks.first_chunk[file_idx])
    return any(
        chunks.kind_name(chunk_idx) in _SUBSTANCE
        for chunk_idx in range(first, first + int(chunks.n_chunks[file_idx]))
    )
