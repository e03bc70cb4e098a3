"""The call hierarchy of functions and classes, from the call graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from lsprotocol import types

from analysis.models import CallSite
from analysis.stopping import StopFlag
from lsp_server.features.symbols.in_time import or_nothing
from lsp_server.features.symbols.lookup import (
    Direction,
    calls_at,
    definitions_at,
    is_answered,
    place_in,
)
from lsp_server.features.symbols.places import SymbolPlaces
from lsp_server.server import ScopeServer

_CALLED_KINDS = {"function", "method", "class"}

_Call = TypeVar("_Call")


async def on_prepare(
    server: ScopeServer, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem] | None:
    """Return the functions and classes that can be meant under the cursor, or are cited there."""
    await server.documents.settle()
    codebase, uri = server.codebase, params.text_document.uri
    if codebase is None or not is_answered(server, uri):
        return None

    def find(stop: StopFlag) -> list[types.CallHierarchyItem] | None:
        place = place_in(server, uri, params.position)
        if place is None:
            return None
        places = SymbolPlaces(codebase, server.codec)
        choices = definitions_at(codebase, place, stop)
        items = [places.item(choice) for choice in choices if choice.kind in _CALLED_KINDS]
        return [item for item in items if item is not None] or None

    return await or_nothing(find)


async def on_incoming(
    server: ScopeServer, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall] | None:
    """Return who calls an item; what is called outside of functions is called by its file."""
    return await _calls(server, params.item, "callers", types.CallHierarchyIncomingCall)


async def on_outgoing(
    server: ScopeServer, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall] | None:
    """Return whom an item calls, as far as it is in the code base."""
    return await _calls(server, params.item, "callees", types.CallHierarchyOutgoingCall)


async def _calls(
    server: ScopeServer,
    item: types.CallHierarchyItem,
    direction: Direction,
    call_of: Callable[[types.CallHierarchyItem, list[types.Range]], _Call],
) -> list[_Call] | None:
    codebase = await server.settled_codebase()
    if codebase is None or item.kind == types.SymbolKind.File:
        return None

    def find(stop: StopFlag) -> list[_Call] | None:
        place = place_in(server, item.uri, item.selection_range.start)
        found = calls_at(codebase, place, direction, stop) if place is not None else None
        if found is None:
            return None
        grouped = _by_other_end(SymbolPlaces(codebase, server.codec), found.calls)
        return [call_of(other, ranges) for other, ranges in grouped]

    return await or_nothing(find)


def _by_other_end(
    places: SymbolPlaces, calls: Iterable[CallSite]
) -> list[tuple[types.CallHierarchyItem, list[types.Range]]]:
    """Return each function at the other end once, with the ranges of its calls."""
    found: dict[tuple[str, str, int], tuple[types.CallHierarchyItem, list[types.Range]]] = {}
    for call in calls:
        where = places.use(call.path, call.line, call.column, call.context)
        other = places.item(call.definition) if call.definition else places.file_item(call.path)
        if where is None or other is None:
            continue
        key = (other.uri, other.name, other.selection_range.start.line)
        found.setdefault(key, (other, []))[1].append(where.range)
    return list(found.values())
