"""``scope/ask`` and ``scope/preview``: a question answered, or what it would send to a model."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from analysis.stopping import StopFlag
from lsp_server import protocol
from lsp_server.errors import answering_errors
from lsp_server.protocol import (
    AskParams,
    PreviewResult,
    WireLines,
    WirePreviewFile,
    WirePreviewPhase,
)
from lsp_server.runs import request_from
from lsp_server.server import ScopeServer

if TYPE_CHECKING:
    from analysis.modes.preview import Preview


def register(server: ScopeServer) -> None:
    """Register the requests."""
    server.feature(protocol.ASK.method)(on_ask)
    server.feature(protocol.PREVIEW.method)(on_preview)


async def on_ask(server: ScopeServer, raw: Any) -> dict[str, Any]:
    """Answer one question and return the document.

    A cancelled request fails at once; its run stops at the next step and still writes what it has.
    """
    params = AskParams.parse(raw)
    with answering_errors():
        run = server.runs.start(params, await server.require_codebase())
        return (await run.answered()).dump()


async def on_preview(server: ScopeServer, raw: Any) -> dict[str, Any]:
    """Return files, sizes, prices and the host; no model is called."""
    params = AskParams.parse(raw)
    stop = StopFlag()
    with answering_errors():
        codebase = await server.require_codebase()
        request = request_from(server, codebase, params)
        try:
            found = await asyncio.to_thread(codebase.engine.preview, request, stop)
        except asyncio.CancelledError:
            stop.set()
            raise
    return _wire_preview(found, codebase.uri_of).dump()


def _wire_preview(found: Preview, uri_of: Callable[[str], str]) -> PreviewResult:
    """Return a preview as it goes over the wire."""
    return PreviewResult(
        mode=found.mode,
        model=found.model,
        host=found.host,
        files=[
            WirePreviewFile(
                path=file.path,
                uri=uri_of(file.path),
                ranges=[WireLines(line_start=first, line_end=last) for first, last in file.ranges],
                is_outlined=file.is_outlined,
                redacted=list(file.redacted),
            )
            for file in found.files
        ],
        phases=[WirePreviewPhase(**dataclasses.asdict(phase)) for phase in found.phases],
        scopes=list(found.scopes),
        withheld=list(found.withheld),
        notes=list(found.notes),
    )
