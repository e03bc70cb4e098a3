"""The editor's model through a channel: words, roles, refusals, and the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from analysis.errors import ModelNotConfigured, ModelRefused, ModelUnavailable
from analysis.events import Notice
from analysis.llm.editor_model import EditorCompletion, EditorModel, EditorModelError
from analysis.llm.messages import (
    Message,
    ModelRequest,
    ResponseSchema,
    TextPiece,
    ToolSpec,
    Words,
)
from analysis.stopping import StopFlag

ASK = ModelRequest((Message("system", "Be true."), Message("user", "Why?")))


class Channel:
    """Says what it was given, then fails or stalls if told to."""

    def __init__(self, *words: str, fault: str = "", stall: bool = False) -> None:
        self.asked: list[EditorCompletion] = []
        self.closed = False
        self._words, self._fault, self._stall = words, fault, stall

    async def complete(self, completion: EditorCompletion) -> AsyncGenerator[str]:
        self.asked.append(completion)
        try:
            for word in self._words:
                yield word
            if self._stall:
                await asyncio.sleep(3600)
            if self._fault:
                raise EditorModelError(self._fault)  # type: ignore[arg-type]
        finally:
            self.closed = True


async def reply_of(channel: Channel, request: ModelRequest = ASK, stop: StopFlag | None = None):
    model = EditorModel(channel, "copilot/gpt", piece_timeout_s=0.5)
    text: list[str] = []

    async def on_piece(piece: Words | Notice) -> None:
        assert isinstance(piece, TextPiece)
        text.append(piece.text)

    reply = await model.complete(request, stop or StopFlag(), on_piece)
    assert request.tools or "".join(text) == reply.text
    return reply


async def test_words_arrive_and_the_system_speaks_as_the_user():
    channel = Channel("Be", "cause.")
    reply = await reply_of(channel)
    assert reply.text == "Because."
    (turn,) = channel.asked[0].turns
    assert turn.role == "user"
    assert turn.text == "Be true.\n\nWhy?"
    assert channel.closed


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("no_model", ModelNotConfigured),
        ("no_consent", ModelUnavailable),
        ("quota", ModelUnavailable),
        ("blocked", ModelRefused),
        ("other", ModelUnavailable),
    ],
)
async def test_refusals_keep_what_was_said(fault: str, kind: type[Exception]):
    reply = await reply_of(Channel("Be", fault=fault))
    assert reply.text == "Be"
    assert isinstance(reply.failure, kind)
    assert reply.was_read is (fault not in {"no_model", "no_consent"})


async def test_silence_ends():
    reply = await reply_of(Channel("Be", stall=True))
    assert "sent nothing for 0.5 s" in str(reply.failure)


async def test_a_stop_closes_the_channel():
    channel, stop = Channel("Be", stall=True), StopFlag()
    asyncio.get_running_loop().call_later(0.1, stop.set)
    reply = await reply_of(channel, stop=stop)
    assert reply.finish_reason == "cancelled"
    assert channel.closed


async def test_tools_and_schemas_are_asked_for_in_words():
    tool = ToolSpec("read", "Reads.", {"type": "object"})
    request = ModelRequest(
        ASK.messages, tools=(tool,), schema=ResponseSchema("X", {"type": "object"})
    )
    channel = Channel('I look. {"tool": "read", "arguments": {"path": "a.py"}}')
    reply = await reply_of(channel, request)
    assert reply.text == "I look."
    assert reply.tool_calls[0].arguments == '{"path": "a.py"}'
    assert "JSON schema" in channel.asked[0].turns[0].text
