"""One state of a code base as a search sees it: files, facts, symbols, and the resolver."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from analysis.errors import NotFound, ScopeError
from analysis.index.view import positions
from analysis.models import SourceText, SymbolInfo
from analysis.parsing.facts.codes import NONE, S
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.library import FactsLibrary
from analysis.references.search.definition_resolver import DefinitionResolver
from analysis.references.search.resolver import CodeResolver
from analysis.stopping import Deadline

if TYPE_CHECKING:
    from analysis.index.symbols import SymbolRow
    from analysis.references.search.targets import Target
    from analysis.references.search.tree_uses import TreeUses
    from analysis.references.search.uses import Uses

_MOST_WAITING_S = 15.0
"""So much time at most goes into facts that the index does not hold yet, before a list is cut."""
# At some 90 bytes a line this is 18 MB.
_MAX_KEPT_LINES = 200_000
# With their keys some 10 MB.
_MAX_SHOWN_LINES = 50_000
# A list of uses takes some 200 bytes a use; few have more than a hundred.
_MAX_ANSWERS = 200
# The definitions of a file take some 20 kB.
_MAX_OUTLINES = 500

Answers: TypeAlias = "dict[tuple[Target, str | None], Uses]"
"""Uses that were found, by definition and by the path they were looked for below."""


class IndexedCode(Protocol):
    """One state of an index, as far as a search reads it; see ``IndexView``."""

    @property
    def generation(self) -> object:
        """The same object as long as the state is the same."""
        ...

    def all_paths(self) -> Sequence[str]:
        """Return all files."""
        ...

    def facts(self, path: str) -> bytes:
        """Return a file's packed facts."""
        ...

    def files_with_identifier(self, name: str) -> list[str]:
        """Return the files in whose text a name occurs."""
        ...

    def symbols_named(self, name: str) -> list[SymbolRow]:
        """Return the definitions with a plain name."""
        ...

    def symbols_in(self, path: str) -> list[SymbolRow]:
        """Return the definitions of a file."""
        ...


class Index(Protocol):
    """What gives out such states."""

    def view(self) -> AbstractContextManager[IndexedCode]:
        """Return the state of now."""
        ...


class CodeTexts(Protocol):
    """The files of a code base."""

    @property
    def root(self) -> Path:
        """The folder that paths are relative to."""
        ...

    def read(self, path: str) -> SourceText:
        """Return a file's text."""
        ...


class ResolutionSession:
    """What a search works with; valid until the ``with`` block that made it ends."""

    def __init__(
        self,
        view: IndexedCode,
        files: CodeTexts,
        lines: KeptLines,
        answers: Answers,
        symbols: dict[str, Sequence[SymbolRow]],
    ) -> None:
        self._view = view
        self._files = files
        self._lines = lines
        self.answers = answers
        self._symbols = symbols
        self._patience_s = _MOST_WAITING_S

    resolver: CodeResolver
    definitions: DefinitionResolver
    trees: TreeUses

    def root_name(self) -> str:
        """Return the name of the folder that the paths are relative to."""
        return self._files.root.name

    def paths(self) -> Sequence[str]:
        """Return all files of the code base."""
        return self._view.all_paths()

    def facts(self, path: str) -> bytes:
        """Return a file's packed facts, empty if it has none.

        They may have to be made now: that time is given back to the search.
        """
        started = time.monotonic()
        try:
            return self._view.facts(path)
        except NotFound:
            return b""
        finally:
            waited = min(time.monotonic() - started, self._patience_s)
            self._patience_s -= waited
            self.resolver.deadline.extend(waited)

    def files_with_identifier(self, name: str) -> Sequence[str]:
        """Return the files in whose text a name occurs."""
        return self._view.files_with_identifier(name)

    def symbols_named(self, name: str) -> list[SymbolRow]:
        """Return the definitions with a plain name."""
        return self._view.symbols_named(name)

    def symbols_in(self, path: str) -> Sequence[SymbolRow]:
        """Return the definitions of a file."""
        known = self._symbols.get(path)
        if known is None:
            try:
                known = tuple(self._view.symbols_in(path))
            except NotFound:
                known = ()
            if len(self._symbols) >= _MAX_OUTLINES:
                self._symbols.clear()
            self._symbols[path] = known
        return known

    def symbol_starting_at(self, path: str, line: int, column: int) -> SymbolInfo | None:
        """Return the definition whose name stands at a place."""
        for row in self.symbols_in(path):
            if (row.info.name_line, row.info.name_column) == (line, column):
                return row.info
        return None

    def remember(self, target: Target, within: str | None, uses: Uses) -> None:
        """Keep the uses of a definition for as long as the code is as it is."""
        if len(self.answers) >= _MAX_ANSWERS:
            self.answers.clear()
        self.answers[target, within] = uses

    def text(self, path: str) -> str:
        """Return a file's text, empty if it cannot be read."""
        return "\n".join(self._text_lines(path))

    def line(self, path: str, line: int) -> str:
        """Return a source line without its indentation, nothing if it is not there any more."""
        return self.raw_line(path, line).strip()

    def raw_line(self, path: str, line: int) -> str:
        """Return a source line as it stands, nothing if it is not there any more."""
        shown = self._lines.shown.get((path, line))
        if shown is None:
            lines = self._text_lines(path)
            shown = lines[line - 1] if 1 <= line <= len(lines) else ""
            self._lines.show(path, line, shown)
        return shown

    def spelled(self, path: str, name: str) -> Iterator[tuple[int, int]]:
        """Yield line and column of each place that spells a name, in comments and strings too."""
        return positions(self.text(path), name)

    def _text_lines(self, path: str) -> Sequence[str]:
        lines = self._lines.get(path)
        if lines is None:
            try:
                lines = self._files.read(path).text.split("\n")
            except (ScopeError, OSError):
                lines = ()
            self._lines.keep(path, lines)
        return lines

    def unpacked(self, path: str) -> Facts:
        """Return a file's facts."""
        return self.resolver.facts(path)

    def enclosing(self, path: str, scope: int) -> str | None:
        """Return the qualified name of the innermost definition around a scope."""
        facts = self.unpacked(path)
        names: list[str] = []
        while scope > 0:
            row = facts.scopes[scope]
            if row.kind == S.CLASS:
                names.append(facts.names[facts.classes[row.owner].name])
            elif row.kind == S.FUNCTION and row.owner != NONE:
                name = facts.functions[row.owner].name
                names += [facts.names[name]] if name != NONE and facts.names[name] else []
            scope = row.parent
        return ".".join(reversed(names)) or None


class KeptLines:
    """The lines of files that were shown lately, within a memory limit."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Sequence[str]] = OrderedDict()
        self._count = 0
        self.shown: dict[tuple[str, int], str] = {}
        """Single lines by file and number; those that are asked for again and again."""

    def get(self, path: str) -> Sequence[str] | None:
        """Return a file's lines, None if they are not kept."""
        lines = self._kept.get(path)
        if lines is not None:
            self._kept.move_to_end(path)
        return lines

    def keep(self, path: str, lines: Sequence[str]) -> None:
        """Keep a file's lines; the least recently used ones go."""
        self._kept[path] = lines
        self._count += len(lines)
        while self._count > _MAX_KEPT_LINES and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            self._count -= len(dropped)

    def show(self, path: str, line: int, text: str) -> None:
        """Keep a single line."""
        if len(self.shown) >= _MAX_SHOWN_LINES:
            self.shown.clear()
        self.shown[path, line] = text

    def clear(self) -> None:
        """Forget all lines."""
        self._kept.clear()
        self.shown.clear()
        self._count = 0


class ResolutionCache:
    """Gives out the resolved code base, one search at a time; knowledge is kept between them."""

    def __init__(self, files: CodeTexts, index: Callable[[], Index]) -> None:
        self._files = files
        self._index = index
        self._lock = threading.Lock()
        self._lines = KeptLines()
        self._answers: Answers = {}
        self._symbols: dict[str, Sequence[SymbolRow]] = {}
        self._generation: object = None
        self._library: FactsLibrary | None = None
        self._resolver: CodeResolver | None = None
        self._trees: TreeUses | None = None

    @contextmanager
    def open(self) -> Iterator[ResolutionSession]:
        """Return the code base as it is now; set its resolver's deadline before a long search."""
        with self._lock, self._index().view() as view:
            is_new = self._resolver is None or self._generation is not view.generation
            if is_new:
                self._lines.clear()
                self._answers.clear()
                self._symbols.clear()
            code = ResolutionSession(view, self._files, self._lines, self._answers, self._symbols)
            if self._library is None:
                self._library = FactsLibrary(code)
            self._library.use(code, is_new_state=is_new)
            if self._resolver is None or is_new:
                self._resolver = CodeResolver(code, self._library)
                self._generation = view.generation
            self._resolver.deadline = Deadline(None)
            code.resolver = self._resolver
            code.trees = self._trees_of(code, is_new_state=is_new)
            code.definitions = self._resolver.definitions
            yield code

    def _trees_of(self, code: ResolutionSession, *, is_new_state: bool) -> TreeUses:
        from analysis.references.search.tree_uses import TreeUses

        if self._trees is None or is_new_state:
            self._trees = TreeUses(code)
        else:
            self._trees.use(code)
        return self._trees
