"""How answers end: with room for thinking, cut, empty, endless, and on no model at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.events import Event, Notice
from analysis.llm.budget import BudgetExceededError, BudgetTracker, Limits
from analysis.llm.calls import CallLimits, ModelCalls
from analysis.llm.chat_model import ModelFacts
from analysis.llm.litellm_model import LiteLlmModel, ModelAddress
from analysis.llm.messages import Message, ModelReply, ModelRequest, Usage, Words
from analysis.llm.throttle import TPMThrottle
from analysis.llm.usage import usage_of
from analysis.stopping import StopFlag
from tests.cli.program import call
from tests.fakes.chat_server import ChatServer, Fail, Item, Page, Turn, delta, end, say, usage

ASK = ModelRequest((Message("user", "Why?"),), max_output_tokens=1_000)
SEEN = {"sufficient_context": True, "key_locations": [{"path": "shop/auth.py", "line_start": 9}]}


def calls_at(
    server: ChatServer, model: LiteLlmModel, **limits: int
) -> tuple[ModelCalls, list[Event]]:
    events: list[Event] = []
    budget = BudgetTracker(Limits(limits.pop("tokens", 200_000)), model.facts)
    calls = ModelCalls(
        model, budget, TPMThrottle(None), stop=StopFlag(), emit=events.append,
        limits=CallLimits(**limits),
    )  # fmt: skip
    return calls, events


def model_at(server: ChatServer, name: str = "openai/test", **more: Any) -> LiteLlmModel:
    return LiteLlmModel(ModelAddress(name, server.url, **more), {"OPENAI_API_KEY": "planted"})


async def check(
    server: ChatServer,
    *turns: Turn,
    text: str,
    failure: str = "",
    rooms: list[int],
    notice: str = "",
    shown: bool = False,
    model: LiteLlmModel | None = None,
    **limits: int,
) -> ModelReply:
    """Make one call; compare what is left of it, and the room that each request gave."""
    server.play(*turns)
    calls, events = calls_at(server, model or model_at(server), **limits)

    async def show(words: Words) -> None:
        """Show it, so that it is not taken back."""

    reply = await calls.complete(ASK, purpose="test", on_words=show if shown else None)
    assert reply.text == text
    assert failure in str(reply.failure or "")
    assert bool(reply.failure) == bool(failure)
    assert [body["max_tokens"] for body in server.bodies] == rooms
    told = " ".join(event.message for event in events if isinstance(event, Notice))
    assert notice in told
    return reply


THOUGHT: list[Item] = [delta(reasoning_content="hm " * 50), end("length"), usage(10, 1_000)]
SILENT: list[Item] = [delta(""), end("length"), usage(10, 1_000)]
CUT: list[Item] = [delta("It is"), end("length"), usage(10, 1_000)]


@pytest.mark.parametrize("first", [THOUGHT, SILENT], ids=["thinking shown", "hidden"])
async def test_a_model_that_thinks_gets_room_beside_its_answer(chat_server: ChatServer, first):
    notice = "asked again with room for 9,000"
    await check(chat_server, first, say("Yes."), text="Yes.", rooms=[1_000, 9_000], notice=notice)


async def test_what_was_learned_holds_for_the_next_call(chat_server: ChatServer):
    model = model_at(chat_server)
    turns = (THOUGHT, say("Yes."))
    await check(chat_server, *turns, text="Yes.", rooms=[1_000, 9_000], model=model)
    await check(chat_server, say("No."), text="No.", rooms=[9_000], model=model)


async def test_a_model_that_the_table_knows_to_think_has_the_room_at_once(chat_server: ChatServer):
    model = model_at(chat_server, "openai/o3-mini")
    chat_server.play(say("Yes."))
    calls, _ = calls_at(chat_server, model)
    await calls.complete(ASK, purpose="test")
    assert chat_server.bodies[0]["max_completion_tokens"] == 9_000


async def test_an_effort_is_passed_on_and_given_up_where_it_is_not_known(chat_server: ChatServer):
    model = model_at(chat_server, reasoning_effort="low")
    refusal = Fail(400, {"error": {"message": "Unknown parameter: reasoning_effort"}})
    await check(chat_server, refusal, say("Yes."), text="Yes.", rooms=[9_000, 9_000], model=model)
    efforts = [body.get("reasoning_effort") for body in chat_server.bodies]
    assert efforts == ["low", None]


async def test_a_set_output_is_all_the_room_there_is(chat_server: ChatServer):
    await check(
        chat_server, THOUGHT, text="", rooms=[2_000], output_tokens=2_000,
        failure="used up the 2,000 tokens",
    )  # fmt: skip


async def test_the_cure_is_told_when_more_room_does_not_help(chat_server: ChatServer):
    reply = await check(
        chat_server, THOUGHT, text="", rooms=[1_000, 9_000], failure="before it began"
    )
    assert "'model.output_tokens'" in str(reply.failure)
    assert "context_tokens" not in str(reply.failure)


async def test_a_cut_answer_is_asked_for_again(chat_server: ChatServer):
    await check(chat_server, CUT, say("It is so."), text="It is so.", rooms=[1_000, 2_000])


async def test_a_cut_answer_that_was_shown_is_not_taken_back(chat_server: ChatServer):
    reply = await check(chat_server, CUT, text="It is", rooms=[1_000], shown=True)
    assert reply.is_cut


async def test_an_empty_answer_is_asked_for_again(chat_server: ChatServer):
    empty = [delta(""), end(), usage(10, 0)]
    notice = "without an answer. It is asked again."
    await check(chat_server, empty, say("Yes."), text="Yes.", rooms=[1_000, 1_000], notice=notice)


async def test_a_server_that_allows_less_output_is_asked_for_less(chat_server: ChatServer):
    words = "max_tokens is too large: 1000. This model supports at most 512 completion tokens."
    refusal = Fail(400, {"error": {"message": words}})
    await check(chat_server, refusal, say("Yes."), text="Yes.", rooms=[1_000, 512])


async def test_an_endless_answer_is_cut_by_our_own_count(chat_server: ChatServer):
    endless = [delta("word " * 200)] * 2_000
    chat_server.play(endless)
    calls, _ = calls_at(chat_server, model_at(chat_server), tokens=8_000)
    reply = await calls.complete(ASK, purpose="test")
    assert (reply.is_endless, len(chat_server.bodies)) == (True, 1)
    assert len(reply.text) < 10_000
    assert 1_000 <= calls.budget.totals.tokens_out <= 3_000
    refused = await calls_until_refused(calls)
    assert refused <= 3


async def calls_until_refused(calls: ModelCalls) -> int:
    """Return how many calls the budget still allows; it ends the test if they do not end."""
    for number in range(100):
        try:
            await calls.complete(ASK, purpose="test")
        except BudgetExceededError:
            return number
    return 100


@pytest.mark.parametrize("kind", ["reasoning_content", "arguments"])
async def test_endless_thinking_and_endless_arguments_are_cut_too(
    chat_server: ChatServer, kind: str
):
    piece = "word " * 200
    call_piece = {"index": 0, "id": "a", "function": {"name": "f", "arguments": piece}}
    chunk = delta(tool_calls=[call_piece]) if kind == "arguments" else delta(**{kind: piece})
    chat_server.play([chunk] * 2_000)
    calls, _ = calls_at(chat_server, model_at(chat_server))
    reply = await calls.complete(ASK, purpose="test")
    assert reply.is_endless
    assert calls.budget.totals.tokens_out < 3_500


@pytest.mark.parametrize(
    ("said", "believed"),
    [
        (Usage(900, 90), Usage(900, 90)),
        (Usage(-100_000, 90), Usage(1_000, 90, estimated=True)),
        (Usage(900, -100_000), Usage(900, 100, estimated=True)),
        (Usage(1, 1), Usage(1_000, 100, estimated=True)),
        (Usage(10**12, 90), Usage(1_000, 90, estimated=True)),
        (Usage(900, 10**12), Usage(900, 100, estimated=True)),
        (Usage(900, 3_900), Usage(900, 3_900)),  # It thought out of sight.
        (Usage(900, 90, tokens_cached=9_999), Usage(900, 90, tokens_cached=900)),
        (None, Usage(1_000, 100, estimated=True)),
    ],
)
def test_usage_that_cannot_be_true_is_not_believed(said: Usage | None, believed: Usage):
    assert usage_of(ModelReply("abc" * 100, usage=said), 1_000, 4_000) == believed


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (
            Page('{"error": {"message": "The team is out of credit"}}', "application/json"),
            "answered with an error: The team is out of credit",
        ),
        (
            Page("<html><head><style>p {}</style></head><body>Sign in to the proxy</body></html>"),
            "no model's answer, but a web page (Sign in to the proxy)",
        ),
        (Page("Hello!", "text/plain"), "no model's answer, but something else"),
    ],
    ids=["error object", "page", "text"],
)
async def test_what_is_no_answer_is_told_as_what_it_is(
    chat_server: ChatServer, page: Page, message: str
):
    await check(chat_server, page, text="", rooms=[1_000, 1_000], failure=message)


async def test_a_server_that_does_not_stream_is_understood(chat_server: ChatServer):
    message = {"role": "assistant", "content": "Yes."}
    whole = {
        "id": "x", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
    }  # fmt: skip
    page = Page(json.dumps(whole), "application/json")
    model = model_at(chat_server)
    await check(chat_server, page, text="Yes.", rooms=[1_000, 1_000], model=model)
    await check(chat_server, page, text="Yes.", rooms=[1_000], model=model)


def asked(shop: Path, server: ChatServer, *turns: Turn) -> Any:
    server.play(*turns)
    done = call(
        "ask", ".", "-q", "How does authenticate check the password?", "--mode", "pipeline",
        "--model", "openai/test", "--api-base", server.url, "--format", "json", cwd=shop,
    )  # fmt: skip
    return done.json


PART = "## Summary\n\nFirst `authenticate()` at `shop/auth.py:9-12`.\n\n## More\n\nAnd then it"


def cut(text: str) -> list[Item]:
    return [delta(text), end("length"), usage(500, 4_000)]


def test_a_cut_document_goes_on_where_it_was_cut(shop: Path, chat_server: ChatServer):
    found = asked(shop, chat_server, say(json.dumps(SEEN)), cut(PART), say("And then it ends."))
    assert found["stats"]["stop_reason"] == "done"
    assert found["markdown"].count("First `authenticate()`") == 1
    assert "And then it ends." in found["markdown"]
    assert "And then it\n" not in found["markdown"]
    assert chat_server.bodies[2]["messages"][-2]["content"].endswith("## More\n\n")


def test_a_document_that_stays_cut_says_so(shop: Path, chat_server: ChatServer):
    found = asked(shop, chat_server, say(json.dumps(SEEN)), cut(PART), cut("And again"))
    assert found["stats"]["stop_reason"] == "answer_cut"
    assert "stop_reason: answer_cut" in found["markdown"]
    assert "First `authenticate()`" in found["markdown"]
    assert "'model.output\\_tokens'" in found["markdown"] or "output_tokens" in found["markdown"]


def test_a_model_that_thinks_ends_no_mode(shop: Path, chat_server: ChatServer):
    def thinking(text: str) -> Callable[[dict[str, Any]], list[Item]]:
        def answer(body: dict[str, Any]) -> list[Item]:
            return THOUGHT if body["max_tokens"] < 6_000 else say(text)

        return answer

    first, document = thinking(json.dumps(SEEN)), thinking(PART.rpartition("\n\n##")[0])
    found = asked(shop, chat_server, first, first, document)
    assert found["stats"]["stop_reason"] == "done"
    assert len(chat_server.bodies) == 3
    assert "First `authenticate()`" in found["markdown"]


def test_cached_tokens_are_priced_as_such():
    facts = ModelFacts("a", "b", None, 1.0, 2.0, 0.1, 1.25)
    usage = Usage(100, 10, tokens_cached=60, tokens_stored=20)
    assert facts.cost_of(usage) == pytest.approx(20 + 6 + 25 + 20)
