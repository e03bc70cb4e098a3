"""Who uses what is under the cursor: for every editor, and for our code action."""

from __future__ import annotations

import asyncio
from typing import Any

from lsprotocol import types

from analysis.errors import Cancelled, IndexUnavailable
from analysis.stopping import StopFlag
from lsp_server.code_base import EditorCodeBase
from lsp_server.errors import answering_errors
from lsp_server.features.commands import on_ask_command
from lsp_server.features.symbols.in_time import in_time, or_nothing
from lsp_server.features.symbols.lookup import is_answered, place_in, uses_at
from lsp_server.features.symbols.places import SymbolPlaces
from lsp_server.locations import wire_location
from lsp_server.protocol import AskParams, UsesParams, UsesResult, WireLocation
from lsp_server.server import ScopeServer


async def on_references(
    server: ScopeServer, params: types.ReferenceParams
) -> list[types.Location] | None:
    """Return the uses that were resolved to what is under the cursor, or is cited there."""
    await server.documents.settle()
    codebase, uri = server.codebase, params.text_document.uri
    if codebase is None or not is_answered(server, uri):
        return None

    def find(stop: StopFlag) -> list[types.Location] | None:
        place = place_in(server, uri, params.position)
        if place is None:
            return None
        places = SymbolPlaces(codebase, server.codec)
        found: list[types.Location] = []
        for uses in uses_at(codebase, place, stop):
            if params.context.include_declaration and uses.definition is not None:
                found += [item for item in [places.definition(uses.definition)] if item]
            found += places.uses(uses.references)
        return found

    return await or_nothing(find)


async def on_uses(server: ScopeServer, raw: Any) -> dict[str, Any]:
    """Return the uses of a symbol, undecided ones apart, and whether these are all."""
    params = UsesParams.parse(raw)
    with answering_errors():
        codebase = await server.require_codebase()
        position = types.Position(params.position.line, params.position.character)
        await server.documents.settle()
        try:
            result = await in_time(lambda stop: _uses(server, codebase, params.uri, position, stop))
        except Cancelled:
            raise IndexUnavailable(
                "The uses were not found in time: the code is still being read.",
                "Try again when the index is ready.",
            ) from None
    return result.dump()


async def on_uses_command(server: ScopeServer, *arguments: Any) -> str:
    """Ask who uses the symbol, for clients that do not show the uses themselves."""
    params = UsesParams.parse(arguments[0] if arguments else None)
    await server.documents.settle()
    place = await asyncio.to_thread(
        place_in,
        server,
        params.uri,
        types.Position(params.position.line, params.position.character),
    )
    name = params.symbol or (place.name if place else "this")
    where = {"start": params.position.dump(), "end": params.position.dump()}
    location = WireLocation.model_validate({"uri": params.uri, "range": where})
    question = AskParams(question=f"Who uses `{name}`?", location=location, symbol=name)
    return await on_ask_command(server, question.dump())


def _uses(
    server: ScopeServer,
    codebase: EditorCodeBase,
    uri: str,
    position: types.Position,
    stop: StopFlag,
) -> UsesResult:
    place = place_in(server, uri, position)
    lists = uses_at(codebase, place, stop) if place is not None else []
    places = SymbolPlaces(codebase, server.codec)
    definitions = [places.definition(uses.definition) for uses in lists if uses.definition]
    return UsesResult(
        symbol=lists[0].symbol if lists else "",
        definitions=[wire_location(place) for place in definitions if place is not None],
        references=_wire(places, [uses.references for uses in lists]),
        unverified=_wire(places, [uses.unverified for uses in lists]),
        complete=bool(lists) and all(uses.complete for uses in lists),
        stopped_by=next((uses.stopped_by for uses in lists if uses.stopped_by), None),
    )


def _wire(places: SymbolPlaces, parts: list[tuple[Any, ...]]) -> list[WireLocation]:
    return [wire_location(place) for part in parts for place in places.uses(part)]
