"""Tells whether an index file is as its last writer left it.

SQLite notices damage to its own structure, and only where it reads; a byte that was changed within
a name or a list would be a wrong answer. So a writer that has finished leaves a seal beside the
file: its size, its times and its place, and where that is cheap a checksum of its content. A file
that is not what its seal says was changed by something else, and is built anew. While a file is
being written, and after a writer was killed, there is no seal: what SQLite recovers then is whole.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import zlib
from pathlib import Path
from typing import Literal

from analysis.errors import OutputUnwritable
from analysis.workspace.atomic import write_atomically
from analysis.workspace.safe_open import read_named

SealState = Literal["intact", "broken", "none"]

_BLOCK = 1 << 20
_LARGEST = 1000  # bytes of a seal
_kept: dict[tuple[int, int], int] = {}
_lock = threading.Lock()


def seal_path(database: Path) -> Path:
    """Return the file that holds the seal of an index."""
    return database.with_name(database.name + ".seal")


def seal_state(database: Path) -> SealState:
    """Return whether a file is what its seal says, or that it has none."""
    if _verdict_path(database).exists():
        return "broken"
    raw = _raw_seal(database)
    if raw is None or _holds(database, raw):
        return "none" if raw is None else "intact"
    # A writer that began meanwhile has taken the seal away before it wrote.
    return "broken" if _raw_seal(database) == raw else "none"


def put_seal(database: Path, *, with_checksum: bool) -> None:
    """Seal a file; the caller holds the writer lock, and nothing waits to be written into it.

    Args:
        database: The index file.
        with_checksum: Also note what is in it, which reads it as a whole.
    """
    checksum = _checksum(database) if with_checksum else None
    data = {"state": _state(database), "checksum": checksum}
    path = seal_path(database)
    temporary = path.with_name(path.name + f".{os.getpid()}")
    temporary.write_text(json.dumps(data), "utf-8")
    temporary.replace(path)


def break_seal(database: Path) -> None:
    """Remove the seal of a file, which is about to be written; the caller holds the writer lock."""
    seal_path(database).unlink(missing_ok=True)


def condemn(database: Path) -> None:
    """Note that a file was found to be damaged: whoever opens it next builds it anew."""
    with contextlib.suppress(OSError):
        _verdict_path(database).touch()


def is_known_trouble(database: Path, trouble: str) -> bool:
    """Return whether a file was built anew for this before; what comes back is no damage.

    Args:
        database: The index file.
        trouble: Which error came up where; noted for the next time if it was not known.
    """
    path = database.with_name(database.name + ".mended")
    try:
        known = read_named(path, _LARGEST).decode("utf-8", "replace").splitlines()
    except OSError:
        known = []
    if trouble in known:
        return True
    with contextlib.suppress(OutputUnwritable):
        write_atomically(path, "\n".join([trouble, *known])[:_LARGEST])
        return False
    return True  # What cannot be noted would be built anew for ever.


def remove_seal(database: Path) -> None:
    """Remove the seal of a file that is itself removed, and what was found out about it."""
    for path in (seal_path(database), _verdict_path(database)):
        path.unlink(missing_ok=True)


def _verdict_path(database: Path) -> Path:
    return database.with_name(database.name + ".damaged")


def _raw_seal(database: Path) -> bytes | None:
    """Return a seal as it was written; None if there is none."""
    try:
        return read_named(seal_path(database), _LARGEST)
    except FileNotFoundError:
        return None
    except OSError:
        return b""


def _holds(database: Path, raw: bytes) -> bool:
    """Return whether a file is what its seal says."""
    try:
        seal = json.loads(raw)
        known, checksum = tuple(seal["state"]), seal["checksum"]
        now = _state(database)
        if now == known:
            return True
        # It may have been copied, or brought back from a store: what counts is what is in it.
        return checksum is not None and now[0] == known[0] and checksum == _checksum(database)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _state(database: Path) -> tuple[int, int, int, int]:
    """Return what changes when a file is written: size, times, and which file it is."""
    state = database.stat()
    # Elsewhere that is the time of the last change of any kind, which cannot be set.
    changed = 0 if os.name == "nt" else state.st_ctime_ns
    return state.st_size, state.st_mtime_ns, changed, state.st_ino


def _checksum(database: Path) -> int:
    checksum = at = 0
    if os.name == "nt":
        with database.open("rb") as stream:
            while block := stream.read(_BLOCK):
                checksum = zlib.crc32(block, checksum)
        return checksum
    descriptor = _kept_open(database)
    while block := os.pread(descriptor, _BLOCK, at):
        checksum, at = zlib.crc32(block, checksum), at + len(block)
    return checksum


def _kept_open(database: Path) -> int:
    """Return a descriptor of a file that stays open as long as the file is there.

    To close any descriptor of a file gives up all locks that the process has on it, also those of
    SQLite: another process would then take itself for the last one, and remove the log that we
    write into.
    """
    with _lock:
        for key, known in list(_kept.items()):
            if os.fstat(known).st_nlink == 0:
                os.close(_kept.pop(key))
        state = database.stat()
        key = state.st_dev, state.st_ino
        if key not in _kept:
            _kept[key] = os.open(database, os.O_RDONLY | os.O_NONBLOCK)
        return _kept[key]
