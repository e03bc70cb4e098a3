"""Caps that hold: over random runs, over simulated time, over too long conversations."""

from __future__ import annotations

import asyncio
import random
from functools import partial

import pytest

from analysis.errors import Cancelled, ContextTooLong, ModelUnavailable
from analysis.events import Emit, Event, ModelReplied, Notice, UsageReported, unwatched
from analysis.llm.budget import BudgetExceededError, BudgetTracker, Limits
from analysis.llm.calls import ModelCalls
from analysis.llm.chat_model import ModelFacts
from analysis.llm.messages import Message, ModelReply, ModelRequest, ToolCall, Usage
from analysis.llm.throttle import Ticket, TPMThrottle
from analysis.llm.tokens import request_tokens
from analysis.llm.truncation import fitted
from analysis.stopping import StopFlag
from tests.fakes.scripted_model import ScriptedModel

PRICED = ModelFacts("test/priced", "nowhere", None, 1e-6, 5e-6)
UNPRICED = ModelFacts("test/unpriced", "nowhere")


def calls_to(model: ScriptedModel, limits: Limits, emit: Emit = unwatched) -> ModelCalls:
    budget = BudgetTracker(limits, model.facts)
    return ModelCalls(model, budget, TPMThrottle(10_000_000), stop=StopFlag(), emit=emit)


def asking(n_chars: int, max_output: int = 4_000) -> ModelRequest:
    return ModelRequest((Message("user", "x" * n_chars),), max_output_tokens=max_output)


async def one_call(calls: ModelCalls, request: ModelRequest, *, final: bool = False) -> ModelReply:
    return await calls.complete(request, purpose="test", final=final)


def random_reply(chance: random.Random, request: ModelRequest) -> ModelReply:
    """What a provider may do with a request: answer in full, in part, cut, or not at all."""
    tokens_in = int(request_tokens(request) * chance.uniform(0.5, 1.0))
    tokens_out = chance.randint(0, request.max_output_tokens)
    text = "y" * min(3 * tokens_out, 2_000)
    kind = chance.choice(["good", "good", "good", "full", "cut", "dead"])
    if kind == "full":
        return ModelReply(text, usage=Usage(tokens_in, request.max_output_tokens))
    if kind == "cut":  # No usage: it has to be counted here.
        return ModelReply(text, finish_reason="cancelled")
    if kind == "dead":
        return ModelReply(
            "", finish_reason="failed", failure=ModelUnavailable("no"), was_read=False
        )
    return ModelReply(text, usage=Usage(tokens_in, tokens_out))


async def calls_until_refused(calls: ModelCalls, chance: random.Random) -> None:
    while True:
        await one_call(calls, asking(chance.randint(1, 20_000), chance.randint(1, 6_000)))


@pytest.mark.parametrize("cap", ["tokens", "usd"])
async def test_no_run_of_200_passes_its_cap(cap: str):
    for seed in range(200):
        chance = random.Random(seed)
        limits = Limits(
            tokens=chance.randint(2_000, 60_000) if cap == "tokens" else 10_000_000,
            usd=chance.uniform(0.001, 0.1) if cap == "usd" else None,
            final_tokens=chance.randint(1_000, 20_000),
        )
        model = ScriptedModel(partial(random_reply, chance), facts=PRICED)
        calls = calls_to(model, limits)
        with pytest.raises(BudgetExceededError) as error:
            await calls_until_refused(calls, chance)
        assert error.value.cap == cap
        before = calls.budget.totals.tokens
        final = asking(300, 2_000)
        if cap == "tokens":
            assert before <= limits.tokens - limits.reserve
            assert calls.budget.left(final=True) >= limits.reserve
            if limits.reserve >= 256 + 150:
                await one_call(calls, final, final=True)
        assert calls.budget.totals.tokens <= limits.tokens
        assert limits.usd is None or (calls.budget.cost_usd or 0) <= limits.usd


async def test_the_output_limit_is_cut_to_what_is_left():
    model = ScriptedModel(lambda r: ModelReply("z", usage=Usage(100, 10)))
    calls = calls_to(model, Limits(2_000, final_tokens=0))
    await one_call(calls, asking(30, 4_000))
    assert model.requests[0].max_output_tokens == 1_800 - request_tokens(asking(30))


async def test_a_cut_answer_is_counted_as_far_as_it_came():
    model = ScriptedModel(ModelReply("abc" * 100, finish_reason="cancelled"))
    events: list[Event] = []
    calls = calls_to(model, Limits(50_000), events.append)
    reply = await one_call(calls, asking(300))
    assert reply.usage == Usage(request_tokens(asking(300)), 100, estimated=True)
    told, said = events
    assert isinstance(told, UsageReported)
    assert isinstance(said, ModelReplied)
    assert (said.text, said.finish_reason) == ("abc" * 100, "cancelled")
    assert (told.llm_calls, told.tokens_in, told.tokens_out) == (1, 114, 100)
    assert told.cost_usd == pytest.approx(114e-6 + 200e-6)


async def test_an_unknown_price_is_unknown_and_leaves_the_cap_on_tokens():
    model = ScriptedModel(ModelReply("z", usage=Usage(100, 10)), facts=UNPRICED)
    calls = calls_to(model, Limits(2_000, usd=0.000001))
    assert not calls.budget.money_cap_holds
    await one_call(calls, asking(30))
    assert calls.budget.cost_usd is None
    with pytest.raises(BudgetExceededError):
        await one_call(calls, asking(30_000))


async def test_a_long_conversation_loses_what_is_easiest_to_read_again():
    def result(text: str, priority: str, summary: str | None = None) -> Message:
        return Message("tool", text * 3_000, tool_call_id="c", priority=priority, summary=summary)  # type: ignore[arg-type]

    turns = (
        Message("system", "Be true."),
        result("a", "high"),
        result("b", "low", "outline of b"),
        result("c", "medium"),
        *(Message("user", "go on") for _ in range(4)),
    )
    shorter = fitted(ModelRequest(turns), 2_300)
    texts = [message.content[:12] for message in shorter.messages]
    assert texts[:4] == ["Be true.", "a" * 12, "outline of b", "c" * 12]
    shortest = fitted(ModelRequest(turns), 300)
    assert request_tokens(shortest) <= 300
    assert shortest.messages[0].content == "Be true."
    with pytest.raises(ContextTooLong):
        fitted(ModelRequest(turns), 20)


@pytest.mark.parametrize("seed", range(20))
def test_no_window_of_a_minute_holds_more_than_the_limit(seed: int):
    """Calls of random size and length, several at once, over simulated hours."""
    chance = random.Random(seed)
    now = 0.0
    throttle = TPMThrottle(40_000, clock=lambda: now)
    running: list[tuple[float, Ticket, int]] = []
    spent: list[tuple[float, int]] = []
    waiting = [chance.randint(1, 39_000) for _ in range(120)]
    while waiting or running:
        for ended in [call for call in running if call[0] <= now]:
            running.remove(ended)
            throttle.leave(ended[1], ended[2])
            spent.append((now, ended[2]))
        entry = throttle.try_enter(waiting[0]) if waiting else 1.0
        if isinstance(entry, Ticket):
            tokens = waiting.pop(0)
            used = chance.randint(0, tokens)
            running.append((now + chance.uniform(0, 50), entry, used))
        else:
            assert entry > 0
            now += min(entry, chance.uniform(0.01, 5))
    for at, _ in spent:
        assert sum(n for when, n in spent if at - 60 < when <= at) <= 40_000


def test_a_single_call_above_the_limit_goes_alone():
    now = 0.0
    throttle = TPMThrottle(1_000, clock=lambda: now)
    first = throttle.try_enter(500)
    assert isinstance(first, Ticket)
    assert isinstance(throttle.try_enter(5_000), float)
    throttle.leave(first, 500)
    wait = throttle.try_enter(5_000)
    assert wait == pytest.approx(60, abs=0.01)
    now = 60.01
    large = throttle.try_enter(5_000)
    assert isinstance(large, Ticket)
    assert isinstance(throttle.try_enter(1), float)


async def test_a_wait_is_said_and_can_be_stopped():
    model = ScriptedModel(ModelReply("z", usage=Usage(100, 10)))
    stop = StopFlag()
    throttle = TPMThrottle(1_000, clock=lambda: 0.0)
    budget = BudgetTracker(Limits(100_000), model.facts)
    said: asyncio.Queue[Event] = asyncio.Queue()
    calls = ModelCalls(model, budget, throttle, stop=stop, emit=said.put_nowait)
    taken = throttle.try_enter(990)
    assert isinstance(taken, Ticket)
    throttle.leave(taken, 990)
    call = asyncio.create_task(one_call(calls, asking(300)))
    notice = await said.get()
    assert isinstance(notice, Notice)
    assert "Waiting about 60 s" in notice.message
    stop.set()
    with pytest.raises(Cancelled):
        await call
    assert not model.requests
    assert budget.totals.tokens == 0
    assert budget.left() == budget.limits.tokens - budget.limits.reserve


async def test_a_request_is_fitted_to_the_window_of_a_small_model():
    facts = ModelFacts("test/small", "nowhere", 4_096)
    model = ScriptedModel(ModelReply("z", usage=Usage(100, 10)), facts=facts)
    calls = calls_to(model, Limits(100_000))
    await one_call(calls, asking(100_000))
    sent = model.requests[0]
    assert request_tokens(sent) + sent.max_output_tokens <= 4_096


def test_tool_calls_count():
    with_call = Message("assistant", "", tool_calls=(ToolCall("1", "read", "x" * 300),))
    assert request_tokens(ModelRequest((with_call,))) > 100
