"""Symbols and their uses as places in the editor, checked against the text that it shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from lsprotocol import types
from pygls.workspace import PositionCodec

from analysis.errors import ScopeError
from analysis.models import Reference, SymbolChoice, SymbolInfo
from lsp_server.code_base import EditorCodeBase
from lsp_server.locations import range_of_lines, range_of_span

_IDENTIFIER = re.compile(r"#?[\w$]+")

_KINDS = {
    "class": types.SymbolKind.Class,
    "interface": types.SymbolKind.Interface,
    "method": types.SymbolKind.Method,
}


class SymbolPlaces:
    """Turns places of the code base into the editor's; for one request, since it keeps texts.

    A place that does not hold what was found there is left out: the text has changed meanwhile.
    """

    def __init__(self, codebase: EditorCodeBase, codec: PositionCodec) -> None:
        self._codebase = codebase
        self._codec = codec
        self._files: dict[str, _FileText] = {}

    def uses(self, references: Sequence[Reference]) -> list[types.Location]:
        """Return where uses stand, in their order."""
        found = [self.use(use.path, use.line, use.column, use.context) for use in references]
        return [place for place in found if place is not None]

    def use(self, path: str, line: int, column: int, context: str) -> types.Location | None:
        """Return where an identifier stands; None if its line does not read ``context`` any more.

        Args:
            path: Of the file.
            line: 1-based.
            column: 0-based code points.
            context: The line as it was found, without its indentation.
        """
        text = self._file(path).line(line)
        identifier = _IDENTIFIER.match(text, column)
        if identifier is None or text.strip() != context.strip():
            return None
        where = range_of_span(text, line, column, identifier.end(), self._codec)
        return types.Location(self._codebase.uri_of(path), where)

    def definition(self, choice: SymbolChoice) -> types.Location | None:
        """Return where the name of a definition stands."""
        info = self._info(choice)
        if info is not None:
            line, column = info.name_line, info.name_column
            return self.use(choice.path, line, column, self._file(choice.path).line(line))
        text = self._file(choice.path).line(choice.line)
        named = re.search(rf"(?<![\w$]){re.escape(_plain(choice))}(?![\w$])", text)
        return self.use(choice.path, choice.line, named.start(), text) if named else None

    def item(self, choice: SymbolChoice) -> types.CallHierarchyItem | None:
        """Return a function or class as an item of the call hierarchy."""
        info, name = self._info(choice), self.definition(choice)
        if info is None or name is None:
            return None
        lines = self._file(choice.path).lines
        whole = range_of_lines(lines, info.decorated_line, info.line_end, self._codec)
        return types.CallHierarchyItem(
            name=choice.qualified_name,
            kind=_KINDS.get(choice.kind, types.SymbolKind.Function),
            uri=name.uri,
            range=whole,
            selection_range=name.range,
            detail=choice.path,
        )

    def file_item(self, path: str) -> types.CallHierarchyItem:
        """Return a file as the item for what is called outside of functions."""
        lines = self._file(path).lines
        return types.CallHierarchyItem(
            name=path.rpartition("/")[2],
            kind=types.SymbolKind.File,
            uri=self._codebase.uri_of(path),
            range=range_of_lines(lines, 1, len(lines), self._codec),
            selection_range=range_of_span("", 1, 0, 0, self._codec),
            detail=path,
        )

    def _info(self, choice: SymbolChoice) -> SymbolInfo | None:
        return self._file(choice.path).definitions.get((choice.line, choice.qualified_name))

    def _file(self, path: str) -> _FileText:
        if path not in self._files:
            self._files[path] = _FileText(self._codebase, path)
        return self._files[path]


class _FileText:
    """A file's lines and definitions as the user sees them; empty if it cannot be read."""

    def __init__(self, codebase: EditorCodeBase, path: str) -> None:
        self._codebase = codebase
        self._path = path

    @cached_property
    def lines(self) -> list[str]:
        try:
            source = self._codebase.engine.files.read(self._path)
        except ScopeError:
            return []
        # A notebook is searched as one text, in which no editor counts.
        return [] if source.cells else source.text.split("\n")

    def line(self, line: int) -> str:
        return self.lines[line - 1] if 1 <= line <= len(self.lines) else ""

    @cached_property
    def definitions(self) -> dict[tuple[int, str], SymbolInfo]:
        from analysis.parsing.find_symbols import walk

        try:
            outline = self._codebase.engine.outline(self._path)
        except ScopeError:
            return {}
        return {(info.line, info.qualified_name): info for info in walk(outline)}


def _plain(choice: SymbolChoice) -> str:
    return choice.qualified_name.rsplit(".", 1)[-1]
