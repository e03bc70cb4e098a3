"""Builds the server: every feature registers its handlers here."""

from __future__ import annotations

from lsp_server.features import (
    analyze,
    ask,
    ask_organisation,
    attachable,
    citing,
    code_actions,
    commands,
    configuration,
    context_documents,
    debug_info,
    diagnostics,
    document_fixes,
    document_lens,
    documents_verified,
    editor_model,
    lifecycle,
    symbols,
    synchronization,
    tools,
)
from lsp_server.server import ScopeServer


def create_server() -> ScopeServer:
    """Return a server with all features, not yet connected to a client."""
    server = ScopeServer()
    for feature in (
        lifecycle,
        configuration,
        synchronization,
        ask,
        ask_organisation,
        analyze,
        attachable,
        editor_model,
        debug_info,
        tools,
        commands,
        citing,
        code_actions,
        context_documents,
        diagnostics,
        document_fixes,
        document_lens,
        documents_verified,
        symbols,
    ):
        feature.register(server)
    return server
