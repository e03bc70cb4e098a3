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

from analysis.parsing.languages import extensions_of, language_of
from lsp_server.server import ScopeServer

logger = logging.getLogger(__name__)

_REFERENCES = "text_document.references.dynamic_registration"
_CALLS = "text_document.call_hierarchy.dynamic_registration"


def is_answered(server: ScopeServer, uri: str) -> bool:
    """Return whether searches from a document are answered."""
    language = language_of(uri)
    return language == "markdown" or language in languages(server)


def languages(server: ScopeServer) -> frozenset[str]:
    """Return the languages that the user leaves to us; the dialects with JSX belong to theirs."""
    named = {name.lower() for name in server.settings.editor.references}
    dialects = {"typescript": "tsx", "javascript": "jsx"}
    return frozenset(named | {dialects[name] for name in named if name in dialects})


def announces_later(server: ScopeServer, method: str) -> bool:
    """Return whether the client learns after its start where a request is answered."""
    return server.client_can(_REFERENCES if method == types.TEXT_DOCUMENT_REFERENCES else _CALLS)


async def announce(server: ScopeServer) -> None:
    """Tell the client where its searches are answered, at the start and after changed settings."""
    answered = languages(server)
    methods = [method for method in _METHODS if announces_later(server, method)]
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
