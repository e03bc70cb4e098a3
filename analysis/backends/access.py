"""One door to the code for modes, tools, the terminal and the editor."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Literal, TypeVar

from analysis.backends.ast_backend import AstBackend, definitions_from
from analysis.errors import BackendFailed, NotFound
from analysis.file_tree import FileTree
from analysis.indirection import Indirection, SettingRead
from analysis.models import (
    CallList,
    CodeEdge,
    DefinitionPlaces,
    FileOutline,
    Position,
    Reference,
    ReferenceList,
    Span,
    SymbolChoice,
    SymbolDetail,
)
from analysis.protocols import EnhancedBackend, FileAnalysisBackend
from analysis.stopping import StopFlag
from analysis.workspace.files import LocalFileBackend

logger = logging.getLogger(__name__)

_Result = TypeVar("_Result")
_UNREAD = "unread files"
"""What keeps a list from being complete while files are still read."""


class SmartFileAccess:
    """Raw files from ``LocalFileBackend``; meaning from the best backend that can answer.

    The enhanced backend is asked first. When it is absent, fails or takes too long, the answer of
    the syntax backend stands. Wrong input (a path outside, an ambiguous name) is no failure: it is
    raised as it is.
    """

    def __init__(
        self,
        files: LocalFileBackend,
        analysis: AstBackend,
        enhanced: EnhancedBackend | None = None,
        gap: Callable[[], str] = str,
    ) -> None:
        self.files = files
        self._analysis = analysis
        self._enhanced = enhanced
        self.gap = gap
        """Tells in a sentence that files are still to be read; empty if none is."""

    def get_tree(self, path: str = "", max_entries: int = 1000) -> FileTree:
        """Return the searchable files below a folder."""
        return self.files.get_tree(path, max_entries)

    def read_file(self, path: str, max_chars: int | None = None) -> str:
        """Return a file's text, from the start and at most ``max_chars`` of it."""
        return self.files.read_file(path, max_chars)

    def read_lines(self, path: str, start: int, end: int) -> str:
        """Return the lines from ``start`` to ``end``, both included."""
        return self.files.read_lines(path, start, end)

    def get_outline(self, path: str) -> FileOutline:
        """Return a file's imports and definitions."""
        return self._ask(lambda backend: backend.get_outline(path))

    def read_symbol(self, path: str, name: str) -> SymbolDetail:
        """Return a definition with its source, by plain or qualified name.

        Raises:
            NotFound: The file has no such definition; the hint names near ones.
            AmbiguousSymbol: Several definitions have that name.
        """
        detail = self._ask(lambda backend: backend.read_symbol(path, name))
        if detail is None:
            raise NotFound(f"There is no definition {name!r} in {path!r}.", self._near(path, name))
        return detail

    def find_references(
        self,
        name: str,
        scope: str | None = None,
        *,
        at: Position | None = None,
        stop: StopFlag | None = None,
    ) -> ReferenceList:
        """Return the uses of a symbol, in the files below ``scope`` or everywhere.

        Args:
            name: Plain or qualified name.
            scope: Only uses below this path; of several definitions one below it is meant.
            at: A definition or use of the symbol that is meant.
            stop: Ends the search early when set; the list then says so.

        Raises:
            AmbiguousSymbol: Several definitions can be meant; they are attached.
        """
        gap = self.gap()
        found = self._ask(lambda backend: backend.find_references(name, scope, at=at, stop=stop))
        return (
            replace(found, complete=False, stopped_by=found.stopped_by or _UNREAD) if gap else found
        )

    def find_calls(
        self,
        name: str,
        direction: Literal["callers", "callees"],
        *,
        depth: int = 1,
        scope: str | None = None,
        at: Position | None = None,
        stop: StopFlag | None = None,
    ) -> CallList:
        """Return who calls a symbol, or whom it calls, over ``depth`` steps.

        Raises:
            AmbiguousSymbol: Several definitions can be meant; they are attached.
            NotFound: No definition of that name is known.
        """
        gap = self.gap()
        try:
            found = self._analysis.find_calls(
                name, direction, depth=depth, scope=scope, at=at, stop=stop
            )
        except NotFound as error:
            raise NotFound(error.message, gap or error.hint) from error
        return (
            replace(found, complete=False, stopped_by=found.stopped_by or _UNREAD) if gap else found
        )

    def find_edges(
        self,
        sources: Sequence[SymbolChoice],
        targets: Sequence[SymbolChoice] = (),
        paths: Sequence[str] = (),
        *,
        stop: StopFlag | None = None,
        time_limit_s: float = 1.0,
    ) -> list[CodeEdge]:
        """Return what definitions use, and what in ``paths`` uses ``targets``.

        An edge that is not ``resolved`` only may be one. What could not be found out in time is
        left out.
        """
        return self._analysis.find_edges(
            sources, targets, paths, stop=stop, time_limit_s=time_limit_s
        )

    def find_indirections(
        self, at: Position, name: str, *, stop: StopFlag | None = None, time_limit_s: float = 1.0
    ) -> tuple[Indirection, ...]:
        """Return where the definition at a place is registered, handed over or named by a string.

        What could not be found out in time is left out.
        """
        return self._analysis.find_indirections(at, name, stop=stop, time_limit_s=time_limit_s)

    def first_use(
        self,
        at: Position,
        name: str,
        paths: Iterable[str],
        *,
        stop: StopFlag | None = None,
        time_limit_s: float = 1.0,
    ) -> Reference | None:
        """Return the first proven use of the definition at a place in some files, if in time."""
        return self._analysis.first_use(at, name, paths, stop=stop, time_limit_s=time_limit_s)

    def overrides(
        self, name: str, at: Position, *, stop: StopFlag | None = None
    ) -> list[SymbolChoice]:
        """Return the methods that are proven to override one; there may be more.

        Args:
            name: Its plain name.
            at: Where that stands in its definition; with column 0 its first place on the line.
            stop: Ends the search early when set; so does half a second.
        """
        return self._analysis.overrides(name, at, stop=stop)

    def find_settings(
        self, spans: list[Span], *, stop: StopFlag | None = None, time_limit_s: float = 1.0
    ) -> tuple[SettingRead, ...]:
        """Return the settings that lines read, each once; what was found in time."""
        return self._analysis.find_settings(spans, stop=stop, time_limit_s=time_limit_s)

    def choices(self, name: str, at: Position | None = None) -> tuple[SymbolChoice, ...]:
        """Return the definitions that a name, or the identifier at a place, can mean."""
        return self._analysis.choices(name, at)

    def find_definition(self, at: Position) -> DefinitionPlaces:
        """Return where the identifier at a place is defined, and who says so."""
        if self._enhanced is not None:
            return self._enhanced.find_definition(at)
        return definitions_from(self._analysis.choices("", at))

    def describe(self, at: Position) -> str | None:
        """Return the type of the identifier at a place, None if nobody knows it."""
        if self._enhanced is not None:
            return self._enhanced.describe(at)
        return None

    def close(self) -> None:
        """End the processes that backends started."""
        if self._enhanced is not None:
            self._enhanced.close()

    def _ask(self, question: Callable[[FileAnalysisBackend], _Result]) -> _Result:
        """Return the enhanced backend's answer, or the syntax backend's where it has none."""
        if self._enhanced is not None:
            try:
                return question(self._enhanced)
            except BackendFailed as failure:
                logger.info("The enhanced backend gave up: %s", failure)
        return question(self._analysis)

    def _near(self, path: str, name: str) -> str:
        """Return a hint that names definitions spelled much like ``name``."""
        import difflib

        from analysis.parsing.find_symbols import walk

        names = [info.qualified_name for info in walk(self.get_outline(path))]
        plain = {known.rsplit(".", 1)[-1]: known for known in reversed(names)}
        wanted = name.rsplit(".", 1)[-1]
        near = difflib.get_close_matches(wanted, plain, n=3)
        if not near:
            return f"See 'scope outline {path}'."
        return f"Did you mean {', '.join(repr(plain[match]) for match in near)}?"
