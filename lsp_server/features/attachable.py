"""``scope/attachable``: what a question can be about, by a name or by a place in the code."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from analysis.errors import ScopeError
from analysis.workspace.paths import uri_from_path
from lsp_server import protocol
from lsp_server.code_base import EditorCodeBase
from lsp_server.errors import answering_errors
from lsp_server.protocol import (
    AttachableParams,
    AttachableResult,
    WireAttachable,
    WireLocation,
    WirePosition,
    WireRange,
)
from lsp_server.server import ScopeServer

if TYPE_CHECKING:
    from analysis.models import SymbolInfo

_MOST_FOLDERS, _MOST_FILES, _MOST_NAMES = 3, 6, 8
# Of a name that stands in many files, these are enough to see that more must be typed.
_MOST_OF_A_NAME = 3
_CHANGES = ("changes", "uncommitted", "diff", "commit", "branch")
_LEAST_OF_CHANGES = 2


def register(server: ScopeServer) -> None:
    """Register the request."""
    server.feature(protocol.ATTACHABLE.method)(on_attachable)


async def on_attachable(server: ScopeServer, raw: Any) -> dict[str, Any]:
    """Return changes, folders, files and definitions of a name, or the definition at a place."""
    params = AttachableParams.parse(raw)
    with answering_errors():
        codebase = await server.require_codebase()
        if params.location is not None:
            items = await asyncio.to_thread(_around, codebase, params.location)
        else:
            items = await asyncio.to_thread(_named, codebase, params.name.lower().rstrip("/"))
    return AttachableResult(items=items).dump()


def _around(codebase: EditorCodeBase, location: WireLocation) -> list[WireAttachable]:
    """Return the innermost definition around a place, if there is one."""
    from analysis.parsing.find_symbols import symbol_at  # parsers: not before they are needed

    path = codebase.path_of(location.uri)
    if path is None:
        return []
    try:
        outline = codebase.engine.outline(path)
    except ScopeError:
        return []
    symbol = symbol_at(outline, location.range.start.line + 1)
    return [_definition(codebase, path, symbol)] if symbol else []


def _named(codebase: EditorCodeBase, name: str) -> list[WireAttachable]:
    """Return what has a name in its own: what begins with it first, then the shorter."""
    index = codebase.engine.index
    paths = index.file_table().paths
    folders = {str(parent) for path in paths for parent in PurePosixPath(path).parents}
    folders.discard(".")
    files = [_resource(codebase, "file", path) for path in _fitting(paths, name)[:_MOST_FILES]]
    around = [
        _resource(codebase, "folder", path) for path in _fitting(folders, name)[:_MOST_FOLDERS]
    ]
    known = [
        _definition(codebase, row.path, row.info)
        for word in _fitting(index.symbol_names(), name)[:_MOST_NAMES]
        for row in index.symbols_named(word)[:_MOST_OF_A_NAME]
    ]
    return [*_changes(codebase, name), *around, *files, *known]


def _changes(codebase: EditorCodeBase, name: str) -> list[WireAttachable]:
    """Return the changes that are there to attach, if a name begins a word for them."""
    if len(name) < _LEAST_OF_CHANGES or not any(word.startswith(name) for word in _CHANGES):
        return []
    from analysis.changes.offered import offered_changes

    uri = uri_from_path(next(iter(codebase.folders.values())))
    return [
        WireAttachable(
            kind="changes", uri=uri, label=item.label, detail=item.detail, changes=item.wanted
        )
        for item in offered_changes(codebase.folders.values())
    ]


def _fitting(names: Iterable[str], wanted: str) -> list[str]:
    """Return the paths or names in whose last part, or as a whole, a name occurs."""
    ranked = []
    for name in names:
        whole, last = name.lower(), name.lower().rpartition("/")[2]
        if wanted in last or ("/" in wanted and wanted in whole):
            ranked.append((not last.startswith(wanted), len(name), name))
    return [name for _, _, name in sorted(ranked)]


def _resource(codebase: EditorCodeBase, kind: str, path: str) -> WireAttachable:
    label = f"{path}/" if kind == "folder" else path
    return WireAttachable(kind=kind, uri=_uri(codebase, path), label=label)


def _uri(codebase: EditorCodeBase, path: str) -> str:
    """Return where a file or folder is; of several roots, each is a folder of its own."""
    root = codebase.folders.get(path)
    return uri_from_path(root) if root and len(codebase.folders) > 1 else codebase.uri_of(path)


def _definition(codebase: EditorCodeBase, path: str, info: SymbolInfo) -> WireAttachable:
    at = WirePosition(line=info.line - 1, character=0)
    return WireAttachable(
        kind="symbol",
        uri=codebase.uri_of(path),
        label=info.qualified_name,
        detail=f"{path}:{info.line}",
        range=WireRange(start=at, end=at),
    )
