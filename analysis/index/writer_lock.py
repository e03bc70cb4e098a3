"""One writer at a time for an index, among threads and processes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import FileLock

    from analysis.stopping import StopFlag

_FIRST_LOOK_S = 0.02
_LONGEST_LOOK_S = 0.5
_SLOWER = 1.5
"""Each look comes later than the last: many who wait must not take the machine from who writes."""
_POLL_S = 0.1
"""How late a stop is seen."""
_PATIENCE_S = 60.0
"""A writer that has stored nothing for so long is taken to hang; its index is read as it is."""


class WriterLock:
    """The right to write an index; the system frees that of a file when its holder dies."""

    def __init__(self, database: Path | None, patience_s: float = _PATIENCE_S) -> None:
        self._threads = threading.Lock()
        self._path = lock_path(database) if database else None
        self._file: FileLock | None = None
        self._patience_s = patience_s

    def acquire(
        self, progress: Callable[[], object] | None = None, stop: StopFlag | None = None
    ) -> bool:
        """Take the lock, waiting as long as its holder gets on; return whether it was taken.

        Args:
            progress: Returns something that changes while the holder gets on.
            stop: Polled while waiting.

        Raises:
            Cancelled: ``stop`` was set.
        """
        seen: object = None
        since = time.monotonic()
        pause_s = _FIRST_LOOK_S
        while not self._try():
            now = progress() if progress else None
            if now != seen:
                seen, since = now, time.monotonic()
            if time.monotonic() - since > self._patience_s:
                return False
            _sleep(pause_s, stop)
            pause_s = min(pause_s * _SLOWER, _LONGEST_LOOK_S)
        return True

    def acquire_now(self) -> bool:
        """Take the lock if nobody has it; return whether it was taken."""
        return self._try()

    def release(self) -> None:
        """Give the lock back."""
        if self._file is not None:
            self._file.release()
        self._threads.release()

    def _try(self) -> bool:
        if not self._threads.acquire(blocking=False):
            return False
        is_held = False
        try:
            is_held = self._path is None or self._try_file(self._path)
        finally:
            if not is_held:
                self._threads.release()
        return is_held

    def _try_file(self, path: Path) -> bool:
        from filelock import FileLock, Timeout

        if self._file is None:
            # Not shared by several holders of a path in this process: they exclude each other too.
            self._file = FileLock(path, thread_local=False)
        try:
            self._file.acquire(timeout=0)
        except Timeout:
            return False
        return True


def _sleep(seconds: float, stop: StopFlag | None) -> None:
    """Sleep, unless ``stop`` is set meanwhile."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if stop is not None:
            stop.check()
        time.sleep(min(left, _POLL_S))


def lock_path(database: Path) -> Path:
    """Return the file whose lock a writer holds."""
    return database.with_name(database.name + ".lock")
