"""Servers that write without end, or say what they like of what they wrote: caps hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from analysis.llm.budget import BudgetTracker, Limits
from analysis.llm.calls import ModelCalls
from analysis.llm.messages import Message, ModelReply, ModelRequest, ToolSpec, Usage
from analysis.llm.throttle import TPMThrottle
from analysis.stopping import StopFlag
from tests.fakes.chat_server import ChatServer, Item, delta, end, say, usage
from tests.fakes.fixtures import _one_chat_server, chat_server
from tests.llm.test_litellm_model import model_at

__all__ = ["_one_chat_server", "chat_server"]

REQUEST = ModelRequest((Message("user", "Where is the login? " * 40),), max_output_tokens=1_000)
TOOL = ToolSpec("read", "Reads.", {"type": "object", "properties": {}})
N_ENDLESS = 40_000
"""Chunks: as good as without end, and a test that fails comes to one."""


def calls_with(server: ChatServer, cap: int) -> ModelCalls:
    model = model_at(server, piece_timeout_s=30, timeout_s=60)
    budget = BudgetTracker(Limits(cap, final_tokens=0), model.facts)
    return ModelCalls(model, budget, TPMThrottle(10_000_000), stop=StopFlag())


def endless(kind: str) -> list[Item]:
    def pieces() -> Iterator[Item]:
        opening = {"index": 0, "id": "c1", "type": "function", "function": {"name": "read"}}
        more = {"index": 0, "function": {"arguments": '{"a": "' + "x" * 40}}
        if kind == "arguments":
            yield delta(tool_calls=[opening])
        chunk: dict[str, Item] = {
            "text": delta("words without end "),
            "foreign": delta("слова без конца "),
            "thinking": delta(reasoning_content="hm " * 10),
            "think tags": delta("hm " * 10),
            "arguments": delta(tool_calls=[more]),
        }
        if kind == "think tags":
            yield delta("<think>")
        for number in range(N_ENDLESS // 2):  # litellm itself ends what repeats one chunk
            yield chunk[kind]
            yield delta(f"{number} ") if kind in ("text", "foreign", "think tags") else chunk[kind]
        yield usage(1, 1)

    return list(pieces())


@pytest.mark.parametrize("kind", ["text", "foreign", "thinking", "think tags", "arguments"])
async def test_an_endless_answer_is_cut_by_our_own_count(chat_server: ChatServer, kind: str):
    chat_server.play(endless(kind))
    calls = calls_with(chat_server, 8_000)
    reply = await calls.complete(replace(REQUEST, tools=(TOOL,)), purpose="x")
    assert reply.finish_reason == "length"
    assert len(reply.text) + reply.n_thinking < 12_000
    assert calls.budget.totals.tokens <= 8_000
    assert calls.budget.totals.tokens_out > 1_000


async def test_an_answer_of_its_length_is_whole(chat_server: ChatServer):
    # Four characters a token, as English has them, up to the very limit.
    text = "wor " * 999 + "end."
    chat_server.play(say(text, 300, 1_000, size=400))
    reply = await calls_with(chat_server, 8_000).complete(REQUEST, purpose="x")
    assert (reply.text, reply.finish_reason) == (text, "stop")
    assert reply.usage == Usage(300, 1_000)


@pytest.mark.parametrize(
    ("said", "believed"),
    [
        ((300, 60), True),
        ((200, 100), True),
        ((-100_000, 60), False),
        ((300, -100_000), False),
        ((-100_000, -100_000), False),
        ((1, 1), False),
        ((300, 1), False),
        ((0, 60), False),
    ],
)
async def test_usage_that_cannot_be_true_is_not_believed(
    chat_server: ChatServer, said: tuple[int, int], believed: bool
):
    chat_server.play([*(delta(f"In auth{n}.py. ") for n in range(60)), end(), usage(*said)])
    calls = calls_with(chat_server, 8_000)
    reply = await calls.complete(REQUEST, purpose="x")
    assert reply.usage is not None
    assert (reply.usage == Usage(*said)) is believed
    assert reply.usage.tokens_in > 100
    assert reply.usage.tokens_out > 20
    assert calls.budget.totals.tokens == reply.usage.total


async def test_a_model_of_another_kind_is_counted_too(chat_server: ChatServer):
    from tests.fakes.scripted_model import ScriptedModel

    model = ScriptedModel(ModelReply("words " * 200, usage=Usage(-5, -5)))
    budget = BudgetTracker(Limits(8_000, final_tokens=0), model.facts)
    calls = ModelCalls(model, budget, TPMThrottle(10_000_000), stop=StopFlag())
    await calls.complete(REQUEST, purpose="x")
    assert budget.totals.tokens_in > 0
    assert budget.totals.tokens_out >= 400
