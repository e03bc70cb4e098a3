"""Merging small segments, so that a lookup has few of them to ask."""

from __future__ import annotations

import itertools
import sqlite3
from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.index.counting import Occurrences
from analysis.index.joining import TermColumns, joined_names, joined_terms
from analysis.index.packing import ESCAPE, MAX_PER_SEGMENT, chunk_dtype, unpack_columns
from analysis.index.segments import next_segment, write_segment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_MERGE_AT = 8
"""So many segments of about one size become one."""
_SIZE_BASE = 8
"""Two segments are of about one size if their logarithms to this base are."""


_BLOCK_ROWS = 8192
"""So many words of each segment are taken at a time."""


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
    for block in _blocks(conn, "SELECT term, data FROM postings", "term", parts):
        yield from joined_terms([_living_terms(part, *rows) for part, rows in block])


def _names(conn: sqlite3.Connection, parts: list[_Part]) -> Iterator[tuple[str, bytes]]:
    """Yield the merged file numbers, identifier by identifier."""
    for block in _blocks(conn, "SELECT name, data FROM identifiers", "name", parts):
        yield from joined_names([_living_names(part, *rows) for part, rows in block])


def _living_terms(part: _Part, words: list[str], rows: list[bytes]) -> TermColumns:
    """Return a part's postings as they stand in the merged segment."""
    totals, chunks, codes, escapes = unpack_columns(rows)
    new = part.new_chunk[chunks]
    alive = new >= 0
    terms = _occurrences(words, totals, new, alive)
    return TermColumns(terms, codes[alive], escapes[alive[codes == ESCAPE]])


def _living_names(part: _Part, words: list[str], rows: list[bytes]) -> Occurrences:
    """Return the files of a part's identifiers as they are numbered in the merged segment."""
    import numpy as np

    totals = np.fromiter(map(len, rows), np.int64, len(rows)) // 2
    new = part.new_file[np.frombuffer(b"".join(rows), "<u2")]
    return _occurrences(words, totals, new, new >= 0)


def _occurrences(
    words: list[str], totals: NDArray[np.int64], new: NDArray[np.int64], alive: NDArray[np.bool_]
) -> Occurrences:
    """Return which of the words' groups are left, by their new numbers."""
    import numpy as np

    owners = np.repeat(np.arange(len(words)), totals)[alive]
    sizes = np.bincount(owners, minlength=len(words)).astype(np.uint32)
    return Occurrences(words, sizes, new[alive].astype(np.uint16))


_Rows = tuple[list[str], list[bytes]]
"""Words in order, and the packed row of each."""


def _blocks(
    conn: sqlite3.Connection, select: str, key: str, parts: list[_Part]
) -> Iterator[list[tuple[_Part, _Rows]]]:
    """Yield the rows of all parts, a range of words at a time, so that memory stays in bounds."""
    sql = f"{select} WHERE segment = ? ORDER BY {key}"
    cursors = [conn.execute(sql, (part.id,)) for part in parts]
    waiting: list[_Rows] = [([], []) for _ in parts]
    ended = [False] * len(parts)
    while True:
        for number, cursor in enumerate(cursors):
            if not waiting[number][0] and not ended[number]:
                rows = cursor.fetchmany(_BLOCK_ROWS)
                ended[number] = not rows
                waiting[number] = ([row[0] for row in rows], [row[1] for row in rows])
        ends = [words[-1] for words, _ in waiting if words]
        if not ends:
            return
        block = []
        for number, (words, datas) in enumerate(waiting):
            # A word behind the first end may stand in rows that were not read yet.
            cut = bisect_right(words, min(ends))
            if cut:
                block.append((parts[number], (words[:cut], datas[:cut])))
                waiting[number] = (words[cut:], datas[cut:])
        yield block
