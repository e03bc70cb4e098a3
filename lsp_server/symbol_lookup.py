"""Who uses and who calls what stands at a place of the editor, within a time limit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

from lsprotocol import types

from analysis.errors import AmbiguousSymbol, Cancelled, NotFound, ScopeError
from analysis.models import CallList, Position, ReferenceList, SymbolChoice
from analysis.stopping import StopFlag
from analysis.workspace.paths import uri_from_path
from lsp_server.codebase import CodeBase
from lsp_server.document_links import CitedLines, link_at
from lsp_server.from_lsp import position_from, split_lines
from lsp_server.identifiers import identifier_at
from lsp_server.server import ScopeServer

logger = logging.getLogger(__name__)

_DEADLINE_S = 10.0
"""Seconds after which whoever waits in front of an editor gets what was found so far."""

_Result = TypeVar("_Result")

Direction = Literal["callers", "callees"]


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """An identifier and where it stands."""

    name: str
    at: Position


async def in_time(work: Callable[[StopFlag], _Result]) -> _Result:
    """Return what blocking work returns, told to stop at the deadline or with the request.

    Raises:
        Cancelled: The deadline came before there was anything to return.
    """
    stop = StopFlag()
    timer = asyncio.get_running_loop().call_later(_DEADLINE_S, stop.set)
    try:
        return await asyncio.to_thread(work, stop)
    except asyncio.CancelledError:
        stop.set()
        raise
    finally:
        timer.cancel()


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


def _cited_symbol(codebase: CodeBase, link: CitedLines) -> NamedPlace | None:
    """Return the definition that a reference link cites."""
    from analysis.parsing.outline import symbol_at

    path = codebase.path_of(uri_from_path(link.file))
    if path is None:
        return None
    try:
        info = symbol_at(codebase.engine.outline(path), link.line_start)
    except ScopeError:
        return None
    return NamedPlace(info.name, Position(path, info.name_line, info.name_column)) if info else None


def uses_at(codebase: CodeBase, place: NamedPlace, stop: StopFlag) -> list[ReferenceList]:
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
    codebase: CodeBase, place: NamedPlace, stop: StopFlag
) -> tuple[SymbolChoice, ...]:
    """Return the definitions that an identifier can mean; blocks."""
    codebase.engine.prepare(stop=stop)
    return codebase.engine.choices(place.name, place.at)


def calls_at(
    codebase: CodeBase, place: NamedPlace, direction: Direction, stop: StopFlag
) -> CallList | None:
    """Return who calls the function at a place or whom it calls, None if none is there; blocks."""
    try:
        return codebase.engine.calls(place.name, direction, at=place.at, stop=stop)
    except (AmbiguousSymbol, NotFound):
        return None


async def or_nothing(work: Callable[[StopFlag], _Result]) -> _Result | None:
    """Return what blocking work returns; None if the deadline came first or it cannot be had.

    For the protocol's own requests, which editors send unasked: none of them deserves a message.
    """
    try:
        return await in_time(work)
    except Cancelled:
        logger.info("The deadline came before the index was ready.")
    except ScopeError as error:
        logger.info("Nothing to show: %s", error)
    return None


def _name_and_line(choice: SymbolChoice) -> tuple[str, Position]:
    """Return how a definition is named to the engine: column 0 stands for its name's."""
    plain = choice.qualified_name.rsplit(".", 1)[-1]
    return plain, Position(choice.path, choice.line, 0)
