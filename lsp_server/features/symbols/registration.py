"""Where the editor's own searches are answered by us: in documents, and in languages on request.

Editors merge the references of several servers and show doubles, and VS Code asks only one of
them for the call hierarchy. So source files are left to their language's own server, unless
the user says that there is none (``editor.references``). In context documents nobody else answers.
"""

from __future__ import annotations

import asyncio
import logging

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from analysis.parsing.languages import extensions_of
from lsp_server import protocol
from lsp_server.features.symbols import calls, uses
from lsp_server.features.symbols.lookup import languages
from lsp_server.server import ScopeServer

logger = logging.getLogger(__name__)

_REFERENCES = "text_document.references.dynamic_registration"
_CALLS = "text_document.call_hierarchy.dynamic_registration"


def register(server: ScopeServer) -> None:
    """Register our own request and the command of the code action; see ``offer`` for the rest."""
    server.feature(protocol.USES.method)(uses.on_uses)
    server.command(protocol.COMMAND_USES.name)(uses.on_uses_command)


def offer(server: ScopeServer, *, at_start: bool) -> None:
    """Register the handlers that the client learns of at its start, or those that it learns later.

    What is registered at the start is offered in every file; a client that can be told later is
    told in which files (see ``announce``).
    """
    if _announces_later(server, types.TEXT_DOCUMENT_REFERENCES) is not at_start:
        server.feature(types.TEXT_DOCUMENT_REFERENCES)(uses.on_references)
    if _announces_later(server, types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY) is not at_start:
        prepare = types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY
        server.feature(prepare)(calls.on_prepare)
        server.feature(types.CALL_HIERARCHY_INCOMING_CALLS)(calls.on_incoming)
        server.feature(types.CALL_HIERARCHY_OUTGOING_CALLS)(calls.on_outgoing)


async def announce(server: ScopeServer) -> None:
    """Tell the client where its searches are answered, at the start and after changed settings."""
    answered = languages(server)
    methods = [method for method in _METHODS if _announces_later(server, method)]
    if not methods or server.navigated == answered:
        return
    known = server.navigated is not None
    server.navigated = answered
    try:
        if known:
            await asyncio.shield(server.client_unregister_capability_async(_withdrawals(methods)))
        await asyncio.shield(
            server.client_register_capability_async(_registrations(methods, answered))
        )
    except JsonRpcException as error:
        logger.warning("The editor was not told where references are answered: %s", error)


_METHODS = {
    types.TEXT_DOCUMENT_REFERENCES: types.ReferenceRegistrationOptions,
    types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: types.CallHierarchyRegistrationOptions,
}


def _registrations(methods: list[str], answered: frozenset[str]) -> types.RegistrationParams:
    extensions = sorted({"md", *(e for name in answered for e in extensions_of(name))})
    where = [types.TextDocumentFilterPattern(f"**/*.{{{','.join(extensions)}}}", scheme="file")]
    return types.RegistrationParams(
        [
            types.Registration(_id(method), method, _METHODS[method](document_selector=where))
            for method in methods
        ]
    )


def _withdrawals(methods: list[str]) -> types.UnregistrationParams:
    return types.UnregistrationParams(
        [types.Unregistration(_id(method), method) for method in methods]
    )


def _id(method: str) -> str:
    return f"scope-{method.rpartition('/')[2]}"


def _announces_later(server: ScopeServer, method: str) -> bool:
    """Return whether the client learns after its start where a request is answered."""
    return server.client_can(_REFERENCES if method == types.TEXT_DOCUMENT_REFERENCES else _CALLS)
