"""From signals to an order: weights, factors for kinds of files, and what each contributed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.retrieval import file_kinds, weights
from analysis.retrieval.question import Question
from analysis.retrieval.signals import Signals

if TYPE_CHECKING:
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
    paths = [files.paths[i] for i in signals.files.tolist()]
    kinds = _kinds(paths, signals, question, files, chunks)
    by_kinds = {kind: file_kinds.factor_of(kind, question.asked_for) for kind in set(kinds)}
    factors = [by_kinds[kind] for kind in kinds]
    columns = {name: signals.columns[name].tolist() for name in weights.SIGNALS}
    ranked: list[RankedFile] = []
    for row, file_idx in enumerate(signals.files.tolist()):
        parts = {
            name: weight * columns[name][row]
            for name, weight in weights.SIGNALS.items()
            if columns[name][row] > 0
        }
        score = sum(parts.values()) * factors[row]
        ranked.append(RankedFile(file_idx, paths[row], score, parts, factors[row], kinds[row]))
    ranked.sort(key=lambda file: (-file.score, file.path))
    return ranked


def _kinds(
    paths: list[str], signals: Signals, question: Question, files: FileTable, chunks: ChunkTable
) -> list[tuple[str, ...]]:
    """Return the kinds of each candidate that make it stand back."""
    older = _older(paths, files.index_of, question.versions)
    result: list[tuple[str, ...]] = []
    for path, file_idx in zip(paths, signals.files.tolist(), strict=True):
        kinds = list(file_kinds.kinds_of(path))
        if file_kinds.is_output(path, files.index_of):
            kinds.append("output")
        if path in older:
            kinds.append("older")
        if path.endswith(_BARREL_NAMES) and not _has_substance(file_idx, chunks):
            kinds.append("barrel")
        result.append(tuple(dict.fromkeys(kinds)))
    return result


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
