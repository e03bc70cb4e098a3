"""An enhanced backend: the syntax backend's answers, with what it left open confirmed by another.

The other one is Jedi or a language server. It is asked only about uses that were not decided,
within a time limit. It can confirm a use; when it fails, knows nothing or says that the use is of
something else, the use stays unverified.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from analysis.backends.ast_backend import AstBackend, definitions_from
from analysis.errors import BackendFailed
from analysis.models import (
    DefinitionPlace,
    DefinitionPlaces,
    FileOutline,
    Position,
    Reference,
    ReferenceList,
    SymbolDetail,
)
from analysis.parsing.grammars import TABLE_LANGUAGES
from analysis.parsing.languages import language_of
from analysis.references.search.order import in_order
from analysis.stopping import Deadline, StopFlag

logger = logging.getLogger(__name__)

# More open uses than this are not decided one by one while somebody waits.
_MAX_DECIDED = 60


class SemanticResolver(Protocol):
    """Knows where names lead to."""

    name: str

    def knows(self, path: str) -> bool:
        """Return whether it can be asked about a file."""
        ...

    def definitions(
        self, path: str, line: int, column: int, timeout_s: float
    ) -> list[DefinitionPlace]:
        """Return where the identifier at a place is defined; nothing if that is not known.

        Raises:
            BackendFailed: It cannot answer, or not in time.
        """
        ...

    def described(self, path: str, line: int, column: int, timeout_s: float) -> str | None:
        """Return what the identifier at a place is, in a few lines; None if it is not known."""
        ...

    def close(self) -> None:
        """End what it started."""
        ...


class FallbackBackend:
    """``FileAnalysisBackend`` over the syntax backend and a ``SemanticResolver``."""

    def __init__(self, base: AstBackend, resolver: SemanticResolver, time_limit_s: float) -> None:
        self._base = base
        self._resolver = resolver
        self._time_limit_s = time_limit_s

    def get_outline(self, file_path: str) -> FileOutline:
        """Return imports and definitions of a file."""
        return self._base.get_outline(file_path)

    def read_symbol(self, file_path: str, symbol_name: str) -> SymbolDetail | None:
        """Return a definition with its source."""
        return self._base.read_symbol(file_path, symbol_name)

    def find_references(
        self,
        symbol_name: str,
        scope: str | None,
        *,
        at: Position | None = None,
        stop: StopFlag | None = None,
    ) -> ReferenceList:
        """Return the uses of a symbol; the undecided ones were shown to the resolver."""
        found = self._base.find_references(symbol_name, scope, at=at, stop=stop)
        if found.definition is None or not found.unverified or found.stopped_by is not None:
            return found
        return self._decided(found, stop)

    def find_definition(self, at: Position) -> DefinitionPlaces:
        """Return where the identifier at a place is defined."""
        choices = self._base.choices("", at)
        if choices:
            return definitions_from(choices)
        if not self._resolver.knows(at.path):
            return DefinitionPlaces((), self._base.name)
        try:
            found = self._resolver.definitions(at.path, at.line, at.column, self._time_limit_s)
        except BackendFailed as failure:
            logger.info("%s knows no definition: %s", self._resolver.name, failure)
            return DefinitionPlaces((), self._base.name)
        return DefinitionPlaces(tuple(found), self._resolver.name)

    def describe(self, at: Position) -> str | None:
        """Return the type of the identifier at a place, None if nobody knows it."""
        if not self._resolver.knows(at.path):
            return None
        try:
            return self._resolver.described(at.path, at.line, at.column, self._time_limit_s)
        except BackendFailed as failure:
            logger.info("%s knows no type: %s", self._resolver.name, failure)
            return None

    def close(self) -> None:
        """End what the resolver started."""
        self._resolver.close()

    def _decided(self, found: ReferenceList, stop: StopFlag | None) -> ReferenceList:
        deadline = Deadline(self._time_limit_s, stop)
        verified, unverified = list(found.references), list[Reference]()
        asked = False
        for number, use in enumerate(found.unverified):
            if number >= _MAX_DECIDED or deadline.is_set():
                unverified += found.unverified[number:]
                break
            verdict = self._verdict(found, use, deadline.seconds_left())
            asked |= verdict is not None
            if verdict:
                verified.append(use)
            else:
                # What it infers is no proof: it goes by what is likely, too.
                unverified.append(use if verdict is None else replace(use, unlikely=True))
        if not asked:
            return found
        return replace(
            found,
            references=in_order(verified),
            unverified=in_order(unverified),
            complete=not unverified and found.stopped_by is None and not _is_never_complete(found),
            at_least=max(found.at_least, len(verified)),
            answered_by=f"{found.answered_by}+{self._resolver.name}",
        )

    def _verdict(self, found: ReferenceList, use: Reference, timeout_s: float) -> bool | None:
        """Return whether a use means the symbol, None if the resolver cannot tell."""
        definition = found.definition
        is_name = use.kind != "mention"
        if definition is None or not is_name or not self._resolver.knows(use.path):
            return None
        try:
            places = self._resolver.definitions(use.path, use.line, use.column, timeout_s)
        except BackendFailed as failure:
            logger.info("%s left a use open: %s", self._resolver.name, failure)
            return None
        places = [
            p for p in places if (p.path, p.line, p.column) != (use.path, use.line, use.column)
        ]
        if not places:
            return None
        return any(p.path == definition.path and p.line == definition.line for p in places)


def _is_never_complete(found: ReferenceList) -> bool:
    """Return whether uses are looked for in a language without facts.

    There a definition can have uses under names that nobody looked for.
    """
    definition = found.definition
    return definition is None or language_of(definition.path) in TABLE_LANGUAGES


class SemanticResolvers:
    """Several resolvers as one; the first that knows a file's language is asked."""

    def __init__(self, resolvers: Sequence[SemanticResolver]) -> None:
        self._resolvers = resolvers
        self.name = "+".join(resolver.name for resolver in resolvers)

    def knows(self, path: str) -> bool:
        """Return whether one of them can be asked about a file."""
        return any(resolver.knows(path) for resolver in self._resolvers)

    def definitions(
        self, path: str, line: int, column: int, timeout_s: float
    ) -> list[DefinitionPlace]:
        """Return where the identifier at a place is defined."""
        return self._for(path).definitions(path, line, column, timeout_s)

    def described(self, path: str, line: int, column: int, timeout_s: float) -> str | None:
        """Return what the identifier at a place is."""
        return self._for(path).described(path, line, column, timeout_s)

    def close(self) -> None:
        """End what they started."""
        for resolver in self._resolvers:
            resolver.close()

    def _for(self, path: str) -> SemanticResolver:
        resolver = next((item for item in self._resolvers if item.knows(path)), None)
        if resolver is None:
            raise BackendFailed(f"No backend knows the language of {path!r}.")
        return resolver


def relative_or_absolute(root: Path, path: str) -> str:
    """Return a path relative to the root if it lies inside, else as it is."""
    try:
        return Path(path).relative_to(root).as_posix()
    except ValueError:
        return path
