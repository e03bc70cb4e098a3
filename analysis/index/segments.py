"""Building a segment in memory and writing it."""

from __future__ import annotations

import sqlite3
import time
from array import array
from collections.abc import Iterator

from analysis.index.batch import Batch, FileRecord, TermPiece
from analysis.index.packing import CHUNK_ROW, MAX_PER_SEGMENT, pack_postings

_MAX_BYTES = 24_000_000
"""Postings held in memory before they are written; keeps a refresh of any size in bounds."""
_MAX_AGE_S = 5.0
"""A killed writer loses at most this much of its work."""
_FILE_COLUMNS = "path, size, mtime_ns, hash, segment, language, line_count, skipped"


class SegmentBuilder:
    """Gathers batches until it is time to write them as one segment."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Start over with nothing gathered."""
        self._records: list[FileRecord] = []
        self._searched: list[FileRecord] = []
        self._chunk_rows: list[tuple[int, bytes]] = []
        self._n_chunks = 0
        self._n_bytes = 0
        self._started = time.monotonic()
        self._terms: dict[str, list[tuple[int, TermPiece]]] = {}
        self._identifiers: dict[str, list[tuple[int, array[int]]]] = {}

    def __len__(self) -> int:
        return len(self._records)

    def fits(self, batch: Batch) -> bool:
        """Return whether a batch can still be numbered in this segment."""
        chunks, files = self._n_chunks + batch.n_chunks, len(self._searched) + batch.n_files
        return chunks <= MAX_PER_SEGMENT and files <= MAX_PER_SEGMENT

    def is_due(self) -> bool:
        """Return whether what was gathered should be written now."""
        age = time.monotonic() - self._started
        return bool(self._records) and (self._n_bytes > _MAX_BYTES or age > _MAX_AGE_S)

    def add(self, batch: Batch) -> None:
        """Take a batch in."""
        first_file, first_chunk = len(self._searched), self._n_chunks
        for term, piece in batch.terms.items():
            self._terms.setdefault(term, []).append((first_chunk, piece))
            self._n_bytes += 3 * len(piece.codes)
        for name, files in batch.identifiers.items():
            self._identifiers.setdefault(name, []).append((first_file, files))
            self._n_bytes += 2 * len(files)
        self._chunk_rows.append((first_file, bytes(batch.chunk_rows)))
        self._n_chunks += batch.n_chunks
        self._n_bytes += len(batch.chunk_rows)
        self._records.extend(batch.records)
        self._searched.extend(record for record in batch.records if _is_searched(record))

    def write(self, conn: sqlite3.Connection) -> None:
        """Write everything gathered in the open transaction."""
        segment = None
        if self._searched:
            segment = next_segment(conn)
        ids = {}
        for record in self._records:
            ids[record.path] = write_file(conn, record, segment)
        if segment is not None:
            files = array("I", [ids[record.path] for record in self._searched])
            write_segment(
                conn, segment, files, self._chunk_table(), self._term_rows(), self._name_rows()
            )

    def _chunk_table(self) -> bytes:
        """Return the rows of all batches with file numbers counted from the segment's start."""
        import numpy as np

        from analysis.index.packing import chunk_dtype

        tables = []
        for first_file, rows in self._chunk_rows:
            table = np.frombuffer(rows, chunk_dtype()).copy()
            table["file"] += first_file
            tables.append(table.tobytes())
        return b"".join(tables)

    def _term_rows(self) -> Iterator[tuple[str, bytes]]:
        for term in sorted(self._terms):
            pieces = self._terms[term]
            ids = [shifted(piece.chunks, first) for first, piece in pieces]
            codes = [bytes(piece.codes) for _, piece in pieces]
            yield term, pack_postings(ids, codes, [bytes(piece.escapes) for _, piece in pieces])

    def _name_rows(self) -> Iterator[tuple[str, bytes]]:
        for name in sorted(self._identifiers):
            yield name, b"".join(shifted(files, first) for first, files in self._identifiers[name])


def write_segment(
    conn: sqlite3.Connection,
    segment: int,
    files: array[int],
    chunks: bytes,
    terms: Iterator[tuple[str, bytes]],
    names: Iterator[tuple[str, bytes]],
) -> None:
    """Write a segment's rows; terms and names come in order."""
    n_chunks = len(chunks) // CHUNK_ROW.size
    row = (segment, n_chunks, files.tobytes(), chunks)
    conn.execute("INSERT INTO segments VALUES (?, ?, ?, ?)", row)
    conn.executemany("INSERT INTO postings VALUES (?, ?, ?)", ((segment, *row) for row in terms))
    conn.executemany("INSERT INTO identifiers VALUES (?, ?, ?)", ((segment, *row) for row in names))


def next_segment(conn: sqlite3.Connection) -> int:
    """Return a number for a new segment; numbers are never used twice."""
    from analysis.index.schema import meta_value, set_meta

    segment = meta_value(conn, "last_segment") + 1
    set_meta(conn, "last_segment", segment)
    return segment


def write_file(conn: sqlite3.Connection, record: FileRecord, segment: int | None) -> int:
    """Write a file's row and what hangs on it, in place of what was there; return its id."""
    row = conn.execute("SELECT id FROM files WHERE path = ?", (record.path,)).fetchone()
    if record.unchanged and row:
        conn.execute(
            "UPDATE files SET size = ?, mtime_ns = ? WHERE id = ?",
            (record.size, record.mtime_ns, row[0]),
        )
        return int(row[0])
    if row:
        remove_contents(conn, row[0])
    file_id = int(row[0]) if row else None
    segment = segment if _is_searched(record) else None
    cursor = conn.execute(
        f"INSERT OR REPLACE INTO files (id, {_FILE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            file_id, record.path, record.size, record.mtime_ns, record.hash, segment,
            record.language, record.line_count, record.skipped,
        ),
    )  # fmt: skip
    file_id = file_id or int(cursor.lastrowid or 0)
    if segment is not None:
        conn.execute(
            "INSERT INTO details VALUES (?, ?, ?)", (file_id, record.details, record.facts)
        )
        marks = ", ".join("?" * 15)
        conn.executemany(
            f"INSERT INTO symbols VALUES ({marks})", ((file_id, *row) for row in record.symbols)
        )
    return file_id


def remove_contents(conn: sqlite3.Connection, file_id: int) -> None:
    """Remove what hangs on a file's row; its segment's rows are dead by then."""
    conn.execute("DELETE FROM details WHERE file_id = ?", (file_id,))
    conn.execute("DELETE FROM symbols WHERE file_id = ?", (file_id,))


def remove_file_row(conn: sqlite3.Connection, file_id: int) -> None:
    """Remove a file."""
    remove_contents(conn, file_id)
    conn.execute("DELETE FROM files WHERE id = ?", (file_id,))


def shifted(numbers: array[int], first: int) -> bytes:
    """Return 16-bit numbers, counted from ``first``, as bytes."""
    if first == 0:
        return numbers.tobytes()
    if len(numbers) < 16:
        return array("H", [number + first for number in numbers]).tobytes()
    import numpy as np

    return (np.frombuffer(numbers, "<u2") + np.uint16(first)).astype("<u2").tobytes()


def _is_searched(record: FileRecord) -> bool:
    return record.skipped is None and not record.unchanged
