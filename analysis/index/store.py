"""The database behind an index: a file that processes share, or memory where there is none."""

from __future__ import annotations

import contextlib
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from analysis.index import schema
from analysis.index.seal import break_seal, put_seal, remove_seal, seal_state

_BUSY_TIMEOUT_S = 4.0
"""Writers are kept apart by a file lock; this only bridges checkpoints and crash recovery."""
_BUSY_COPY_S = 0.2
"""A file is copied because it could not be used: what holds it has been waited for already."""
_MAX_COPY_BYTES = 1_000_000_000
"""A larger index is not taken into memory but made anew."""
_BYTES_PER_CHANGE = 1000
"""Where fewer bytes of the file stand against each changed row, it is read for its checksum too."""
_SUFFIXES = ("", "-wal", "-shm", "-journal")
"""What is put behind the name of an index file for it and for SQLite's own files beside it."""
_CACHE_KB = 16_000
"""Page cache of a connection; enough for the inner pages of a large index."""


class Store(Protocol):
    """Gives transactions on an index."""

    in_memory: bool

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """Return a transaction that sees one state of the index until it ends."""
        ...

    def writing(self, *, is_same_state: bool = False) -> AbstractContextManager[sqlite3.Connection]:
        """Return a transaction that makes the next generation, or changes nothing if it fails.

        What says nothing new about the code leaves the generation as it is.
        """
        ...

    def tidy(self) -> None:
        """Give back space that only writing needed, and seal what was written."""
        ...

    def size_bytes(self) -> int:
        """Return what the index takes."""
        ...

    def close(self) -> None:
        """Let go of the database."""
        ...


class FileStore:
    """An index file: one connection for writing, a pool of them for reading."""

    in_memory = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self._idle: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._writer: sqlite3.Connection | None = None
        self._closed = False
        self._identity = _identity(path)
        self._written = 0
        self.is_unfinished = False
        """Whether this store has written what it could not seal."""

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Return a transaction on a pooled connection."""
        with self._lock:
            conn = self._idle.pop() if self._idle else None
        conn = conn or _connect(self.path)
        try:
            conn.execute("BEGIN")
            yield conn
            conn.execute("COMMIT")
        except BaseException:
            conn.close()
            raise
        with self._lock:
            if not self._closed:
                self._idle.append(conn)
                return
        conn.close()

    @contextmanager
    def writing(self, *, is_same_state: bool = False) -> Iterator[sqlite3.Connection]:
        """Return a transaction on the one writing connection; the caller holds the writer lock."""
        if self._writer is None:
            self._writer = _connect(self.path)
        break_seal(self.path)
        self.is_unfinished = True
        before = self._writer.total_changes
        with _transaction(self._writer, is_same_state=is_same_state):
            yield self._writer
        self._written += self._writer.total_changes - before

    def tidy(self) -> None:
        """Move the log into the file and seal it, unless a reader still needs the log."""
        if self._writer is None:
            self._writer = _connect(self.path)
        self._writer.execute("PRAGMA busy_timeout=50")
        (busy, _, _) = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self._writer.execute(f"PRAGMA busy_timeout={int(_BUSY_TIMEOUT_S * 1000)}")
        if busy:
            return
        written, self._written = self._written, 0
        # Without a seal all is as it was: what SQLite can see is believed.
        with contextlib.suppress(OSError):
            is_much = written * _BYTES_PER_CHANGE >= self.path.stat().st_size
            put_seal(self.path, with_checksum=is_much)
            self.is_unfinished = False

    def is_whole(self) -> bool:
        """Return whether the file is as it was written, as far as can be found out; reads all."""
        if seal_state(self.path) == "broken":
            return False
        try:
            with contextlib.closing(_connect(self.path)) as conn:
                (word,) = conn.execute("PRAGMA integrity_check(1)").fetchone()
        except sqlite3.Error:
            return False
        return bool(word == "ok")

    def is_in_place(self) -> bool:
        """Return whether the file at the path is still the one that was opened."""
        return _identity(self.path) == self._identity

    def size_bytes(self) -> int:
        """Return the size of the file and its log."""
        paths = (self.path, self.path.with_name(self.path.name + "-wal"))
        return sum(path.stat().st_size for path in paths if path.exists())

    def close(self) -> None:
        """Close idle connections now, busy ones when they come back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for conn in [*idle, *([self._writer] if self._writer else [])]:
            with contextlib.suppress(sqlite3.Error):
                conn.close()
        self._writer = None


class MemoryStore:
    """An index that lives as long as the process; readers and the writer take turns."""

    in_memory = True

    def __init__(self, root: str, copy_of: Path | None = None) -> None:
        self._lock = threading.RLock()
        self._conn = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        if copy_of is None or not self._copy(copy_of, root):
            with _transaction(self._conn):
                schema.create_tables(self._conn, root)

    def _copy(self, path: Path, root: str) -> bool:
        """Start from what an index file holds; False if it cannot be used."""
        try:
            _check_files(path)
            if path.stat().st_size > _MAX_COPY_BYTES or seal_state(path) == "broken":
                return False
            # A folder that cannot be written has no log to look into, and SQLite must be told so.
            log = path.with_name(path.name + "-wal")
            mode = "mode=ro" if log.exists() else "immutable=1"
            uri = f"{path.absolute().as_uri()}?{mode}"
            with contextlib.closing(sqlite3.connect(uri, _BUSY_COPY_S, uri=True)) as source:
                source.backup(self._conn, progress=_not_waiting)
            (state,) = self._conn.execute("PRAGMA quick_check(1)").fetchone()
            return state == "ok" and schema.is_current(self._conn, root)
        except (OSError, sqlite3.Error):
            return False

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Return the connection, held until the reading ends."""
        with self._lock:
            yield self._conn

    @contextmanager
    def writing(self, *, is_same_state: bool = False) -> Iterator[sqlite3.Connection]:
        """Return a transaction on the connection."""
        with self._lock, _transaction(self._conn, is_same_state=is_same_state):
            yield self._conn

    def tidy(self) -> None:
        """Do nothing: pages are used again."""

    def size_bytes(self) -> int:
        """Return the memory that the pages take."""
        with self._lock:
            pages = self._conn.execute("PRAGMA page_count").fetchone()[0]
            return int(pages * self._conn.execute("PRAGMA page_size").fetchone()[0])

    def close(self) -> None:
        """Free the memory."""
        with self._lock:
            self._conn.close()


def _not_waiting(status: int, _remaining: int, _total: int) -> None:
    """End a copy of a file that another program holds, for which Python would wait for ever."""
    if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        raise sqlite3.OperationalError("the file is held by another program")


def create_file(path: Path, root: str) -> None:
    """Make an empty index at ``path`` if there is none; the caller holds the writer lock."""
    break_seal(path)
    conn = _connect(path)
    try:
        conn.execute("PRAGMA journal_mode=WAL").fetchall()
        with _transaction(conn):
            if schema.is_empty_file(conn):
                schema.create_tables(conn, root)
    finally:
        conn.close()


def remove_file(path: Path) -> None:
    """Remove an index file with its log and its seal."""
    for suffix in _SUFFIXES:
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    remove_seal(path)


def _check_files(path: Path) -> None:
    """Look at what SQLite is about to open: it would wait for a pipe for ever.

    Raises:
        DatabaseError: The index, or what lies beside it, is no file.
    """
    beside = [path.with_name(path.name + suffix) for suffix in _SUFFIXES if suffix]
    for file, follows in [(path, True), *((file, False) for file in beside)]:
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISREG(file.stat(follow_symlinks=follows).st_mode):
                raise sqlite3.DatabaseError(f"{str(file)!r} is not a regular file")


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from a later one of the same name; None if there is none."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


def _connect(path: Path) -> sqlite3.Connection:
    _check_files(path)
    conn = sqlite3.connect(
        path, timeout=_BUSY_TIMEOUT_S, check_same_thread=False, isolation_level=None
    )
    try:
        conn.execute("PRAGMA synchronous=NORMAL")
        conn.execute(f"PRAGMA cache_size=-{_CACHE_KB}")
        conn.execute("PRAGMA temp_store=MEMORY")
        conn.execute("PRAGMA cell_size_check=ON")
        conn.execute("PRAGMA trusted_schema=OFF")
    except sqlite3.Error:
        conn.close()
        raise
    return conn


@contextmanager
def _transaction(conn: sqlite3.Connection, *, is_same_state: bool = False) -> Iterator[None]:
    """Commit the next generation at the end, or roll back."""
    conn.execute("BEGIN IMMEDIATE")
    try:
        yield
        if not is_same_state:
            conn.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
        conn.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            conn.execute("ROLLBACK")
        raise
