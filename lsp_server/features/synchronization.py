"""What the editor shows, kept as text that is searched and cited; and what changed on disk."""

from __future__ import annotations

from lsprotocol import types

from lsp_server import indexing
from lsp_server.locations import apply_changes
from lsp_server.server import ScopeServer


def register(server: ScopeServer) -> None:
    """Register the handlers of open documents and watched files."""
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(on_open)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(on_change)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(on_save)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(on_close)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(on_watched_files)


async def on_open(server: ScopeServer, params: types.DidOpenTextDocumentParams) -> None:
    """Lay the opened document over the file."""
    document = params.text_document
    server.texts[document.uri] = document.text
    if server.codebase is not None:
        server.codebase.show(document.uri, document.text, document.version)
    server.documents.note(document.uri)


async def on_change(server: ScopeServer, params: types.DidChangeTextDocumentParams) -> None:
    """Apply the edits by the protocol's line rule; see ``locations``."""
    document = params.text_document
    text = apply_changes(server.texts.get(document.uri, ""), params.content_changes, server.codec)
    server.texts[document.uri] = text
    if server.codebase is not None:
        server.codebase.show(document.uri, text, document.version)
    server.documents.note(document.uri)


async def on_save(server: ScopeServer, params: types.DidSaveTextDocumentParams) -> None:
    """Index the saved file."""
    await _reindex(server, [params.text_document.uri])


async def on_close(server: ScopeServer, params: types.DidCloseTextDocumentParams) -> None:
    """From now on the file on disk counts again."""
    server.texts.pop(params.text_document.uri, None)
    if server.codebase is not None:
        server.codebase.hide(params.text_document.uri)
    server.documents.note(params.text_document.uri)


async def on_watched_files(server: ScopeServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Read again what changed on disk."""
    await _reindex(server, [change.uri for change in params.changes])


async def _reindex(server: ScopeServer, uris: list[str]) -> None:
    codebase = server.codebase
    if codebase is None:
        return
    for uri in uris:
        server.documents.note(uri)
    paths = {path for uri in uris if (path := codebase.path_of(uri))}
    if paths:
        await indexing.reindex_paths(codebase, sorted(paths))
        # Code that is not where it was is looked for in the index, which knows of it only now.
        for uri in uris:
            server.documents.note(uri)
