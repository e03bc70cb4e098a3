"""The stored index as arrays: made once a generation, so that a warm query reads only postings."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analysis.index.kept import Kept
from analysis.index.packing import CHUNK_KINDS, chunk_dtype
from analysis.index.schema import meta_value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


# Of so many chunks the names are kept, some 2 MB: the same files come up in many questions.
_NAMES_KEPT = 16_384
_COLUMNS = ("start", "end", "kind", "lengths", "own_words", "to_head", "to_owner")


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class FileTable:
    """The searchable files; their position here is the file index used everywhere."""

    paths: Sequence[str]
    languages: Sequence[str]
    line_counts: NDArray[np.int32]
    index_of: Mapping[str, int]
    """File index by path."""

    def __len__(self) -> int:
        return len(self.paths)


@dataclass(frozen=True, slots=True, eq=False)
class ChunkTable:
    """The chunks of all searchable files, as columns; a file's chunks stand together in order."""

    file_idx: NDArray[np.int32]
    line_start: NDArray[np.int32]
    line_end: NDArray[np.int32]
    kind: NDArray[np.uint8]
    """Position of the chunk's kind in ``CHUNK_KINDS``."""
    lengths: NDArray[np.uint16]
    """Number of terms in body, name, path, and comments with docstrings; shape (n, 4)."""
    own_words: NDArray[np.uint8]
    """Number of terms in the name of what is defined there."""
    head: NDArray[np.int32]
    """The chunk in which the definition begins that a chunk is of: a long one has several."""
    owner: NDArray[np.int32]
    """The chunk in which the definition around it begins; -1 for none."""
    first_chunk: NDArray[np.int32]
    """By file index: the file's first chunk."""
    n_chunks: NDArray[np.int32]
    """By file index: how many chunks the file has."""

    def __len__(self) -> int:
        return len(self.file_idx)

    def kind_name(self, chunk_idx: int) -> str:
        """Return the kind of a chunk as a word."""
        return CHUNK_KINDS[int(self.kind[chunk_idx])]


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Where a segment's rows lie in the tables."""

    first_row: int
    """Number of chunk rows, dead ones included, in the segments before."""
    file_idx: NDArray[np.int32]
    """File index by position in the segment; -1 for a file whose rows are dead."""


@dataclass(frozen=True, slots=True, eq=False)
class StoredTables:
    """One generation of the stored index."""

    generation: int
    files: FileTable
    file_ids: NDArray[np.int64]
    chunks: ChunkTable
    segments: Mapping[int, Segment]
    """By the segment's number."""
    chunk_of_row: NDArray[np.int32] | None
    """Chunk index by row number; -1 for a dead row. None if the two are the same."""
    names: Kept[str, Sequence[tuple[str | None, str]]] = field(
        default_factory=lambda: Kept(_NAMES_KEPT)
    )
    """By path: symbol and kind of each chunk, of the files asked for last."""


def load_tables(conn: sqlite3.Connection) -> StoredTables:
    """Read the tables of the generation that the open transaction sees."""
    files = conn.execute(
        "SELECT id, path, language, line_count, segment FROM files"
        " WHERE segment IS NOT NULL ORDER BY id"
    ).fetchall()
    segments = conn.execute("SELECT id, files, chunks FROM segments ORDER BY id")
    return tables_of(meta_value(conn, "generation"), files, segments)


def tables_of(
    generation: int,
    rows: Sequence[tuple[int, str, str, int, int]],
    stored: Iterable[tuple[int, bytes, bytes]],
) -> StoredTables:
    """Return the tables of rows as they are stored.

    Args:
        generation: The number of the state.
        rows: Of each searchable file its id, path, language, number of lines and segment, in
            order of the ids.
        stored: Of each segment its number, the ids of its files (uint32), and its chunk rows.
    """
    import numpy as np

    ids, paths, languages, line_counts, owners = zip(*rows, strict=True) if rows else ((),) * 5
    files = FileTable(
        paths, languages, np.array(line_counts, np.int32), {path: i for i, path in enumerate(paths)}
    )
    file_ids = np.array(ids, np.int64)
    segments, owner, table = _load_segments(stored, file_ids, np.array(owners, np.int64))
    table["owner"] = owner
    alive = owner >= 0
    chunk_of_row = None
    if not alive.all():
        chunk_of_row = np.where(alive, np.cumsum(alive) - 1, -1).astype(np.int32)
        table = {name: column[alive] for name, column in table.items()}
    return StoredTables(
        generation=generation,
        files=files,
        file_ids=file_ids,
        chunks=chunk_table(table, len(paths)),
        segments=segments,
        chunk_of_row=chunk_of_row,
    )


def chunk_table(columns: dict[str, NDArray[np.generic]], n_files: int) -> ChunkTable:
    """Return the chunk table of columns as they are stored, and ``owner``, the file of each row."""
    import numpy as np

    owner = columns["owner"].astype(np.int32, copy=False)
    n_chunks = np.bincount(owner, minlength=n_files).astype(np.int32)
    first_chunk = np.zeros(n_files, np.int32)
    if len(owner):
        starts = np.flatnonzero(np.diff(owner, prepend=np.int32(-1)))
        first_chunk[owner[starts]] = starts
    number = np.arange(len(owner), dtype=np.int32)
    to_head, to_owner = (columns[name].astype(np.int32) for name in ("to_head", "to_owner"))
    return ChunkTable(
        owner,
        columns["start"].astype(np.int32, copy=False),
        columns["end"].astype(np.int32, copy=False),
        columns["kind"].astype(np.uint8, copy=False),
        columns["lengths"].astype(np.uint16, copy=False),
        columns["own_words"].astype(np.uint8, copy=False),
        number - to_head,
        np.where(to_owner > 0, number - to_owner, np.int32(-1)),
        first_chunk,
        n_chunks,
    )


def _load_segments(
    stored: Iterable[tuple[int, bytes, bytes]],
    file_ids: NDArray[np.int64],
    owners: NDArray[np.int64],
) -> tuple[dict[int, Segment], NDArray[np.int32], dict[str, NDArray[np.generic]]]:
    """Return the segments, the file index of all their rows (-1: dead), and their columns."""
    import numpy as np

    segments: dict[int, Segment] = {}
    parts: list[NDArray[np.void]] = []
    owner_parts: list[NDArray[np.int32]] = []
    first_row = 0
    for segment_id, files, chunks in stored:
        members = np.frombuffer(files, "<u4").astype(np.int64)
        found = np.searchsorted(file_ids, members)
        found[found == len(file_ids)] = 0
        alive = np.zeros(len(members), bool)
        if len(file_ids):
            alive = (file_ids[found] == members) & (owners[found] == segment_id)
        file_idx = np.where(alive, found, -1).astype(np.int32)
        rows = np.frombuffer(chunks, chunk_dtype())
        segments[segment_id] = Segment(first_row, file_idx)
        parts.append(rows)
        owner_parts.append(file_idx[rows["file"]])
        first_row += len(rows)
    rows = np.concatenate(parts) if parts else np.empty(0, chunk_dtype())
    columns: dict[str, NDArray[np.generic]] = {
        name: np.ascontiguousarray(rows[name]) for name in _COLUMNS
    }
    owner = np.concatenate(owner_parts) if owner_parts else np.empty(0, np.int32)
    return segments, owner, columns
