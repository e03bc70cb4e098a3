"""The definitions of a code base as columns: what ranking knows before anything is asked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.retrieval import file_kinds, weights
from analysis.retrieval.per_generation import PerGeneration

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.index.tables import ChunkTable, FileTable
    from analysis.index.view import IndexView


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class DefinitionTable:
    """Definitions, and the blocks between them; a position here is a definition's number.

    Chunks have numbers of their own here: only those that can be an answer have one.
    """

    chunk_idx: NDArray[np.int32]
    """By number of a chunk: its position in the chunk table."""
    number_of: NDArray[np.int32]
    """By position in the chunk table: its number; -1 if it stands beside the code."""
    heads: NDArray[np.int32]
    """The chunk in which each definition begins."""
    of_chunk: NDArray[np.int32]
    """By chunk: the definition that it is of."""
    file_idx: NDArray[np.int32]
    owner: NDArray[np.int32]
    """The definition around each; -1 for none."""
    own_words: NDArray[np.uint8]
    """How many words the name of each has."""
    standing: NDArray[np.float32]
    """What each is worth for its kind and its kind of file, whatever is asked."""
    length: NDArray[np.float32]
    """How long each is: 1 for a screenful and more."""
    factors: NDArray[np.float32]
    """By file: how far its kind stands back; see ``file_kinds.factor_of``."""
    norms: NDArray[np.float32]
    """By chunk and field: one over its normalised length."""

    def __len__(self) -> int:
        return len(self.heads)


_TABLES: PerGeneration[DefinitionTable] = PerGeneration()
"""By what is asked for: few kinds of files are."""


def definition_table(view: IndexView, asked_for: frozenset[str]) -> DefinitionTable:
    """Return the table for a view, made once for each state of the index.

    Args:
        view: What is searched.
        asked_for: Kinds of files that do not stand back.
    """
    chunks, files = view.chunk_table(), view.file_table()
    return _TABLES.get(view.generation, lambda: _made(chunks, files, asked_for), asked_for)


def _made(chunks: ChunkTable, files: FileTable, asked_for: frozenset[str]) -> DefinitionTable:
    import numpy as np

    factors = _factors(files, asked_for)
    chunk_idx = _searched(chunks, factors)
    number_of = np.full(len(chunks), -1, np.int32)
    number_of[chunk_idx] = np.arange(len(chunk_idx), dtype=np.int32)
    head_of = number_of[chunks.head[chunk_idx]]
    is_head = np.zeros(len(chunk_idx), np.bool_)
    is_head[head_of] = True
    heads = np.flatnonzero(is_head)
    of_chunk = (np.cumsum(is_head, dtype=np.int32) - 1)[head_of]
    first = chunk_idx[heads]
    around = chunks.owner[first]
    owner = np.where(around >= 0, of_chunk[number_of[around]], -1).astype(np.int32)
    lines = (chunks.line_end - chunks.line_start + 1)[chunk_idx]
    n_lines = np.bincount(of_chunk, lines, len(heads))
    file_idx = chunks.file_idx[first]
    return DefinitionTable(
        chunk_idx=chunk_idx,
        number_of=number_of,
        heads=heads.astype(np.int32),
        of_chunk=of_chunk,
        file_idx=file_idx,
        owner=owner,
        own_words=chunks.own_words[first],
        standing=_standing(chunks.kind[first]) + np.log(factors[file_idx]),
        length=np.minimum(np.log1p(n_lines) / math.log(weights.LONG_DEFINITION), 1).astype(
            np.float32
        ),
        factors=factors,
        norms=_norms(chunks.lengths[chunk_idx]),
    )


def _searched(chunks: ChunkTable, factors: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return the chunks that can be an answer: all, if few are of the code itself."""
    import numpy as np

    main = np.flatnonzero(factors[chunks.file_idx] > weights.DATA_FACTOR)
    if len(main) < weights.LEAST_CODE * len(chunks):
        main = np.arange(len(chunks))
    return main.astype(np.int32)


def _standing(kinds: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return what definitions are worth for their kind."""
    import numpy as np

    from analysis.index.packing import CHUNK_KINDS

    by_kind = [weights.KIND_STANDING.get(kind, 0.0) for kind in CHUNK_KINDS]
    return np.array(by_kind, np.float32)[kinds]


def _norms(lengths: NDArray[np.uint16]) -> NDArray[np.float32]:
    import numpy as np

    lengths = lengths.astype(np.float32)
    mean = np.maximum(lengths.mean(axis=0), 1e-6) if len(lengths) else np.ones(4, np.float32)
    share = np.array(weights.PLACE_NORMS, np.float32)
    return (1 / (1 - share + share * lengths / mean)).astype(np.float32)


def _factors(files: FileTable, asked_for: frozenset[str]) -> NDArray[np.float32]:
    """Return by file how far its kind stands back."""
    import numpy as np

    table = file_kinds.kind_table(files)
    factors = table.factors(asked_for)[table.codes].astype(np.float32)
    known = files.index_of
    older = file_kinds.older_trees(files.paths, known)
    output = {path for path in files.paths if file_kinds.is_output(path, known)}
    for path in output | older:
        others = [*(["output"] if path in output else ()), *(["older"] if path in older else ())]
        file_idx = known[path]
        kinds = (*table.kinds[table.codes[file_idx]], *others)
        factors[file_idx] = file_kinds.factor_of(kinds, asked_for)
    return factors
