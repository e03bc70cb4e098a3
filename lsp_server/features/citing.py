"""``scope/citing`` and its command: which answers cite a symbol."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from lsprotocol import types

from analysis.errors import AmbiguousSymbol, ScopeError
from analysis.models import SymbolInfo
from analysis.stopping import StopFlag
from lsp_server import document_messages
from lsp_server.code_base import EditorCodeBase
from lsp_server.document_messages import CitingParams, CitingResult, WireAnswer
from lsp_server.documents.citing import (
    CitingLink,
    by_definition,
    citing_links,
    one_per_document,
)
from lsp_server.documents.report import DocumentReport
from lsp_server.errors import answering_errors
from lsp_server.features.symbols.in_time import in_time
from lsp_server.features.symbols.lookup import place_in
from lsp_server.locations import wire_location
from lsp_server.server import ScopeServer


def register(server: ScopeServer) -> None:
    """Register the request and the command; the code action is offered by ``code_actions``."""
    server.feature(document_messages.CITING.method)(on_citing)
    server.command(document_messages.COMMAND_CITING.name)(on_citing_command)


async def on_citing(server: ScopeServer, raw: Any) -> dict[str, Any]:
    """Return the documents that cite what stands at a position."""
    result, _ = await _citing(server, CitingParams.parse(raw))
    return result.dump()


async def on_citing_command(server: ScopeServer, *arguments: Any) -> dict[str, Any]:
    """Show the documents that cite a symbol; of several the user chooses one."""
    result, links = await _citing(server, CitingParams.parse(arguments[0] if arguments else None))
    server.start_task(_offer(server, result, links), "show answers")
    return result.dump()


async def _offer(server: ScopeServer, result: CitingResult, links: list[CitingLink]) -> None:
    info = types.MessageType.Info
    if not links:
        message = f"No answer cites {result.symbol or 'this'}."
        server.window_show_message(types.ShowMessageParams(info, f"Scope: {message}"))
        return
    chosen: CitingLink | None = links[0]
    if len(links) > 1:
        names = {f"{n}. {link.report.question}": link for n, link in enumerate(links, 1)}
        question = types.ShowMessageRequestParams(
            info,
            f"{len(links)} answers cite {result.symbol or 'this'}.",
            [types.MessageActionItem(name) for name in names],
        )
        answer = await asyncio.shield(server.window_show_message_request_async(question))
        chosen = names.get(answer.title) if answer is not None else None
    if chosen is not None:
        place = chosen.location(server.codec)
        shown = types.ShowDocumentParams(place.uri, take_focus=True, selection=place.range)
        await asyncio.shield(server.window_show_document_async(shown))


async def _citing(
    server: ScopeServer, params: CitingParams
) -> tuple[CitingResult, list[CitingLink]]:
    with answering_errors():
        codebase = await server.require_codebase()
        await server.documents.settle()
        reports = list(server.documents.reports.values())
        at = types.Position(params.position.line, params.position.character)
        symbol, links = await in_time(
            lambda stop: _links_to(server, codebase, reports, params.uri, at, stop)
        )
    answers = [
        WireAnswer(
            document_uri=link.report.uri,
            question=link.report.question,
            location=wire_location(link.location(server.codec)),
        )
        for link in links
    ]
    return CitingResult(symbol=symbol, answers=answers), links


def _links_to(
    server: ScopeServer,
    codebase: EditorCodeBase,
    reports: Sequence[DocumentReport],
    uri: str,
    at: types.Position,
    stop: StopFlag,
) -> tuple[str, list[CitingLink]]:
    """Return the qualified name of what is at a position, and a link of each document to it."""
    place = place_in(server, uri, at)
    for path, definition in _meant(codebase, server, uri, at, stop):
        found = by_definition(citing_links(reports, path), definitions_in(codebase, path))
        links = [
            link
            for info, cited in found.items()
            if (info.line, info.qualified_name) == (definition.line, definition.qualified_name)
            for link in cited
        ]
        return definition.qualified_name, one_per_document(links)
    return (place.name if place is not None else ""), []


def _meant(
    codebase: EditorCodeBase,
    server: ScopeServer,
    uri: str,
    at: types.Position,
    stop: StopFlag,
) -> list[tuple[str, SymbolInfo]]:
    """Return the definition that a position is about: the one of its name, else the one around."""
    path = codebase.path_of(uri)
    place = place_in(server, uri, at)
    if place is not None:
        for found in _choices(codebase, place.name, place.at, stop):
            for info in definitions_in(codebase, found[0]):
                if (info.line, info.qualified_name) == found[1:]:
                    return [(found[0], info)]
    if path is None:
        return []
    line = at.line + 1
    around = [d for d in definitions_in(codebase, path) if d.decorated_line <= line <= d.line_end]
    return [(path, around[-1])] if around else []


def _choices(
    codebase: EditorCodeBase, name: str, at: Any, stop: StopFlag
) -> list[tuple[str, int, str]]:
    try:
        codebase.engine.prepare(stop=stop)
        choices = codebase.engine.choices(name, at)
    except (AmbiguousSymbol, ScopeError):
        return []
    return [(choice.path, choice.line, choice.qualified_name) for choice in choices]


def definitions_in(codebase: EditorCodeBase, path: str) -> list[SymbolInfo]:
    """Return all definitions of a file, outer ones first; none if it cannot be read."""
    from analysis.parsing.find_symbols import walk

    try:
        return list(walk(codebase.engine.outline(path)))
    except ScopeError:
        return []
