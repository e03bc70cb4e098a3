"""The memory of this process and its children, sampled while something runs."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Self

_EVERY_S = 0.05


class PeakMemory:
    """A ``with`` block that knows the highest total of resident memory inside it (Linux)."""

    def __init__(self, pid: int | None = None) -> None:
        self.peak_mb = 0.0
        self._pid = pid or os.getpid()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.is_set():
            self.peak_mb = max(self.peak_mb, tree_mb(self._pid))
            time.sleep(_EVERY_S)


def tree_mb(pid: int) -> float:
    """Return the resident memory of a process and its children, shared pages counted for each."""
    total = _resident_mb(pid)
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return total
    for task in tasks:
        try:
            children = (task / "children").read_text().split()
        except OSError:
            continue
        total += sum(tree_mb(int(child)) for child in children)
    return total


def _resident_mb(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
