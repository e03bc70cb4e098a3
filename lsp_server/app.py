"""Builds the server: every feature registers its handlers here."""

from __future__ import annotations

from lsp_server.features import (
    analyze,
    ask,
    attachable,
    code_actions,
    commands,
    configuration,
    context_documents,
    debug_info,
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
        analyze,
        attachable,
        editor_model,
        debug_info,
        tools,
        commands,
        code_actions,
        context_documents,
        symbols,
    ):
        feature.register(server)
    return server
