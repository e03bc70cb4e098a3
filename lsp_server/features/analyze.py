"""``scope/analyze``: places for a query."""

from __future__ import annotations

import asyncio
from typing import Any

from analysis.stopping import StopFlag
from lsp_server import protocol
from lsp_server.errors import answering_errors
from lsp_server.protocol import AnalyzeParams
from lsp_server.server import ScopeServer


def register(server: ScopeServer) -> None:
    """Register the request."""
    server.feature(protocol.ANALYZE.method)(on_analyze)


async def on_analyze(server: ScopeServer, raw: Any) -> dict[str, Any]:
    """Return the places that a query leads to, best first."""
    params = AnalyzeParams.parse(raw)
    stop = StopFlag()
    with answering_errors():
        codebase = await server.require_codebase()
        try:
            result = await asyncio.to_thread(codebase.analyze, params, stop)
        except asyncio.CancelledError:
            stop.set()
            raise
    return result.dump()
