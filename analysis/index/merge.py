"""Merging small segments, so that a lookup has few of them to ask."""

from __future__ import annotations

import heapq
import itertools
import sqlite3
from array import array
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from analysis.index.packing import MAX_PER_SEGMENT, chunk_dtype, pack_postings, raw_postings
from analysis.index.segments import next_segment, write_segment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_MERGE_AT = 8
"""So many segments of about one size become one."""
_SIZE_BASE = 8
"""Two segments are of about one size if their logarithms to this base are."""


@dataclass(slots=True)
class _Part:
    """A segment that goes into a merge, and how its numbers change."""

    id: int
    files: list[int]
    """Ids of its living files."""
    new_file: NDArray[np.int64]
    """New number by old number; -1 for a dead file."""
    new_chunk: NDArray[np.int64]
    rows: NDArray[np.void]
    """Living chunk rows, renumbered."""


def segments_to_merge(conn: sqlite3.Connection) -> list[int]:
    """Return segments that should become one: many of a size, or one that is mostly dead."""
    living = dict(
        conn.execute("SELECT segment, count(*) FROM files WHERE segment IS NOT NULL GROUP BY 1")
    )
    classes: dict[int, list[tuple[int, int]]] = {}
    for segment, n_chunks, n_files in conn.execute(
        "SELECT id, n_chunks, length(files) / 4 FROM segments ORDER BY id"
    ):
        if 2 * living.get(segment, 0) < n_files:
            return [segment]
        members = classes.setdefault(_size_class(n_chunks), [])
        members.append((segment, max(n_chunks, n_files)))
        if len(members) == _MERGE_AT and _fitting(members)[1:]:
            return _fitting(members)
    return []


def _fitting(members: list[tuple[int, int]]) -> list[int]:
    """Return the first segments that can be numbered as one."""
    totals = itertools.accumulate(size for _, size in members)
    fits = [total <= MAX_PER_SEGMENT for total in totals]
    return [segment for (segment, _), fit in zip(members, fits, strict=True) if fit]


def _size_class(n_chunks: int) -> int:
    size = 0
    while n_chunks >= _SIZE_BASE ** (size + 1):
        size += 1
    return size


def _remove(conn: sqlite3.Connection, segment: int) -> None:
    conn.execute("DELETE FROM segments WHERE id = ?", (segment,))
    conn.execute("DELETE FROM postings WHERE segment = ?", (segment,))
    conn.execute("DELETE FROM identifiers WHERE segment = ?", (segment,))


def merge(conn: sqlite3.Connection, ids: list[int]) -> None:
    """Write the living rows of some segments as one new segment, in the open transaction."""
    parts: list[_Part] = []
    n_files = n_chunks = 0
    for segment in ids:
        part = _part(conn, segment, n_files, n_chunks)
        parts.append(part)
        n_files += len(part.files)
        n_chunks += len(part.rows)
    files = array("I", [file_id for part in parts for file_id in part.files])
    chunks = b"".join(part.rows.tobytes() for part in parts)
    if files:
        merged = next_segment(conn)
        write_segment(conn, merged, files, chunks, _terms(conn, parts), _names(conn, parts))
        conn.executemany(
            "UPDATE files SET segment = ? WHERE id = ?", ((merged, file_id) for file_id in files)
        )
    for segment in ids:
        _remove(conn, segment)


@dataclass(frozen=True, slots=True)
class LivingRows:
    """What of a segment is alive, numbered as a segment of its own."""

    files: list[int]
    """Ids of its files, in the order in which its rows count them."""
    chunks: bytes
    terms: Iterator[tuple[str, bytes]]
    """Postings by term, in order; read as it goes."""
    names: Iterator[tuple[str, bytes]]
    """File numbers by identifier, in order; read as it goes."""


def living_rows(conn: sqlite3.Connection, segment: int, wanted: Collection[int]) -> LivingRows:
    """Return the living rows of the wanted files of a segment, for a copy of the index elsewhere.

    Args:
        conn: A transaction that stays open until all was read.
        segment: The segment's number.
        wanted: Ids of files; those of other segments do not matter.
    """
    part = _part(conn, segment, 0, 0, wanted)
    return LivingRows(part.files, part.rows.tobytes(), _terms(conn, [part]), _names(conn, [part]))


def _part(
    conn: sqlite3.Connection,
    segment: int,
    first_file: int,
    first_chunk: int,
    wanted: Collection[int] | None = None,
) -> _Part:
    """Return what is alive of a segment, and only the wanted files if they are given."""
    import numpy as np

    files, chunks = conn.execute(
        "SELECT files, chunks FROM segments WHERE id = ?", (segment,)
    ).fetchone()
    members = np.frombuffer(files, "<u4")
    owned = conn.execute("SELECT id FROM files WHERE segment = ?", (segment,)).fetchall()
    kept_ids = [row[0] for row in owned if wanted is None or row[0] in wanted]
    alive = np.isin(members, np.array(kept_ids, np.int64))
    new_file = np.where(alive, np.cumsum(alive) - 1 + first_file, -1)
    rows = np.frombuffer(chunks, chunk_dtype())
    living = alive[rows["file"]]
    new_chunk = np.where(living, np.cumsum(living) - 1 + first_chunk, -1)
    kept = rows[living].copy()
    kept["file"] = new_file[kept["file"]]
    return _Part(segment, members[alive].tolist(), new_file, new_chunk, kept)


def _terms(conn: sqlite3.Connection, parts: list[_Part]) -> Iterator[tuple[str, bytes]]:
    """Yield the merged postings, term by term."""
    import numpy as np

    for term, rows in _by_key(conn, "SELECT term, data FROM postings", "term", parts):
        chunks, codes, escapes = [], [], []
        for part, data in rows:
            ids, code_bytes, escape_bytes = raw_postings(data)
            new = part.new_chunk[np.frombuffer(ids, "<u2")]
            alive = new >= 0
            code = np.frombuffer(code_bytes, np.uint8)
            rare = np.frombuffer(escape_bytes, np.uint8).reshape(-1, 4)[alive[code == 255]]
            chunks.append(new[alive].astype("<u2").tobytes())
            codes.append(code[alive].tobytes())
            escapes.append(rare.tobytes())
        if any(chunks):
            yield term, pack_postings(chunks, codes, escapes)


def _names(conn: sqlite3.Connection, parts: list[_Part]) -> Iterator[tuple[str, bytes]]:
    """Yield the merged file numbers, identifier by identifier."""
    import numpy as np

    for name, rows in _by_key(conn, "SELECT name, data FROM identifiers", "name", parts):
        new = [part.new_file[np.frombuffer(data, "<u2")] for part, data in rows]
        files = b"".join(numbers[numbers >= 0].astype("<u2").tobytes() for numbers in new)
        if files:
            yield name, files


def _by_key(
    conn: sqlite3.Connection, select: str, key: str, parts: list[_Part]
) -> Iterator[tuple[str, list[tuple[_Part, bytes]]]]:
    """Yield each key with its rows in the parts, in order of key, then part."""

    def rows_of(number: int) -> Iterator[tuple[str, int, bytes]]:
        sql = f"{select} WHERE segment = ? ORDER BY {key}"
        for name, data in conn.execute(sql, (parts[number].id,)):
            yield name, number, data

    merged = heapq.merge(*(rows_of(number) for number in range(len(parts))))
    for name, rows in groupby(merged, key=lambda row: row[0]):
        yield name, [(parts[number], data) for _, number, data in rows]
