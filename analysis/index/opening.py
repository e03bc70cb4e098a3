"""Opening the index of a code base: as a file, rebuilt if need be, or in memory."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path
from traceback import walk_tb

from analysis.index import schema
from analysis.index.location import database_path
from analysis.index.seal import condemn, is_known_trouble, seal_state
from analysis.index.store import FileStore, MemoryStore, Store, create_file, remove_file
from analysis.index.writer_lock import WriterLock
from analysis.settings import IndexSettings
from analysis.shortage import lacks_memory

logger = logging.getLogger(__name__)

_LOCK_WAIT_S = 5.0
"""Making an empty index takes milliseconds; who holds the lock longer is filling an older one."""

_HELD = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_OUT_OF_REACH = (
    *_HELD, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM,
)  # fmt: skip
_END = "End the program that holds it for itself"
_FREE = "Free some space there"

Tell = Callable[[str], None]
"""Takes a sentence for the user."""


def open_store(identity: str, settings: IndexSettings, tell: Tell) -> Store:
    """Return the store of a code base's index; an unusable file is replaced by an empty one."""
    path = database_path(identity, settings)
    # The name of a folder may be no text; the file's own name tells such folders apart.
    name = identity.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if file_state(path, name) != "current":
            _make(path, name, tell)
        return FileStore(path)
    except (OSError, sqlite3.Error) as error:
        return memory_store(path, name, error, tell)


def memory_store(path: Path, root: str, error: Exception, tell: Tell) -> Store:
    """Return a store in memory because the index file cannot be used."""
    logger.warning("The index %s cannot be used: %s", path, error)
    is_held = isinstance(error, TimeoutError) or _code_of(error) in _HELD
    tell(
        f"The code index cannot be kept in {str(path.parent)!r} ({reason_of(error)}); it is held in"
        f" memory and has to be made anew next time. {_END if is_held else _FREE}, or set another"
        " folder as index.cache_dir."
    )
    return MemoryStore(root, copy_of=path)


def file_state(path: Path, root: str) -> str:
    """Return ``current``, ``absent``, ``outdated`` or ``damaged`` for an index file."""
    if not path.exists():
        return "absent"
    try:
        store = FileStore(path)
        with contextlib.closing(store), store.reading() as conn:
            if schema.is_empty_file(conn):
                return "absent"
            if not schema.is_current(conn, root):
                return "outdated"
        return "damaged" if seal_state(path) == "broken" else "current"
    except sqlite3.OperationalError as error:
        if is_damage(error):
            return "damaged"
        raise
    except sqlite3.DatabaseError:
        return "damaged"


def replace_damaged(path: Path, root: str, tell: Tell) -> None:
    """Put an empty index in place of a damaged one; the caller holds the writer lock."""
    remove_file(path)
    create_file(path, root)
    tell("The code index was damaged and is built anew.")


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an error means that the file's content is wrong."""
    if not isinstance(error, sqlite3.OperationalError):
        return isinstance(error, sqlite3.DatabaseError) and not isinstance(
            error, sqlite3.ProgrammingError | sqlite3.IntegrityError
        )
    return any(words in str(error) for words in ("no such table", "no such column", "decode"))


def is_out_of_reach(error: Exception) -> bool:
    """Return whether an error says that the file is held, closed or on a full or broken disk."""
    return _code_of(error) in _OUT_OF_REACH


def _code_of(error: Exception) -> int:
    """Return SQLite's primary code of an error; 0 if it is none of SQLite's."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


_TAKE_APART = ("analysis.index.", "analysis.parsing.facts.tables")
UNREADABLE = (ValueError, LookupError, TypeError, ArithmeticError, MemoryError, RecursionError)
"""What taking apart damaged data comes to, where SQLite saw nothing wrong."""


def is_to_blame(store: Store, error: Exception) -> bool:
    """Return whether an error comes of damage to the index; then that is noted for all.

    What may be a bug as well is taken for damage only if it came up while the index was taken
    apart, and if the file was not built anew for the same before.
    """
    if not isinstance(store, FileStore) or lacks_memory(error):
        return False
    if isinstance(error, (*UNREADABLE, sqlite3.IntegrityError)):
        where = _place_of_reading(error)
        damaged = where is not None and (
            seal_state(store.path) != "intact"
            or not is_known_trouble(store.path, f"{type(error).__name__} {where}")
        )
    else:
        damaged = isinstance(error, zlib.error) or (
            isinstance(error, sqlite3.Error) and is_damage(error)
        )
    if damaged:
        logger.warning("The index %s is taken to be damaged", store.path, exc_info=error)
        condemn(store.path)
    return damaged


def _place_of_reading(error: Exception) -> str | None:
    """Return where an error came up, if the innermost module of ours there is one of the index."""
    places = [(str(f.f_globals.get("__name__", "")), n) for f, n in walk_tb(error.__traceback__)]
    ours = [place for place in places if place[0].startswith(("analysis.", "lsp_server."))]
    if not ours or not ours[-1][0].startswith(_TAKE_APART):
        return None
    name, line = ours[-1]
    return f"{name}:{line}"


def reason_of(error: Exception) -> str:
    """Return what went wrong, in a few words."""
    return getattr(error, "strerror", None) or str(error)


def _make(path: Path, root: str, tell: Tell) -> None:
    """Make an empty index, unless another process does so first."""
    lock = WriterLock(path, _LOCK_WAIT_S)
    if not lock.acquire():
        raise TimeoutError("another program holds its lock")
    try:
        state = file_state(path, root)
        if state == "damaged":
            replace_damaged(path, root, tell)
        elif state == "outdated":
            remove_file(path)
            tell("The code index was made by another version of the program and is built anew.")
        create_file(path, root)
    finally:
        lock.release()
