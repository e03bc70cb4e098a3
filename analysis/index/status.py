"""What an index holds, in numbers."""

from __future__ import annotations

import sqlite3
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.index.schema import meta_value
from analysis.workspace.classify import says_source

if TYPE_CHECKING:
    from analysis.workspace.scan import Scan

_NAMED = 5
"""Files that a sentence names."""


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """The state of an index."""

    path: str | None
    """The index file; None for an index in memory."""
    size_bytes: int
    files: int
    """Files that were read and are in the index, those left out by content included."""
    total: int
    """Files of the code base at the last refresh; more than ``files`` while indexing goes on."""
    searched: int
    """Files that can be found."""
    chunks: int
    symbols: int
    segments: int
    notices: tuple[str, ...]
    """What the user should know, in whole sentences."""

    @property
    def complete(self) -> bool:
        """Whether every file of the last refresh was read."""
        return self.total > 0 and self.files >= self.total


def read_status(
    conn: sqlite3.Connection, path: str | None, size_bytes: int, notices: tuple[str, ...]
) -> IndexStatus:
    """Return the state that the open transaction sees."""
    files, searched = conn.execute("SELECT count(*), count(segment) FROM files").fetchone()
    segments, chunks = conn.execute("SELECT count(*), total(n_chunks) FROM segments").fetchone()
    (symbols,) = conn.execute("SELECT count(*) FROM symbols").fetchone()
    total = meta_value(conn, "n_files")
    return IndexStatus(
        path, size_bytes, files, total, searched, int(chunks), symbols, segments, notices
    )


def skipped_counts(conn: sqlite3.Connection, scan: Scan) -> dict[str, int]:
    """Return how many files are left out by reason, by name and by content."""
    counts: Counter[str] = Counter(scan.counts)
    for reason, n in conn.execute(
        "SELECT skipped, count(*) FROM files WHERE skipped IS NOT NULL GROUP BY skipped"
    ):
        counts[reason] += n
    return dict(counts)


def source_left_out(conn: sqlite3.Connection) -> list[str]:
    """Return a sentence on files that are not searched although their names say they are source."""
    rows = conn.execute(
        "SELECT path, skipped FROM files WHERE skipped IN ('binary', 'unreadable') ORDER BY path"
    )
    found = [f"{path!r} ({reason})" for path, reason in rows if says_source(path)]
    if not found:
        return []
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return [f"Not searched for what is in them: {', '.join(found[:_NAMED])}{more}."]
