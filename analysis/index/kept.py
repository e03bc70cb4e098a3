"""What was read of one state of an index and may be asked for again, within bounds."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """Values by key, as many as there is room for; those kept for longest go first.

    Args:
        room: What the sizes of all values come to at most.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._values: dict[K, tuple[V, int]] = {}
        self._size = 0
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """Return the value of a key, if it is there."""
        found = self._values.get(key)
        return None if found is None else found[0]

    def keep(self, key: K, value: V, size: int) -> None:
        """Keep a value of some size; what is larger than a quarter of the room is not kept."""
        if size > self._room // 4:
            return
        with self._lock:
            self._drop(key)
            self._values[key] = (value, size)
            self._size += size
            while self._size > self._room:
                self._drop(next(iter(self._values)))

    def _drop(self, key: K) -> None:
        _, size = self._values.pop(key, (None, 0))
        self._size -= size
