"""The editor's own model: which one the user chose, and the way to it and back.

``scope/complete`` carries a request to the client, ``scope/completeText`` the words back.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lsp_server.protocol import (
    COMPLETE,
    COMPLETE_TEXT,
    USE_MODEL,
    CompleteCall,
    CompleteParams,
    CompleteResult,
    CompleteTextParams,
    CompleteTool,
    CompleteToolResult,
    CompleteTurn,
    UseModelParams,
)
from lsp_server.server import ScopeServer

if TYPE_CHECKING:
    from analysis.llm.chat_model import ChatModel
    from analysis.llm.editor_model import (
        EditorCompletion,
        EditorFault,
        EditorModelError,
        EditorTurn,
    )
    from analysis.llm.messages import ToolCall

_FAULTS: dict[str, EditorFault] = {
    "no_model": "no_model",
    "no_consent": "no_consent",
    "quota": "quota",
    "blocked": "blocked",
    "too_long": "too_long",
}


def register(server: ScopeServer) -> None:
    """Register the notifications; the engine is told again whenever it or the settings change."""
    models = EditorModels(server)
    server.when_engine_changes(models.apply)
    server.model_for = models.model_for

    def on_use_model(server: ScopeServer, raw: Any) -> None:
        models.choose(UseModelParams.parse(raw))

    def on_complete_text(server: ScopeServer, raw: Any) -> None:
        models.channel.receive(CompleteTextParams.parse(raw))

    server.feature(USE_MODEL.method)(on_use_model)
    # Not ``async``, so that the order of the pieces is kept.
    server.feature(COMPLETE_TEXT.method)(on_complete_text)


class ClientChannel:
    """Carries requests to the client and its model's words back; an ``EditorChannel``."""

    def __init__(self, server: ScopeServer) -> None:
        self._server = server
        self._open: dict[str, asyncio.Queue[str | ToolCall | None]] = {}

    @property
    def takes_tools(self) -> bool:
        """Whether the client hands tools on, and calls back."""
        return self._server.abilities.complete_tools

    def receive(self, params: CompleteTextParams) -> None:
        """Take a further piece of text, or a call; what comes after a cancel is dropped."""
        if (pieces := self._open.get(params.completion_id)) is not None:
            pieces.put_nowait(params.text)
            if params.call is not None:
                pieces.put_nowait(_call_of(params.call))

    async def complete(self, completion: EditorCompletion) -> AsyncGenerator[str | ToolCall]:
        """Yield the model's words and calls as they come; see ``EditorChannel``."""
        completion_id = uuid.uuid4().hex
        pieces: asyncio.Queue[str | ToolCall | None] = asyncio.Queue()
        self._open[completion_id] = pieces
        params = CompleteParams(
            completion_id=completion_id,
            model=completion.model,
            turns=[_wire_turn(turn) for turn in completion.turns],
            max_output_tokens=completion.max_output_tokens,
            tools=[
                CompleteTool(
                    name=t.name, description=t.description, input_schema=dict(t.parameters)
                )
                for t in completion.tools
            ],
        )
        protocol = self._server.protocol
        answer = protocol.send_request_async(COMPLETE.method, params.dump(), completion_id)
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


class EditorModels:
    """Lets the engine ask what the user chose: the named model, else the editor's own."""

    def __init__(self, server: ScopeServer) -> None:
        self.channel = ClientChannel(server)
        self._server = server
        self._chosen = UseModelParams()

    def choose(self, chosen: UseModelParams) -> None:
        """Ask this model from the next question on."""
        self._chosen = chosen
        self._server.engine_changed()

    def apply(self) -> None:
        """Tell the engine that is open now."""
        if self._server.codebase is not None:
            self._server.codebase.engine.use_model(self._model())

    def _model(self) -> ChatModel | None:
        """Return the editor's model if it is the one to ask; None leaves it to the settings."""
        return None if self._server.settings.model.name else self.model_for(self._chosen)

    def model_for(self, chosen: UseModelParams) -> ChatModel | None:
        """Return one of the editor's models; None if none is named, or the client asks none."""
        if chosen.name is None or not self._server.abilities.complete:
            return None
        from analysis.llm.editor_model import EditorModel

        settings = self._server.settings.model
        return EditorModel(
            self.channel,
            chosen.name,
            context_tokens=settings.context_tokens or chosen.context_tokens,
            piece_timeout_s=settings.piece_timeout_s,
            timeout_s=settings.timeout_s,
        )


def _wire_turn(turn: EditorTurn) -> CompleteTurn:
    from analysis.llm.arguments import json_object_in

    return CompleteTurn(
        role=turn.role,
        text=turn.text,
        calls=[
            CompleteCall(id=call.id, name=call.name, arguments=json_object_in(call.arguments) or {})
            for call in turn.calls
        ],
        results=[CompleteToolResult(call_id=key, text=text) for key, text in turn.results],
    )


def _call_of(call: CompleteCall) -> ToolCall:
    from analysis.llm.messages import ToolCall

    return ToolCall(call.id, call.name, json.dumps(call.arguments, ensure_ascii=False))


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
