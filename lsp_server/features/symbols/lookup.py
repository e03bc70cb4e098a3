"""Who uses and who calls what stands at a place of the editor, within a time limit."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import Literal

from lsprotocol import types

from analysis.errors import AmbiguousSymbol, NotFound, ScopeError
from analysis.models import CallList, Position, ReferenceList, SymbolChoice
from analysis.parsing.languages import language_of
from analysis.stopping import StopFlag
from analysis.workspace.paths import uri_from_path
from lsp_server.code_base import EditorCodeBase
from lsp_server.documents.cited import CitedLines, link_at
from lsp_server.locations import position_from, split_lines
from lsp_server.server import ScopeServer

logger = logging.getLogger(__name__)

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "and as assert async await break case catch class const continue def default del do elif "
        "else except export extends finally for from function if import in interface is lambda "
        "let new not or pass raise return self static super switch this throw try type var void "
        "while with yield None True False null true false undefined",
    )
)
"""Words that are never asked about; the languages that we parse, taken together."""

Direction = Literal["callers", "callees"]


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """An identifier and where it stands."""

    name: str
    at: Position


def is_answered(server: ScopeServer, uri: str) -> bool:
    """Return whether searches from a document are answered."""
    language = language_of(uri)
    return language == "markdown" or language in languages(server)


def languages(server: ScopeServer) -> frozenset[str]:
    """Return the languages that the user leaves to us; the dialects with JSX belong to theirs."""
    named = {name.lower() for name in server.settings.editor.references}
    dialects = {"typescript": "tsx", "javascript": "jsx"}
    return frozenset(named | {dialects[name] for name in named if name in dialects})


def identifier_at(line: str, column: int) -> tuple[str, int] | None:
    """Return the name that a column touches and where it starts; keywords are no names.

    Args:
        line: A source line.
        column: 0-based code points.
    """
    for match in _IDENTIFIER.finditer(line):
        if match.start() <= column <= match.end() and match.group() not in _KEYWORDS:
            return match.group(), match.start()
    return None


def place_in(server: ScopeServer, uri: str, position: types.Position) -> NamedPlace | None:
    """Return the identifier under the cursor, or the definition that a document cites there.

    Blocks: it may read a file.
    """
    codebase = server.codebase
    if codebase is None:
        return None
    link = link_at(server, uri, position)
    if link is not None:
        return _cited_symbol(codebase, link)
    path = codebase.path_of(uri)
    if path is None:
        return None
    try:
        text = server.texts[uri] if uri in server.texts else codebase.engine.files.read(path).text
    except ScopeError:
        return None
    at = position_from(path, text, position.line, position.character, server.codec)
    lines = split_lines(text)
    line = lines[at.line - 1] if at.line <= len(lines) else ""
    found = identifier_at(line, at.column)
    return NamedPlace(found[0], Position(path, at.line, found[1])) if found else None


def _cited_symbol(codebase: EditorCodeBase, link: CitedLines) -> NamedPlace | None:
    """Return the definition that a reference link cites."""
    from analysis.parsing.find_symbols import symbol_at

    path = codebase.path_of(uri_from_path(link.file))
    if path is None or link.is_lost:
        return None
    try:
        info = symbol_at(codebase.engine.outline(path), link.line_start)
    except ScopeError:
        return None
    return NamedPlace(info.name, Position(path, info.name_line, info.name_column)) if info else None


def uses_at(codebase: EditorCodeBase, place: NamedPlace, stop: StopFlag) -> list[ReferenceList]:
    """Return the uses of each definition that an identifier can mean; blocks."""
    engine = codebase.engine
    try:
        return [engine.references(place.name, at=place.at, stop=stop)]
    except AmbiguousSymbol as ambiguous:
        return [
            engine.references(name, at=at, stop=stop)
            for name, at in map(_name_and_line, ambiguous.choices)
        ]


def definitions_at(
    codebase: EditorCodeBase, place: NamedPlace, stop: StopFlag
) -> tuple[SymbolChoice, ...]:
    """Return the definitions that an identifier can mean; blocks."""
    codebase.engine.prepare(stop=stop)
    return codebase.engine.choices(place.name, place.at)


def calls_at(
    codebase: EditorCodeBase, place: NamedPlace, direction: Direction, stop: StopFlag
) -> CallList | None:
    """Return who calls the function at a place or whom it calls, None if none is there; blocks."""
    try:
        return codebase.engine.calls(place.name, direction, at=place.at, stop=stop)
    except (AmbiguousSymbol, NotFound):
        return None


def _name_and_line(choice: SymbolChoice) -> tuple[str, Position]:
    """Return how a definition is named to the engine: column 0 stands for its name's."""
    plain = choice.qualified_name.rsplit(".", 1)[-1]
    return plain, Position(choice.path, choice.line, 0)
