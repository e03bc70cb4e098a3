"""What the editor shows: the text of open files, which wins over what is on the disk."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OpenBuffer:
    """The text of an open file, perhaps not saved."""

    text: str
    """As the editor holds it, with the editor's line ends."""
    version: int
    """Grows with each edit; the editor's own number."""


class OpenBuffers:
    """The open files by path relative to the root; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._buffers: dict[str, OpenBuffer] = {}

    def open(self, path: str, text: str, version: int) -> None:
        """Hold the text of a file that was opened or edited."""
        with self._lock:
            self._buffers[path] = OpenBuffer(text, version)

    def close(self, path: str) -> None:
        """Forget a file that was closed: from now on the disk counts again."""
        with self._lock:
            self._buffers.pop(path, None)

    def get(self, path: str) -> OpenBuffer | None:
        """Return the open text of a file, or None if it is not open."""
        with self._lock:
            return self._buffers.get(path)

    def snapshot(self) -> Mapping[str, OpenBuffer]:
        """Return all open files as they are now; later edits do not change the result."""
        with self._lock:
            return dict(self._buffers)
