"""Building a segment in memory and writing it."""

from __future__ import annotations

import sqlite3
import time
from array import array
from collections.abc import Iterable, Iterator

from analysis.index.batch import Batch, FileRecord
from analysis.index.counting import Occurrences
from analysis.index.joining import TermColumns, joined_names, joined_terms
from analysis.index.packing import MAX_PER_SEGMENT, chunk_dtype
from analysis.index.schema import meta_value, set_meta

_MAX_BYTES = 64_000_000
"""What is held in memory before it is written; keeps a refresh of any size in bounds."""
_MAX_AGE_S = 5.0
"""A killed writer loses at most this much of its work; the first segments are written sooner."""


class SegmentBuilder:
    """Gathers batches until it is time to write them as one segment."""

    def __init__(self, n_before: int = 0) -> None:
        """Start a segment after ``n_before`` others of the same refresh."""
        self._max_age_s = min(float(1 << min(n_before, 10)), _MAX_AGE_S)
        self._batches: list[Batch] = []
        self._n_chunks = 0
        self._n_files = 0
        self._n_bytes = 0
        self._started = time.monotonic()

    def __bool__(self) -> bool:
        return bool(self._batches)

    def fits(self, batch: Batch) -> bool:
        """Return whether a batch can still be numbered in this segment."""
        chunks, files = self._n_chunks + batch.n_chunks, self._n_files + batch.n_files
        return chunks <= MAX_PER_SEGMENT and files <= MAX_PER_SEGMENT

    def is_due(self) -> bool:
        """Return whether what was gathered should be written now."""
        age = time.monotonic() - self._started
        return bool(self) and (self._n_bytes > _MAX_BYTES or age > self._max_age_s)

    def add(self, batch: Batch) -> None:
        """Take a batch in."""
        self._batches.append(batch)
        self._n_chunks += batch.n_chunks
        self._n_files += batch.n_files
        self._n_bytes += batch.n_bytes

    def write(self, conn: sqlite3.Connection) -> None:
        """Write everything gathered in the open transaction."""
        segment = next_segment(conn)
        files: array[int] = array("I")
        for batch in self._batches:
            for record in batch.records:
                file_id = _write_file(conn, record, segment)
                if record.is_parsed:
                    files.append(file_id)
        if files:
            write_segment(conn, segment, files, self._chunks(), self._terms(), self._names())

    def _chunks(self) -> bytes:
        """Return the chunk rows of all batches, their files numbered in the segment."""
        tables = []
        first_file = 0
        for batch in self._batches:
            table = batch.chunks.copy()
            table["file"] += first_file
            tables.append(table.tobytes())
            first_file += batch.n_files
        return b"".join(tables)

    def _terms(self) -> Iterator[tuple[str, bytes]]:
        """Yield each term with its packed postings, in order."""
        parts = []
        first_chunk = 0
        for batch in self._batches:
            counts = batch.counts
            terms = _shifted(counts.terms, first_chunk)
            parts.append(TermColumns(terms, counts.codes, counts.escapes))
            first_chunk += batch.n_chunks
        return joined_terms(parts)

    def _names(self) -> Iterator[tuple[str, bytes]]:
        """Yield each identifier with its packed file numbers, in order."""
        parts = []
        first_file = 0
        for batch in self._batches:
            parts.append(_shifted(batch.identifiers, first_file))
            first_file += batch.n_files
        return joined_names(parts)


def _shifted(part: Occurrences, first: int) -> Occurrences:
    """Return occurrences whose groups are numbered from ``first``."""
    import numpy as np

    return Occurrences(part.words, part.sizes, part.groups + np.uint16(first))


def write_segment(
    conn: sqlite3.Connection,
    segment: int,
    files: array[int],
    chunks: bytes,
    terms: Iterable[tuple[str, bytes]],
    names: Iterable[tuple[str, bytes]],
) -> None:
    """Write a segment's rows; terms and names come in order."""
    n_chunks = len(chunks) // chunk_dtype().itemsize
    row = (segment, n_chunks, files.tobytes(), chunks)
    conn.execute("INSERT INTO segments VALUES (?, ?, ?, ?)", row)
    conn.executemany("INSERT INTO postings VALUES (?, ?, ?)", ((segment, *row) for row in terms))
    conn.executemany("INSERT INTO identifiers VALUES (?, ?, ?)", ((segment, *row) for row in names))


def next_segment(conn: sqlite3.Connection) -> int:
    """Return a number for a new segment; numbers are never used twice."""
    segment = meta_value(conn, "last_segment") + 1
    set_meta(conn, "last_segment", segment)
    return segment


def remove_file(conn: sqlite3.Connection, file_id: int) -> None:
    """Remove a file; its rows in its segment are dead by that."""
    _remove_contents(conn, file_id)
    conn.execute("DELETE FROM files WHERE id = ?", (file_id,))


def _write_file(conn: sqlite3.Connection, record: FileRecord, segment: int) -> int:
    """Write a file's row and what hangs on it, in place of what was there; return its id."""
    row = conn.execute("SELECT id FROM files WHERE path = ?", (record.path,)).fetchone()
    if row and record.unchanged:
        conn.execute(
            "UPDATE files SET size = ?, mtime_ns = ? WHERE id = ?",
            (record.size, record.mtime_ns, row[0]),
        )
        return int(row[0])
    if row:
        _remove_contents(conn, row[0])
    cursor = conn.execute(
        "INSERT OR REPLACE INTO files"
        " (id, path, size, mtime_ns, hash, segment, language, line_count, skipped)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            row[0] if row else None, record.path, record.size, record.mtime_ns, record.hash,
            segment if record.is_parsed else None, record.language, record.line_count,
            record.skipped,
        ),
    )  # fmt: skip
    file_id = int(row[0]) if row else int(cursor.lastrowid or 0)
    if record.is_parsed:
        conn.execute(
            "INSERT INTO details VALUES (?, ?, ?)", (file_id, record.details, record.facts)
        )
        marks = ", ".join("?" * 15)
        conn.executemany(
            f"INSERT INTO symbols VALUES ({marks})", ((file_id, *row) for row in record.symbols)
        )
    return file_id


def _remove_contents(conn: sqlite3.Connection, file_id: int) -> None:
    conn.execute("DELETE FROM details WHERE file_id = ?", (file_id,))
    conn.execute("DELETE FROM symbols WHERE file_id = ?", (file_id,))
