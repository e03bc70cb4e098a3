"""The four protocols side by side: what is sent, what of an answer arrives, how faults are told."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from analysis.errors import ModelRefused, ModelUnavailable
from analysis.events import Event, Notice
from analysis.llm.arguments import tool_arguments
from analysis.llm.budget import BudgetTracker, Limits
from analysis.llm.calls import ModelCalls
from analysis.llm.litellm_model import LiteLlmModel, ModelAddress
from analysis.llm.messages import Message, ModelReply, ModelRequest, ResponseSchema, ToolSpec, Usage
from analysis.llm.throttle import TPMThrottle
from analysis.stopping import StopFlag
from tests.fakes.chat_server import ChatServer, Page, Turn
from tests.fakes.protocols import PROTOCOLS, Asked, Protocol, Said

KEY = "planted-in-the-environment-0123456789"
READ = ToolSpec(
    "read",
    "Reads a file.",
    {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
)
SCHEMA = ResponseSchema(
    "Colour",
    {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
        "additionalProperties": False,
    },
)
ASK = ModelRequest((Message("system", "Be brief."), Message("user", "Why?")), max_output_tokens=900)

over_all = pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)


@dataclass
class Outcome:
    replies: list[ModelReply] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    notices: str = ""
    calls: ModelCalls | None = None


def model_at(server: ChatServer, protocol: Protocol, name: str, **more: Any) -> LiteLlmModel:
    patience: dict[str, Any] = {"piece_timeout_s": 30, "timeout_s": 60}
    address = ModelAddress(name, protocol.base(server), **patience | more)
    return LiteLlmModel(address, {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY})


async def check(
    server: ChatServer,
    protocol: Protocol,
    *turns: Turn,
    requests: tuple[ModelRequest, ...] = (ASK,),
    text: str | None = None,
    failure: str = "",
    notice: str = "",
    n_sent: int = 1,
    tokens: int = 200_000,
    thinks: bool = False,
    **address: Any,
) -> Outcome:
    """Make calls of a script; compare the last reply, and how many requests it took."""
    server.play(*turns)
    name = protocol.thinking_model if thinks else protocol.model
    model, events, found = model_at(server, protocol, name, **address), list[Event](), Outcome()
    budget = BudgetTracker(Limits(tokens, final_tokens=0), model.facts)
    found.calls = ModelCalls(model, budget, TPMThrottle(None), stop=StopFlag(), emit=events.append)
    for request in requests:
        found.replies.append(await found.calls.complete(request, purpose="test"))
    found.asked = [protocol.asked(body) for body in server.bodies]
    found.notices = " ".join(e.message for e in events if isinstance(e, Notice))
    last = found.replies[-1]
    assert failure in str(last.failure or "")
    assert bool(last.failure) == bool(failure), last.failure
    assert text is None or last.text == text
    assert notice in found.notices
    assert server.paths == [protocol.path] * n_sent
    return found


@over_all
async def test_words_and_thinking_come_apart(chat_server: ChatServer, protocol: Protocol):
    said = Said("It is so, since it was so.", thinking="hm " * 30, tokens_in=420, tokens_out=60)
    found = await check(chat_server, protocol, protocol.says(said), text=said.text)
    assert found.replies[0].n_thinking == 90
    assert found.replies[0].usage == Usage(420, 60)
    assert found.asked[0].turns == (("system", "Be brief."), ("user", "Why?"))


@over_all
async def test_what_came_out_of_a_cache_is_counted(chat_server: ChatServer, protocol: Protocol):
    said = Said("Yes.", tokens_in=500, tokens_out=9, cached=300, stored=150)
    found = await check(chat_server, protocol, protocol.says(said), text="Yes.")
    stored = 150 if protocol.counts_stored else 0
    cached = 0 if protocol.name == "ollama" else 300  # It reads again only what it has to, unseen.
    assert found.replies[0].usage == Usage(500, 9, tokens_cached=cached, tokens_stored=stored)


@over_all
async def test_calls_and_their_results_belong_together(chat_server: ChatServer, protocol: Protocol):
    said = Said("Both.", calls=(("read", '{"path": "a.py"}'), ("read", '{"path": "{}"}')))
    request = replace(ASK, tools=(READ,))
    first = await check(chat_server, protocol, protocol.says(said), requests=(request,))
    made = first.replies[0].tool_calls
    assert [tool_arguments(call, READ)["path"] for call in made] == ["a.py", "{}"]
    assert len({call.id for call in made}) == 2
    assert (first.replies[0].text, first.replies[0].finish_reason) == ("Both.", "tool_calls")
    answered = (
        Message("assistant", "Both.", made, thinking=first.replies[0].thinking),
        *(Message("tool", f"text {n}", tool_call_id=call.id) for n, call in enumerate(made)),
    )
    more = replace(request, messages=(*ASK.messages, *answered))
    second = await check(chat_server, protocol, protocol.says(Said("So.")), requests=(more,))
    assert first.asked[0].tools == second.asked[0].tools == ("read",)
    assert second.asked[0].called == second.asked[0].results == tuple(call.id for call in made)
    assert [t for t in second.asked[0].turns if t[0] == "tool"] == [
        ("tool", "text 0"), ("tool", "text 1"),
    ]  # fmt: skip


@over_all
async def test_a_model_that_thinks_goes_on_after_its_calls(
    chat_server: ChatServer, protocol: Protocol
):
    """Providers refuse a conversation in which the thinking before a call is missing."""
    said = Said("", thinking="hm " * 30, calls=(("read", '{"path": "a.py"}'),))
    request = replace(ASK, tools=(READ,))
    first = await check(
        chat_server,
        protocol,
        protocol.says(said),
        requests=(request,),
        thinks=True,
        reasoning_effort="low",
    )
    made = first.replies[0]
    answered = (
        Message("assistant", made.text, made.tool_calls, thinking=made.thinking),
        Message("tool", "text", tool_call_id=made.tool_calls[0].id),
    )
    more = replace(request, messages=(*ASK.messages, *answered))
    second = await check(
        chat_server, protocol, protocol.says(Said("So.")), requests=(more,), text="So.",
        thinks=True, reasoning_effort="low",
    )  # fmt: skip
    assert second.asked[0].thinks


@over_all
async def test_no_tool_can_be_called_where_words_are_wanted(
    chat_server: ChatServer, protocol: Protocol
):
    request = replace(ASK, tools=(READ,), tool_choice="none")
    found = await check(chat_server, protocol, protocol.says(Said("So.")), requests=(request,))
    # Where a cache would lose the conversation by it, that no call is wanted is only said in words.
    is_said = not found.asked[0].tools or found.asked[0].tool_choice == "none"
    assert is_said is (protocol.name != "anthropic")


@over_all
async def test_data_is_asked_for_by_a_schema(chat_server: ChatServer, protocol: Protocol):
    request = replace(ASK, schema=SCHEMA)
    answer = protocol.says(Said('{"name": "red"}'))
    found = await check(chat_server, protocol, answer, requests=(request,), thinks=True)
    assert found.replies[0].text == '{"name": "red"}'
    assert found.asked[0].schema == SCHEMA.schema


THOUGHT = Said("", thinking="hm " * 300, stop="length", tokens_out=900)


@over_all
async def test_a_model_that_thinks_gets_room_and_keeps_it(
    chat_server: ChatServer, protocol: Protocol
):
    turns = [protocol.says(THOUGHT), protocol.says(Said("Yes.")), protocol.says(Said("No."))]
    found = await check(
        chat_server, protocol, *turns, requests=(ASK, ASK), text="No.", n_sent=3,
        notice="asked again with room for 8,900",
    )  # fmt: skip
    assert [asked.room for asked in found.asked][1:] == [8_900, 8_900]


@over_all
async def test_the_cure_of_too_little_room_is_told(chat_server: ChatServer, protocol: Protocol):
    found = await check(
        chat_server, protocol, protocol.says(THOUGHT), failure="before it began one", n_sent=2
    )
    assert "'model.output_tokens'" in str(found.replies[0].failure)
    assert "context_tokens" not in str(found.replies[0].failure)


@over_all
async def test_an_effort_goes_along_and_leaves_room(chat_server: ChatServer, protocol: Protocol):
    answer = protocol.says(Said("Yes."))
    found = await check(
        chat_server, protocol, answer, text="Yes.", thinks=True, reasoning_effort="low"
    )
    assert found.asked[0].thinks
    assert found.asked[0].room == 8_900


@over_all
async def test_a_cut_answer_says_so(chat_server: ChatServer, protocol: Protocol):
    cut = protocol.says(Said("It is", stop="length", tokens_out=900))
    found = await check(chat_server, protocol, cut, text="It is", n_sent=2)
    assert found.replies[0].is_cut


@over_all
async def test_a_refusal_is_told(chat_server: ChatServer, protocol: Protocol):
    if protocol.name == "ollama":
        return  # It knows none.
    refused = protocol.says(Said("I will", stop="refusal"))
    found = await check(chat_server, protocol, refused, failure="declined to answer")
    assert isinstance(found.replies[0].failure, ModelRefused)


@over_all
@pytest.mark.parametrize("kind", ["text", "thinking", "arguments"])
async def test_an_endless_answer_is_cut(chat_server: ChatServer, protocol: Protocol, kind: Any):
    request = replace(ASK, tools=(READ,))
    found = await check(
        chat_server, protocol, protocol.endless(kind), requests=(request,), tokens=8_000
    )
    assert found.replies[0].is_endless
    assert found.calls is not None
    # Twice its limit is what ends it: the estimate counts three characters a token.
    assert 900 < found.calls.budget.totals.tokens_out < 2 * 8_000


@over_all
@pytest.mark.parametrize("counts", [(-100_000, 10), (1, 1), (400, -9), (10**12, 10**12)])
async def test_usage_that_cannot_be_true_is_not_believed(
    chat_server: ChatServer, protocol: Protocol, counts: tuple[int, int]
):
    text = "In auth.py, so it is said. " * 40
    read, written = counts
    answer = protocol.says(Said(text, tokens_in=read, tokens_out=written))
    request = replace(ASK, messages=(Message("user", "Where is it? " * 100),))
    found = await check(chat_server, protocol, answer, requests=(request,), text=text)
    usage = found.replies[0].usage
    assert usage is not None
    assert usage.estimated
    assert 200 < usage.tokens_in < 2_000
    assert 100 < usage.tokens_out < 1_000


@over_all
async def test_a_wrong_key_names_the_variable_and_the_providers_words(
    chat_server: ChatServer, protocol: Protocol
):
    refusal = protocol.fails(401, f"The key {KEY} is not known here")
    found = await check(
        chat_server, protocol, refusal, failure="refused the key (401): The key [key] is not"
    )
    variable = {"anthropic": "ANTHROPIC_API_KEY", "ollama": "OLLAMA_API_KEY"}
    assert variable.get(protocol.name, "OPENAI_API_KEY") in str(found.replies[0].failure)


@over_all
async def test_keys_go_where_the_provider_wants_them(chat_server: ChatServer, protocol: Protocol):
    await check(chat_server, protocol, protocol.says(Said("Yes.")), text="Yes.")
    headers = chat_server.headers[0]
    if protocol.name == "anthropic":
        assert headers["x-api-key"] == KEY
    elif protocol.name == "ollama":
        assert KEY not in str(headers)
    else:
        assert headers["authorization"] == f"Bearer {KEY}"


@over_all
async def test_a_full_server_is_waited_for(chat_server: ChatServer, protocol: Protocol):
    full = replace(protocol.fails(429, "slow down"), headers={"Retry-After": "0.1"})
    await check(
        chat_server, protocol, full, protocol.says(Said("Yes.")), text="Yes.", n_sent=2,
        notice="asked too often (429): slow down. Trying again in 0.1 s",
    )  # fmt: skip


@over_all
async def test_an_error_in_the_middle_keeps_what_came(chat_server: ChatServer, protocol: Protocol):
    late = protocol.fails_late("The engine is overloaded")
    found = await check(chat_server, protocol, late, text="It is", failure="overloaded")
    assert isinstance(found.replies[0].failure, ModelUnavailable)


@over_all
@pytest.mark.parametrize(
    ("page", "message"),
    [
        (
            Page('{"error": {"message": "The team is out of credit"}}', "application/json"),
            "The team is out of credit",
        ),
        (Page("<html><body>Sign in to the proxy</body></html>"), "a web page (Sign in to the"),
    ],
    ids=["error object", "page"],
)
async def test_what_is_no_answer_is_told_as_what_it_is(
    chat_server: ChatServer, protocol: Protocol, page: Page, message: str
):
    said_whole = protocol.name == "ollama" and page.body.startswith("{")
    if protocol.name == "ollama" and not said_whole:
        message = "no model's answer, but something else (Expecting value"  # Its page is lost.
    n_sent = 1 if said_whole else 2
    found = await check(chat_server, protocol, page, failure=message, n_sent=n_sent)
    assert "Traceback" not in str(found.replies[0].failure)
    assert "context_tokens" not in str(found.replies[0].failure)


@over_all
async def test_only_words_that_mean_it_end_the_use_of_tools(
    chat_server: ChatServer, protocol: Protocol
):
    request = replace(ASK, tools=(READ,))
    odd = protocol.fails(400, "messages.2: tool results must follow the tool calls at once")
    meant = protocol.fails(400, "this model does not support tools")
    written = '```json\n{"tool": "read", "arguments": {"path": "a.py"}}\n```'
    twice = protocol.says(Said(f"First.\n{written}\n{written.replace('a.py', 'b.py')}"))
    await check(chat_server, protocol, odd, requests=(request,), failure="tool results must follow")
    found = await check(
        chat_server, protocol, odd, meant, twice, requests=(request, request), n_sent=3,
        text="First.",
    )  # fmt: skip
    assert [asked.tools for asked in found.asked] == [("read",), ("read",), ()]
    called = found.replies[-1].tool_calls
    assert [json.loads(call.arguments)["path"] for call in called] == ["a.py", "b.py"]


@over_all
async def test_a_server_that_allows_less_output_is_asked_for_less(
    chat_server: ChatServer, protocol: Protocol
):
    words = "max_tokens: 900 > 512, which is the maximum allowed number of output tokens"
    turns: list[Turn] = [protocol.fails(400, words), protocol.says(Said("Yes."))]
    found = await check(chat_server, protocol, *turns, text="Yes.", n_sent=2)
    assert [asked.room for asked in found.asked] == [900, 512]


@over_all
async def test_a_model_on_this_machine_waits_for_no_limit(
    chat_server: ChatServer, protocol: Protocol
):
    turns = [protocol.says(Said("Yes.", tokens_in=90_000))] * 3
    found = await check(
        chat_server, protocol, *turns, requests=(ASK, ASK, ASK), text="Yes.", n_sent=3,
        tokens=10**6,
    )  # fmt: skip
    assert found.calls is not None
    assert found.calls.waited_s == 0
    assert found.notices == ""
