"""The facts of a code base's files, unpacked on demand and kept within a memory limit."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from analysis.parsing.facts.tables import DamagedFacts, Facts, unpack

# About the decoded facts of 3,500 files of usual size.
_MEMORY_LIMIT_BYTES = 64 * 1024 * 1024


class FactSource(Protocol):
    """Where facts come from: the index, or a table in memory."""

    def root_name(self) -> str:
        """Return the name of the folder that the paths are relative to."""
        ...

    def paths(self) -> Iterable[str]:
        """Return all files of the code base."""
        ...

    def facts(self, path: str) -> bytes:
        """Return a file's packed facts, empty if it has none."""
        ...

    def files_with_identifier(self, name: str) -> Sequence[str]:
        """Return the files in whose text a name occurs."""
        ...

    def text(self, path: str) -> str:
        """Return a file's text, empty if it cannot be read."""
        ...


class FactsLibrary:
    """Unpacked facts by file, the least recently used dropped first."""

    def __init__(self, source: FactSource, memory_limit: int = _MEMORY_LIMIT_BYTES) -> None:
        self._source = source
        self._limit = memory_limit
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._state = 0
        self._size = 0

    def use(self, source: FactSource, *, is_new_state: bool) -> None:
        """Read from another source from now on; kept facts are compared with it if it is new."""
        self._source = source
        self._state += is_new_state

    def facts(self, path: str) -> Facts:
        """Return a file's facts; empty tables if it has none."""
        kept = self._kept.get(path)
        if kept is not None and kept.state == self._state:
            self._kept.move_to_end(path)
            return kept.facts
        blob = self._source.facts(path)
        if kept is not None:
            if kept.digest == hash(blob):
                kept.state = self._state
                return kept.facts
            del self._kept[path]
            self._size -= kept.size
        return self._keep(path, blob)

    def files_with_identifier(self, name: str) -> Sequence[str]:
        """Return the files in whose text a name occurs."""
        return self._source.files_with_identifier(name)

    def _keep(self, path: str, blob: bytes) -> Facts:
        try:
            facts = unpack(blob)
        except DamagedFacts:
            facts = Facts()
        size = facts.byte_size()
        self._kept[path] = _Kept(facts, size, hash(blob), self._state)
        self._size += size
        while self._size > self._limit and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            self._size -= dropped.size
        return facts


@dataclass(slots=True)
class _Kept:
    """A file's facts, and with which state of the source they were compared last."""

    facts: Facts
    size: int
    digest: int
    state: int
