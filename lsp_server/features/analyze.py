"""``scope/analyze`` and ``scope/verify``: places for a query, and what became of references."""

from __future__ import annotations

import asyncio
from typing import Any

from analysis.stopping import StopFlag
from analysis.workspace.paths import path_from_uri
from lsp_server import protocol
from lsp_server.errors import answering_errors
from lsp_server.protocol import AnalyzeParams, VerifyParams
from lsp_server.server import ScopeServer


def register(server: ScopeServer) -> None:
    """Register the requests."""
    server.feature(protocol.ANALYZE.method)(on_analyze)
    server.feature(protocol.VERIFY.method)(on_verify)


async def on_analyze(server: ScopeServer, raw: Any) -> dict[str, Any]:
    """Return the places that a query leads to, best first."""
    params = AnalyzeParams.parse(raw)
    stop = StopFlag()
    with answering_errors():
        codebase = server.require_codebase()
        try:
            result = await asyncio.to_thread(codebase.analyze, params, stop)
        except asyncio.CancelledError:
            stop.set()
            raise
    return result.dump()


async def on_verify(server: ScopeServer, raw: Any) -> dict[str, Any]:
    """Return the state of every reference of a context document."""
    params = VerifyParams.parse(raw)
    with answering_errors():
        codebase = server.require_codebase()
        result = await asyncio.to_thread(codebase.verify, path_from_uri(params.document_uri))
    return result.dump()
