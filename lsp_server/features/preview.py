"""``scope/preview``: what a question would send to a model, without sending anything."""

from __future__ import annotations

import asyncio
from typing import Any

from analysis.stopping import StopFlag
from lsp_server.errors import answering_errors
from lsp_server.model_messages import PREVIEW
from lsp_server.protocol import AskParams
from lsp_server.runs import request_from
from lsp_server.server import ScopeServer
from lsp_server.to_lsp import wire_preview


def register(server: ScopeServer) -> None:
    """Register the request."""
    server.feature(PREVIEW)(on_preview)


async def on_preview(server: ScopeServer, raw: Any) -> dict[str, Any]:
    """Return files, sizes, prices and the host; no model is called."""
    params = AskParams.parse(raw)
    stop = StopFlag()
    with answering_errors():
        codebase = server.require_codebase()
        request = request_from(server, codebase, params)
        try:
            found = await asyncio.to_thread(codebase.engine.preview, request, stop)
        except asyncio.CancelledError:
            stop.set()
            raise
    return wire_preview(found, codebase.uri_of).dump()
