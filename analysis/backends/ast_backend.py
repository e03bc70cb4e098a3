"""Answers about files from their syntax alone: always there, for any file that can be read."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Literal

from analysis.errors import AmbiguousSymbol, NotFound
from analysis.indirection import Indirection, SettingRead
from analysis.models import (
    CallList,
    CodeEdge,
    DefinitionPlace,
    DefinitionPlaces,
    FileOutline,
    Position,
    Reference,
    ReferenceList,
    SourceText,
    Span,
    SymbolChoice,
    SymbolDetail,
    SymbolInfo,
)
from analysis.parsing.find_symbols import find_symbols, symbol_at, walk
from analysis.stopping import Deadline, StopFlag, StopReason
from analysis.workspace.files import LocalFileBackend

if TYPE_CHECKING:
    from analysis.index.code_index import CodeIndex
    from analysis.references.search.finder import ReferenceFinder

# One question looks at a few dozen files, again and again.
_KEPT_OUTLINES = 256

# A common name has uses in thousands of files; a partial list in time is worth more than all of it.
_TIME_LIMIT_S = 5.0
# Told along with a definition, which is not to wait for it.
_OVERRIDES_S = 0.5


class AstBackend:
    """``FileAnalysisBackend`` over tree-sitter outlines and the index's identifiers.

    Outlines are made from the text as it is now, so they never lag behind the index.
    """

    name = "ast"

    def __init__(self, files: LocalFileBackend, index: Callable[[], CodeIndex]) -> None:
        self._files = files
        self._index = index
        self._outlines: OrderedDict[tuple[str, bytes], FileOutline] = OrderedDict()
        self._lock = Lock()

    @cached_property
    def _finder(self) -> ReferenceFinder:
        # A tenth of what a question would import, and not every question has a use for it.
        from analysis.references.search.finder import ReferenceFinder

        return ReferenceFinder(self._files, self._index)

    def get_outline(self, file_path: str) -> FileOutline:
        """Return imports and definitions of a file, or what else it is made of."""
        from analysis.parsing.sections import with_sections

        source = self._files.read(self._files.resolve(file_path))
        return with_sections(self._outline(source), source.text)

    def read_symbol(self, file_path: str, symbol_name: str) -> SymbolDetail | None:
        """Return a definition with its source; ``NAME:LINE`` tells namesakes apart."""
        source = self._files.read(self._files.resolve(file_path))
        outline = self._outline(source)
        name, line = _name_and_line(symbol_name)
        found = _best(find_symbols(outline, name), line)
        if not found:
            return None
        if len(found) > 1:
            raise AmbiguousSymbol(
                f"{len(found)} definitions in {source.path!r} are called {name!r}.",
                tuple(choice_of(source.path, info) for info in found),
                f"Choose one by its qualified name or its line, as in '{name}:{found[0].line}'.",
            )
        return _detail(source, outline, found[0])

    def find_references(
        self,
        symbol_name: str,
        scope: str | None,
        *,
        at: Position | None = None,
        stop: StopFlag | None = None,
        time_limit_s: float = _TIME_LIMIT_S,
    ) -> ReferenceList:
        """Return the uses of a symbol, those that could not be decided apart.

        Raises:
            AmbiguousSymbol: Several definitions can be meant; they are attached.
        """
        folder = self._files.resolve(scope) if scope else None
        if at is not None:
            at = replace(at, path=self._files.resolve(at.path))
        deadline = Deadline(time_limit_s, stop)
        resolved = self._finder.find(symbol_name, folder or None, at, deadline)
        if resolved is not None:
            return resolved
        return self._spelled(symbol_name, scope, deadline)

    def find_calls(
        self,
        symbol_name: str,
        direction: Literal["callers", "callees"],
        *,
        depth: int = 1,
        scope: str | None = None,
        at: Position | None = None,
        stop: StopFlag | None = None,
        time_limit_s: float = _TIME_LIMIT_S,
    ) -> CallList:
        """Return who calls a symbol, or whom it calls, over ``depth`` steps."""
        folder = self._files.resolve(scope) if scope else None
        if at is not None:
            at = replace(at, path=self._files.resolve(at.path))
        deadline = Deadline(time_limit_s, stop)
        found = self._finder.calls(symbol_name, direction, depth, folder or None, at, deadline)
        if found is None:
            raise NotFound(
                f"No function or class {symbol_name!r} is known whose calls can be followed.",
                "See 'scope outline FILE' for what a file defines.",
            )
        return found

    def find_edges(
        self,
        sources: Sequence[SymbolChoice],
        targets: Sequence[SymbolChoice] = (),
        paths: Sequence[str] = (),
        *,
        stop: StopFlag | None = None,
        time_limit_s: float = _TIME_LIMIT_S,
    ) -> list[CodeEdge]:
        """Return what definitions use, and what in some files uses others.

        Args:
            sources: What they use is followed, wherever it is defined.
            targets: Who uses them is looked for in ``paths`` alone.
            paths: Files.
            stop: Ends the search early when set; what was found by then is returned.
            time_limit_s: Ends it, too.
        """
        return self._finder.edges(sources, targets, paths, Deadline(time_limit_s, stop))

    def find_indirections(
        self, at: Position, name: str, *, stop: StopFlag | None = None, time_limit_s: float = 1.0
    ) -> tuple[Indirection, ...]:
        """Return how a definition is reached without being called by its name.

        Args:
            at: Where its name stands.
            name: Its plain name.
            stop: Ends the search early when set; what was found by then is returned.
            time_limit_s: Ends it, too.
        """
        return self._finder.indirections(at, name, Deadline(time_limit_s, stop))

    def first_use(
        self,
        at: Position,
        name: str,
        paths: Iterable[str],
        *,
        stop: StopFlag | None = None,
        time_limit_s: float = 1.0,
    ) -> Reference | None:
        """Return the first proven use of a definition under its own name in some files.

        Args:
            at: Where its name stands.
            name: Its plain name.
            paths: Files, in the order in which they are looked at.
            stop: Ends the search early when set.
            time_limit_s: Ends it, too.
        """
        return self._finder.first_use(at, name, paths, Deadline(time_limit_s, stop))

    def overrides(
        self, symbol_name: str, at: Position, *, stop: StopFlag | None = None
    ) -> list[SymbolChoice]:
        """Return the methods that are proven to override the one whose name stands at a place."""
        return self._finder.overrides(symbol_name, at, Deadline(_OVERRIDES_S, stop))

    def find_settings(
        self, spans: list[Span], *, stop: StopFlag | None = None, time_limit_s: float = 1.0
    ) -> tuple[SettingRead, ...]:
        """Return the settings that lines read; what was found in time."""
        return self._finder.settings(spans, Deadline(time_limit_s, stop))

    def choices(self, symbol_name: str, at: Position | None = None) -> tuple[SymbolChoice, ...]:
        """Return the definitions that a name, or the identifier at a place, can mean."""
        return self._finder.choices(symbol_name, at)

    def _spelled(self, symbol_name: str, scope: str | None, deadline: Deadline) -> ReferenceList:
        """Return the places that spell a name, for languages that no resolver knows.

        All are ``unverified``, and the list never claims to be complete: a name can also be used
        without being spelled.
        """
        plain = symbol_name.rsplit(".", 1)[-1]
        definitions = [
            row
            for row in self._index().symbols_named(plain)
            if _is_called(row.info.qualified_name, symbol_name)
        ]
        own = {(row.path, row.info.name_line, row.info.name_column) for row in definitions}
        uses: list[Reference] = []
        stopped_by: StopReason | None = None
        for use in self._uses(plain, self._paths(plain, scope)):
            if (use.path, use.line, use.column) not in own:
                uses.append(use)
            stopped_by = deadline.reason
            if stopped_by is not None:
                break
        return ReferenceList(
            symbol=symbol_name,
            definition=choice_of(definitions[0].path, definitions[0].info)
            if len(definitions) == 1
            else None,
            references=(),
            unverified=tuple(uses),
            complete=False,
            at_least=len(uses),
            stopped_by=stopped_by,
            answered_by=self.name,
        )

    def _paths(self, name: str, scope: str | None) -> list[str] | None:
        """Return the files at or below ``scope`` that spell the name; None for all of them."""
        if not scope or not (folder := self._files.resolve(scope)):
            return None
        paths = self._index().files_with_identifier(name)
        return [path for path in paths if f"{path}/".startswith(f"{folder}/")]

    def _uses(self, name: str, paths: list[str] | None) -> Iterator[Reference]:
        """Yield each place that spells the name, with its line and the definition around it."""
        path, lines = "", [""]
        outline: FileOutline | None = None
        for place_path, line, column in self._index().occurrences(name, paths):
            if place_path != path or outline is None:
                source = self._files.read(place_path)
                path, lines = place_path, source.text.split("\n")
                outline = self._outline(source)
            around = symbol_at(outline, line)
            yield Reference(
                path=path,
                line=line,
                column=column,
                context=lines[line - 1].strip() if line <= len(lines) else "",
                enclosing=around.qualified_name if around else None,
            )

    def _outline(self, source: SourceText) -> FileOutline:
        """Return the outline of a text, kept for the next time it is asked for."""
        key = (source.path, hashlib.blake2b(source.text.encode("utf-8", "replace")).digest())
        with self._lock:
            if key in self._outlines:
                self._outlines.move_to_end(key)
                return self._outlines[key]
        from analysis.parsing.outline import outline_of  # parsers: not before they are needed

        outline = outline_of(source.path, source.text)
        with self._lock:
            self._outlines[key] = outline
            if len(self._outlines) > _KEPT_OUTLINES:
                self._outlines.popitem(last=False)
        return outline


def choice_of(path: str, info: SymbolInfo) -> SymbolChoice:
    """Return a definition as one of several to choose from."""
    return SymbolChoice(path, info.qualified_name, info.kind, info.line, info.signature)


def definitions_from(choices: Sequence[SymbolChoice]) -> DefinitionPlaces:
    """Return the resolver's definitions as places."""
    places = [DefinitionPlace(c.path, c.line, 0, c.qualified_name) for c in choices]
    return DefinitionPlaces(tuple(places), AstBackend.name)


def _name_and_line(symbol_name: str) -> tuple[str, int | None]:
    """Return the name and, from ``NAME:LINE``, the line that tells namesakes apart."""
    match = re.fullmatch(r"(.+):(\d+)", symbol_name)
    return (match[1], int(match[2])) if match else (symbol_name, None)


def _best(found: list[SymbolInfo], line: int | None) -> list[SymbolInfo]:
    """Return those that hold the line, or all if no line was given."""
    if line is None:
        return found
    return [info for info in found if info.decorated_line <= line <= info.line_end]


def _detail(source: SourceText, outline: FileOutline, info: SymbolInfo) -> SymbolDetail:
    """Return a definition with its lines as they stand in the file."""
    lines = source.text.split("\n")[info.decorated_line - 1 : info.line_end]
    body = "\n".join(lines)
    parent = next((around for around in walk(outline) if info in around.children), None)
    return SymbolDetail(
        path=source.path,
        info=info,
        body=body,
        parent=parent.qualified_name if parent else None,
        char_count=len(body),
    )


def _is_called(qualified_name: str, name: str) -> bool:
    """Return whether a plain or qualified name can mean the definition."""
    return qualified_name == name or qualified_name.endswith(f".{name}")
