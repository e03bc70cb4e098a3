"""References and call hierarchy as the protocol has them, offered where nobody else has them."""

from __future__ import annotations

from lsprotocol import types

from lsp_server.features import call_hierarchy, references
from lsp_server.registration import announces_later
from lsp_server.server import ScopeServer


def offer(server: ScopeServer, *, at_start: bool) -> None:
    """Register the handlers that the client learns of at its start, or those that it learns later.

    What is registered at the start is offered in every file; a client that can be told later is
    told in which files (see ``navigation``).
    """
    if announces_later(server, types.TEXT_DOCUMENT_REFERENCES) is not at_start:
        server.feature(types.TEXT_DOCUMENT_REFERENCES)(references.on_references)
    if announces_later(server, types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY) is not at_start:
        prepare = types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY
        server.feature(prepare)(call_hierarchy.on_prepare)
        server.feature(types.CALL_HIERARCHY_INCOMING_CALLS)(call_hierarchy.on_incoming)
        server.feature(types.CALL_HIERARCHY_OUTGOING_CALLS)(call_hierarchy.on_outgoing)
