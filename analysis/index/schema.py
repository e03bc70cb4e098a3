"""The tables of the index file, and when a file that was found can be used.

Ranking and identifier lookup live in *segments*, as in a search engine: while indexing, postings
are gathered in memory and written, term by term, as packed rows that never change. A file that is
read again goes to a newer segment and leaves its old rows behind as dead; ``files.segment`` alone
says which rows of a file are alive. Small segments are merged later. The key starts with the
segment, so a segment is written by appending, and a lookup is one descent per segment.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sqlite3
import sys
import time
import zlib
from pathlib import Path

import analysis.parsing
from analysis.parsing.grammars import GRAMMAR_PACKAGES

FORMAT = 4
"""Raised with every change of the tables or of what is packed into them."""

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

-- One row per file of the scan, also for those left out when read (skipped holds the reason).
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  hash BLOB NOT NULL,
  segment INTEGER,
  language TEXT NOT NULL DEFAULT '',
  line_count INTEGER NOT NULL DEFAULT 0,
  skipped TEXT
);

-- What is read one file at a time: imports, docstring and chunk symbols; facts for references,
-- NULL until they are made.
CREATE TABLE details (file_id INTEGER PRIMARY KEY, outline BLOB NOT NULL, facts BLOB);

CREATE TABLE symbols (
  file_id INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  parent INTEGER,             -- ord of the enclosing symbol
  name TEXT NOT NULL,
  qualified_name TEXT NOT NULL,
  kind TEXT NOT NULL,
  line INTEGER NOT NULL,
  line_end INTEGER NOT NULL,
  signature TEXT NOT NULL,
  name_line INTEGER NOT NULL,
  name_column INTEGER NOT NULL,
  decorated_line INTEGER NOT NULL,
  decorators TEXT,            -- JSON list; NULL for none
  docstring TEXT,
  exported INTEGER NOT NULL,
  PRIMARY KEY (file_id, ord)
) WITHOUT ROWID;
CREATE INDEX symbols_by_name ON symbols (name);

CREATE TABLE segments (
  id INTEGER PRIMARY KEY,
  n_chunks INTEGER NOT NULL,
  files BLOB NOT NULL,        -- file ids, uint32; other rows of the segment count by position here
  chunks BLOB NOT NULL        -- columns of the chunk table, see packing.py
);
CREATE TABLE postings (
  segment INTEGER NOT NULL, term TEXT NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (segment, term)
) WITHOUT ROWID;
CREATE TABLE identifiers (
  segment INTEGER NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (segment, name)
) WITHOUT ROWID;
"""
_TABLE_NAMES = ("meta", "files", "details", "symbols", "segments", "postings", "identifiers")


def create_tables(conn: sqlite3.Connection, root: str) -> None:
    """Make an empty index in an open transaction, in place of what was there."""
    for name in _TABLE_NAMES:
        conn.execute(f"DROP TABLE IF EXISTS {name}")
    for statement in _TABLES.split(";\n"):
        conn.execute(statement)
    meta: dict[str, object] = {"format": FORMAT, "parsers": parsers_fingerprint(), "root": root}
    meta["generation"] = time.time_ns() // 1000  # never one that an earlier index had
    conn.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())


def is_current(conn: sqlite3.Connection, root: str) -> bool:
    """Return whether an index holds what this version of the program would write for ``root``.

    Views and triggers, with which a prepared file could answer in our place, are not of it.
    """
    if _parts(conn) != _our_parts():
        return False
    meta = dict(conn.execute("SELECT key, value FROM meta"))
    wanted = (FORMAT, parsers_fingerprint(), root)
    return (meta.get("format"), meta.get("parsers"), meta.get("root")) == wanted


def _parts(conn: sqlite3.Connection) -> list[tuple[object, ...]]:
    return conn.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()


@functools.cache
def _our_parts() -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        create_tables(conn, "")
        return _parts(conn)


def is_empty_file(conn: sqlite3.Connection) -> bool:
    """Return whether a database has no tables yet."""
    return conn.execute("SELECT 1 FROM sqlite_master").fetchone() is None


def meta_value(conn: sqlite3.Connection, key: str) -> int:
    """Return a number kept in the index; 0 if it is not there."""
    row = conn.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return int(row[0]) if row else 0


def set_meta(conn: sqlite3.Connection, key: str, value: int) -> None:
    """Keep a number in the index."""
    conn.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


@functools.cache
def parsers_fingerprint() -> str:
    """Return a short text that changes whenever files could be parsed differently."""
    checksum = 0
    for path in sorted(Path(folder) for folder in analysis.parsing.__path__):
        for module in sorted(path.rglob("*.py")):
            checksum = zlib.crc32(module.read_bytes(), checksum)
    known = _installed()
    packages = ("tree-sitter", *GRAMMAR_PACKAGES)
    versions = "-".join(known.get(_folded(name)) or _version(name) for name in packages)
    return f"{checksum:08x}-{versions}"


def _installed() -> dict[str, str]:
    """Return the versions of installed packages, as the folders of their metadata are called.

    To read twenty of those files, as the library does, takes longer than a search.
    """
    found: dict[str, str] = {}
    for folder in sys.path:
        with contextlib.suppress(OSError):
            for entry in os.listdir(folder or "."):  # noqa: PTH208 (names are all that is needed)
                if entry.endswith(".dist-info"):
                    name, _, version = entry.removesuffix(".dist-info").rpartition("-")
                    found.setdefault(_folded(name), version)
    return found


def _folded(name: str) -> str:
    return name.replace("-", "_").lower()


def _version(package: str) -> str:
    """Return an installed package's version; nothing if it is not there."""
    import importlib.metadata

    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""
