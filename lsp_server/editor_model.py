"""The way to the editor's own model: ``scope/complete``, and the text that comes back."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lsp_server.model_messages import (
    COMPLETE,
    CompleteParams,
    CompleteResult,
    CompleteTextParams,
    CompleteTurn,
)

if TYPE_CHECKING:
    from analysis.llm.chat_model import ChatModel
    from analysis.llm.editor_model import EditorCompletion, EditorFault, EditorModelError
    from lsp_server.server import ScopeServer

_FAULTS: dict[str, EditorFault] = {
    "no_model": "no_model",
    "no_consent": "no_consent",
    "quota": "quota",
    "blocked": "blocked",
    "too_long": "too_long",
}


class ClientChannel:
    """Carries requests to the client and its model's words back; an ``EditorChannel``."""

    def __init__(self, server: ScopeServer) -> None:
        self._server = server
        self._open: dict[str, asyncio.Queue[str | None]] = {}

    def receive(self, params: CompleteTextParams) -> None:
        """Take a further piece of text; what comes after a cancel is dropped."""
        if (pieces := self._open.get(params.completion_id)) is not None:
            pieces.put_nowait(params.text)

    async def complete(self, completion: EditorCompletion) -> AsyncGenerator[str]:
        """Yield the model's words as they come; see ``EditorChannel``."""
        completion_id = uuid.uuid4().hex
        pieces: asyncio.Queue[str | None] = asyncio.Queue()
        self._open[completion_id] = pieces
        params = CompleteParams(
            completion_id=completion_id,
            turns=[CompleteTurn(role=turn.role, text=turn.text) for turn in completion.turns],
            max_output_tokens=completion.max_output_tokens,
        )
        protocol = self._server.protocol
        answer = protocol.send_request_async(COMPLETE, params.dump(), completion_id)
        # The answer comes after the last text, and so does the end of the queue.
        answer.add_done_callback(lambda _: pieces.put_nowait(None))
        try:
            while (piece := await pieces.get()) is not None:
                yield piece
            if (error := _error_of(answer)) is not None:
                raise error
        finally:
            del self._open[completion_id]
            if not answer.done() and not self._server.shutting_down:
                # Not answer.cancel(): pygls reports the late reply to a cancelled future.
                protocol.notify(types.CANCEL_REQUEST, types.CancelParams(completion_id))
                answer.add_done_callback(asyncio.Future.exception)


def use_model(server: ScopeServer) -> None:
    """Let the engine ask what the user chose: the named model, else the editor's own."""
    if server.codebase is not None:
        server.codebase.engine.use_model(_editor_model(server))


def _editor_model(server: ScopeServer) -> ChatModel | None:
    """Return the editor's model if it is the one to ask; None leaves it to the settings."""
    settings, chosen = server.settings.model, server.chosen_model
    if chosen.name is None or settings.name or not server.abilities.complete:
        return None
    from analysis.llm.editor_model import EditorModel

    return EditorModel(
        server.channel,
        chosen.name,
        context_tokens=settings.context_tokens or chosen.context_tokens,
        piece_timeout_s=settings.piece_timeout_s,
        timeout_s=settings.timeout_s,
    )


def _error_of(answer: asyncio.Future[Any]) -> EditorModelError | None:
    """Return what the client's answer says went wrong; None if nothing did."""
    from analysis.llm.editor_model import EditorModelError

    try:
        result = CompleteResult.parse(answer.result())
    except JsonRpcException as error:
        return EditorModelError("other", str(error))
    if result.fault is None:
        return None
    return EditorModelError(_FAULTS.get(result.fault, "other"), result.message or "")
