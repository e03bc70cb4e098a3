"""``scope/ask``: one question, one document."""

from __future__ import annotations

import asyncio
from typing import Any

from lsp_server import protocol
from lsp_server.errors import answering_errors
from lsp_server.protocol import AskParams
from lsp_server.server import ScopeServer


def register(server: ScopeServer) -> None:
    """Register the request."""
    server.feature(protocol.ASK)(on_ask)


async def on_ask(server: ScopeServer, raw: Any) -> dict[str, Any]:
    """Answer one question and return the document.

    A cancelled request fails at once; its run stops at the next step and still writes what it has.
    """
    params = AskParams.parse(raw)
    with answering_errors():
        run = server.runs.start(params)
        try:
            answer = await asyncio.shield(run.task)
        except asyncio.CancelledError:
            run.stop.set()
            raise
    return run.result(answer).dump()
