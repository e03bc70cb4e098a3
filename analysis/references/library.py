"""The facts of a code base's files, unpacked on demand and kept within a memory limit."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Protocol

from analysis.parsing.facts.tables import DamagedFacts, Facts, unpack

# About the decoded facts of 3,500 files of usual size.
_MEMORY_LIMIT_BYTES = 64 * 1024 * 1024


class FactSource(Protocol):
    """Where facts come from: the index, or a table in memory."""

    def paths(self) -> Iterable[str]:
        """Return all files of the code base."""
        ...

    def facts(self, path: str) -> bytes:
        """Return a file's packed facts, empty if it has none."""
        ...

    def files_with_identifier(self, name: str) -> Sequence[str]:
        """Return the files in whose text a name occurs."""
        ...

    def lines(self, path: str) -> Sequence[str]:
        """Return a file's source lines."""
        ...


class FactsLibrary:
    """Unpacked facts by file, the least recently used dropped first."""

    def __init__(self, source: FactSource, memory_limit: int = _MEMORY_LIMIT_BYTES) -> None:
        self._source = source
        self._limit = memory_limit
        self._kept: OrderedDict[str, tuple[Facts, int]] = OrderedDict()
        self._size = 0

    def facts(self, path: str) -> Facts:
        """Return a file's facts; empty tables if it has none."""
        kept = self._kept.get(path)
        if kept is not None:
            self._kept.move_to_end(path)
            return kept[0]
        try:
            facts = unpack(self._source.facts(path))
        except DamagedFacts:
            facts = Facts()
        size = facts.byte_size()
        self._kept[path] = (facts, size)
        self._size += size
        while self._size > self._limit and len(self._kept) > 1:
            _, (_, dropped) = self._kept.popitem(last=False)
            self._size -= dropped
        return facts
