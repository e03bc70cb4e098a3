"""The editor's model through a channel: words, roles, refusals, and the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from analysis.errors import ModelNotConfigured, ModelRefused, ModelUnavailable
from analysis.events import Notice
from analysis.llm.editor_model import EditorCompletion, EditorModel, EditorModelError
from analysis.llm.messages import (
    Message,
    ModelReply,
    ModelRequest,
    ResponseSchema,
    TextPiece,
    ToolCall,
    ToolSpec,
    Words,
)
from analysis.stopping import StopFlag

ASK = ModelRequest((Message("system", "Be true."), Message("user", "Why?")))


class Channel:
    """Says what it was given, then fails or stalls if told to."""

    def __init__(
        self,
        *words: str | ToolCall,
        fault: str = "",
        stall: bool = False,
        takes_tools: bool = False,
        refusal: str = "",
    ) -> None:
        self.asked: list[EditorCompletion] = []
        self.closed = False
        self.takes_tools = takes_tools
        self.refusal = refusal
        self.words = words
        self._fault, self._stall = fault, stall

    async def complete(self, completion: EditorCompletion) -> AsyncGenerator[str | ToolCall]:
        self.asked.append(completion)
        if completion.tools and self.refusal:
            raise EditorModelError("other", self.refusal)
        try:
            for word in self.words:
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


READ = ToolSpec("read", "Reads.", {"type": "object"})
WITH_TOOLS = replace(ASK, tools=(READ,))
CALLS = (ToolCall("a", "read", '{"path": "a.py"}'), ToolCall("b", "read", '{"path": "b.py"}'))


async def said(*requests: ModelRequest, channel: Channel) -> ModelReply:
    """Make requests of one model and return its last reply."""
    model = EditorModel(channel, "copilot/gpt", piece_timeout_s=0.5)

    async def on_piece(piece: Words | Notice) -> None:
        """Take it."""

    for request in requests:
        reply = await model.complete(request, StopFlag(), on_piece)
    return reply


async def test_tools_go_through_the_editor_and_calls_come_back():
    channel = Channel("I look. ", *CALLS, takes_tools=True)
    reply = await said(WITH_TOOLS, channel=channel)
    assert (reply.text.strip(), reply.tool_calls) == ("I look.", CALLS)
    assert reply.finish_reason == "tool_calls"
    assert channel.asked[0].tools == (READ,)
    assert '"tool"' not in channel.asked[0].turns[0].text
    results = (Message("tool", "A", tool_call_id="a"), Message("tool", "B", tool_call_id="b"))
    spoken = (*ASK.messages, Message("assistant", "I look.", CALLS), *results)
    await said(replace(WITH_TOOLS, messages=spoken), channel=channel)
    _, called, answered = channel.asked[1].turns
    assert (called.role, called.text, called.calls) == ("assistant", "I look.", CALLS)
    assert (answered.role, answered.results) == ("user", (("a", "A"), ("b", "B")))


@pytest.mark.parametrize(
    ("refusal", "n_native"),
    [("This model does not support tools", 1), ("", 1)],
    ids=["refuses tools", "has words alone"],
)
async def test_a_model_that_has_no_tools_is_asked_in_words(refusal: str, n_native: int):
    written = '{"tool": "read", "arguments": {"path": "a.py"}}'
    channel = Channel(written if refusal else "Hm.", takes_tools=True, refusal=refusal)
    await said(WITH_TOOLS, WITH_TOOLS, channel=channel)
    native = [bool(completion.tools) for completion in channel.asked]
    assert native[:n_native] == [True] * n_native
    assert not any(native[n_native:])
    assert "The tools:" in channel.asked[-1].turns[0].text


async def test_a_model_that_has_called_may_answer_in_words():
    channel = Channel(*CALLS, takes_tools=True)
    model = EditorModel(channel, "copilot/gpt", piece_timeout_s=0.5)

    async def on_piece(piece: Words | Notice) -> None:
        """Take it."""

    for words in (CALLS, ("It is so.",), CALLS):
        channel.words = words
        await model.complete(WITH_TOOLS, StopFlag(), on_piece)
    assert all(completion.tools for completion in channel.asked)


async def test_where_words_are_wanted_no_tool_is_offered():
    channel = Channel("So.", takes_tools=True)
    reply = await said(replace(WITH_TOOLS, tool_choice="none"), channel=channel)
    assert (reply.text, channel.asked[0].tools) == ("So.", ())


async def test_another_fault_does_not_end_the_use_of_tools():
    channel = Channel(takes_tools=True, refusal="it rained")
    reply = await said(WITH_TOOLS, WITH_TOOLS, channel=channel)
    assert "it rained" in str(reply.failure)
    assert all(completion.tools for completion in channel.asked)
