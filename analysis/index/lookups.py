"""Questions to the stored part of an index, one SQL query each; open buffers are no matter here.

``StoredRows`` is what a view needs of whatever keeps the rows: an index file, or a server.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from analysis.index.difference import LateJob
from analysis.index.packing import read_count
from analysis.index.symbols import COLUMNS, SymbolRow, symbol_from, symbols_from
from analysis.index.tables import Segment
from analysis.models import FileOutline, ImportInfo
from analysis.parsing.facts.tables import inflated

if TYPE_CHECKING:
    from analysis.index.late_facts import LateFacts

_QUALIFIED = ", ".join(f"s.{column.strip()}" for column in COLUMNS.split(","))
_AFTER_ALL = "\U0010ffff"
# SQLite takes so many variables in one statement everywhere.
_MOST_TERMS = 500


class StoredRows(Protocol):
    """Where a view gets what is stored: one state of one code base, whatever keeps it."""

    def term_rows(self, terms: Sequence[str]) -> Iterator[tuple[int, str, bytes]]:
        """Yield the packed postings of terms with their segment, each in order of segment."""
        ...

    def identifier_rows(self, name: str) -> list[tuple[int, bytes]]:
        """Return the packed file numbers of an identifier by segment, in order of segment."""
        ...

    def count_prefixed(self, segments: Mapping[int, Segment], prefix: str) -> dict[str, int]:
        """Return the terms that start with a prefix, with the number of their postings."""
        ...

    def symbols_named(self, name: str) -> list[SymbolRow]:
        """Return the definitions with a plain name, in order of path and place."""
        ...

    def signature(self, file_id: int, qualified_name: str) -> str:
        """Return the signature of a file's first definition of that name; empty for none."""
        ...

    def symbol_names(self) -> list[str]:
        """Return every defined name once, in order."""
        ...

    def outline(self, path: str) -> FileOutline | None:
        """Return the outline of a file; None if it is not in the index."""
        ...

    def content_hash(self, path: str) -> bytes | None:
        """Return the hash of a file's text as it is in the index; None if it is not."""
        ...

    def expect(self, file_ids: Iterable[int]) -> None:
        """Take note of files whose details are asked for next, to read them together."""
        ...

    def details(self, file_id: int) -> dict[str, Any]:
        """Return what is packed beside a file's symbols."""
        ...

    def facts(self, file_id: int) -> bytes:
        """Return a file's facts for the resolution of references."""
        ...


class SqliteRows:
    """The rows of an index file, in one transaction; see ``StoredRows``."""

    def __init__(self, conn: sqlite3.Connection, late_facts: LateFacts) -> None:
        self._conn = conn
        self._late_facts = late_facts

    def term_rows(self, terms: Sequence[str]) -> Iterator[tuple[int, str, bytes]]:
        """Yield the packed postings of terms with their segment, each term in order of segment."""
        for start in range(0, len(terms), _MOST_TERMS):
            part = terms[start : start + _MOST_TERMS]
            marks = ",".join("?" * len(part))
            yield from self._conn.execute(
                "SELECT segment, term, data FROM postings"
                f" WHERE segment IN (SELECT id FROM segments) AND term IN ({marks})"
                " ORDER BY segment",
                part,
            )

    def identifier_rows(self, name: str) -> list[tuple[int, bytes]]:
        """Return the packed file numbers of an identifier by segment, in order of segment."""
        return self._conn.execute(
            "SELECT segment, data FROM identifiers"
            " WHERE segment IN (SELECT id FROM segments) AND name = ? ORDER BY segment",
            (name,),
        ).fetchall()

    def count_prefixed(self, segments: Mapping[int, Segment], prefix: str) -> dict[str, int]:
        """Return the terms that start with a prefix, with the number of their postings."""
        sql = (
            "SELECT term, substr(data, 1, 5) FROM postings"
            " WHERE segment = ? AND term >= ? AND term < ?"
        )
        totals: dict[str, int] = {}
        for segment in segments:
            for term, head in self._conn.execute(sql, (segment, prefix, prefix + _AFTER_ALL)):
                totals[term] = totals.get(term, 0) + read_count(head)[0]
        return totals

    def symbols_named(self, name: str) -> list[SymbolRow]:
        """Return the definitions with a plain name, in order of path and place."""
        rows = self._conn.execute(
            f"SELECT f.path, p.qualified_name, {_QUALIFIED} FROM symbols s"
            " JOIN files f ON f.id = s.file_id"
            " LEFT JOIN symbols p ON p.file_id = s.file_id AND p.ord = s.parent"
            " WHERE s.name = ? ORDER BY f.path, s.ord",
            (name,),
        )
        return [SymbolRow(path, symbol_from(record), parent) for path, parent, *record in rows]

    def signature(self, file_id: int, qualified_name: str) -> str:
        """Return the signature of a file's first definition of that name; empty for none."""
        row = self._conn.execute(
            "SELECT signature FROM symbols WHERE file_id = ? AND qualified_name = ? LIMIT 1",
            (file_id, qualified_name),
        ).fetchone()
        return row[0] if row else ""

    def symbol_names(self) -> list[str]:
        """Return every defined name once, in order."""
        return [
            name
            for (name,) in self._conn.execute("SELECT DISTINCT name FROM symbols ORDER BY name")
        ]

    def outline(self, path: str) -> FileOutline | None:
        """Return the outline of a file; None if it is not in the index."""
        row = self._conn.execute(
            "SELECT id, language, line_count FROM files WHERE path = ? AND segment IS NOT NULL",
            (path,),
        ).fetchone()
        if row is None:
            return None
        file_id, language, line_count = row
        records = self._conn.execute(
            f"SELECT {COLUMNS} FROM symbols WHERE file_id = ? ORDER BY ord", (file_id,)
        )
        return outline_from(path, language, line_count, self.details(file_id), records)

    def content_hash(self, path: str) -> bytes | None:
        """Return the hash of a file's text as it is in the index; None if it is not."""
        row = self._conn.execute(
            "SELECT hash FROM files WHERE path = ? AND segment IS NOT NULL", (path,)
        ).fetchone()
        return None if row is None else bytes(row[0])

    def expect(self, file_ids: Iterable[int]) -> None:
        """Take note of files whose details are asked for next: one by one costs no more here."""

    def details(self, file_id: int) -> dict[str, Any]:
        """Return what is packed beside a file's symbols."""
        row = self._conn.execute(
            "SELECT outline FROM details WHERE file_id = ?", (file_id,)
        ).fetchone()
        data: dict[str, Any] = json.loads(inflated(row[0]).decode("utf-8", "surrogatepass"))
        return data

    def facts(self, file_id: int) -> bytes:
        """Return a file's facts for the resolution of references, made now if need be."""
        path, size, mtime_ns, hash_, language, facts = self._conn.execute(
            "SELECT path, size, mtime_ns, hash, language, facts FROM files"
            " JOIN details ON file_id = id WHERE id = ?",
            (file_id,),
        ).fetchone()
        if facts is None:
            return self._late_facts.of(LateJob(path, size, mtime_ns, hash_, language))
        return bytes(facts)


def outline_from(
    path: str,
    language: str,
    line_count: int,
    details: dict[str, Any],
    records: Iterable[tuple[Any, ...]],
) -> FileOutline:
    """Return a file's outline, put together from what is stored of it.

    Args:
        path: The file.
        language: Its language.
        line_count: How many lines it has.
        details: Its imports, docstring and problems.
        records: Its definitions, in order of place.
    """
    return FileOutline(
        path,
        language,
        imports_from(details),
        symbols_from(records),
        line_count,
        details["docstring"],
        tuple(details["problems"]),
    )


def imports_from(data: dict[str, Any]) -> tuple[ImportInfo, ...]:
    """Return the imports among a file's details."""
    return tuple(
        ImportInfo(text, module, tuple(names), line)
        for text, module, names, line in data["imports"]
    )


def without_facts(conn: sqlite3.Connection) -> list[LateJob]:
    """Return the files whose facts are still to be made."""
    rows = conn.execute(
        "SELECT path, size, mtime_ns, hash, language FROM files JOIN details ON file_id = id"
        " WHERE facts IS NULL ORDER BY id"
    )
    return [LateJob(*row) for row in rows]
