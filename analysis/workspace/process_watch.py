"""Tells whether a program that reads a repository was led into a trap, where Linux can show it.

A repository can put a pipe where git expects a file, such as an ignore file: git waits for ever for
a writer. Or it puts a file of holes there, which takes no space, and git reads all of it into
memory. No option of git limits either.
"""

from __future__ import annotations

import contextlib
import mmap
import time
from pathlib import Path

# A disk that is slow puts a process into another state, so this is no matter of patience.
_IDLE_S = 3.0
# Indexes of the largest repositories that are known take a tenth of it.
_MOST_BYTES = 1_000_000_000
_SLEEPING = "S"
_CPU_FIELDS = slice(11, 13)  # utime and stime, counted after the name


class ProcessWatch:
    """Looks at a process each time it is asked.

    Args:
        pid: A child of ours that reads files, and has no reason to wait for anything else.
    """

    def __init__(self, pid: int) -> None:
        """Begin to look at the process."""
        self._folder = Path("/proc", str(pid))
        self._busy_at = time.monotonic()
        self._cpu: list[str] | None = None

    def trouble(self) -> str | None:
        """Return what is wrong with the process, or None; None where the system does not tell."""
        if self._memory() > _MOST_BYTES:
            return "it read more than memory should hold"
        cpu = self._idle_at()
        if cpu is None or cpu != self._cpu:
            self._cpu, self._busy_at = cpu, time.monotonic()
        elif time.monotonic() - self._busy_at > _IDLE_S:
            return "it waits for something that is no file"
        return None

    def _memory(self) -> int:
        """Return the bytes of its own that are in memory; those of files it maps do not count."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            pages = (self._folder / "statm").read_text("ascii").split()
            return (int(pages[1]) - int(pages[2])) * mmap.PAGESIZE
        return 0

    def _idle_at(self) -> list[str] | None:
        """Return the time that all of its threads, all asleep, have used; None if one is not."""
        used: list[str] = []
        with contextlib.suppress(OSError, IndexError):
            for thread in sorted((self._folder / "task").iterdir()):
                fields = (thread / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
                if fields[0] != _SLEEPING:
                    return None
                used += fields[_CPU_FIELDS]
            return used
        return None
