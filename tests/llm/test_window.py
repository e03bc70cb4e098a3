"""The conversation of a loop: small, whole, and valid for every provider."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.errors import ContextTooLong
from analysis.llm.litellm_model import LiteLlmModel, ModelAddress
from analysis.llm.messages import Message, ModelRequest, Priority, ToolCall, ToolSpec
from analysis.llm.request_format import Support, wire_messages
from analysis.llm.tokens import request_tokens
from analysis.llm.truncation import RECENT_TURNS, shortened
from analysis.llm.window import Result, Window
from tests.support.conversation import validate

SYSTEM = "Find the code."
QUESTION = "How does login work?"
TOOL = ToolSpec("read_file", "Reads.", {"type": "object", "properties": {}})
MARK = "[cut here to save space]"
# The line that names what was left out may take so many tokens.
NOTE = 250


texts = st.text(max_size=30) | st.integers(0, 3_000).map(lambda n: "code " * n) | st.just("  \n")
ARGUMENTS = st.sampled_from(["{}", '{"path": "a.py"}', "{bad", "[1]", "", '"x"', '{"a": "é"}'])
calls = st.builds(
    ToolCall,
    st.sampled_from(["", "call_0", "call_1", "call_text", "toolu_9"]),
    st.sampled_from(["read_file", "functions.grep", "", "ünknown", "x" * 90]),
    ARGUMENTS,
)
results = st.builds(
    Result,
    texts,
    st.sampled_from(["high", "medium", "low"]),
    st.none() | st.text(max_size=60) | st.just("outline"),
)
turns = st.lists(
    st.tuples(texts, st.lists(st.tuples(calls, results), max_size=3), st.booleans()), max_size=12
)


def played(steps: list[tuple[str, list[tuple[ToolCall, Result]], bool]], full: int) -> Window:
    window = Window(SYSTEM, QUESTION, full_turns=full)
    for text, exchanges, is_nudged in steps:
        own = window.with_own_ids([call for call, _ in exchanges])
        window.add_turn(text, own, [result for _, result in exchanges])
        if is_nudged or not exchanges:
            window.say("Go on.")
    return window


def fitting(window: Window, limit: int) -> ModelRequest | None:
    try:
        return window.request((TOOL,), max_output_tokens=100, max_tokens=limit)
    except ContextTooLong:
        return None


def least_tokens(window: Window) -> int:
    """Return what the question and the last turns take with all texts cut to a word."""
    whole = window.request((TOOL,), max_output_tokens=100, max_tokens=10**9)
    starts = [n for n, m in enumerate(whole.messages) if m.role == "assistant"]
    recent = whole.messages[starts[-RECENT_TURNS:][0] if starts else 2 :]
    cut = tuple(replace(m, content=min(m.content, MARK, key=len)) for m in recent)
    return NOTE + request_tokens(replace(whole, messages=(*whole.messages[:2], *cut)))


@settings(deadline=None, max_examples=150)
@given(turns, st.integers(1, 5), st.integers(20, 4_000))
def test_any_conversation_is_valid_and_within_the_limit_or_says_why_not(
    steps: list[tuple[str, list[tuple[ToolCall, Result]], bool]], full: int, limit: int
):
    window = played(steps, full)
    request = fitting(window, limit)
    if request is None:
        assert least_tokens(window) > limit
        return
    validate(request.messages)
    assert request_tokens(request) <= limit
    assert request.messages[0].content == SYSTEM
    assert request.messages[1].content.startswith(QUESTION)
    assert request.tools == (TOOL,)
    whole = window.request((TOOL,), max_output_tokens=100, max_tokens=10**9).messages
    last = [m for m in whole if m.role == "assistant"][-RECENT_TURNS:]
    kept = [m for m in request.messages if m.role == "assistant"]
    assert [m.tool_calls for m in kept[len(kept) - len(last) :]] == [m.tool_calls for m in last]


@settings(deadline=None, max_examples=100)
@given(turns, st.integers(60, 4_000))
def test_shortening_again_changes_nothing(
    steps: list[tuple[str, list[tuple[ToolCall, Result]], bool]], limit: int
):
    """What was made to fit is sent as it is: there is one piece of code for it."""
    request = fitting(played(steps, 3), limit)
    assert request is None or shortened(request, limit).request == request


def validate_for_anthropic(messages: list[dict[str, Any]]) -> None:
    """Hold what litellm makes of a conversation for Anthropic against the rules of its API."""
    open_calls: list[str] = []
    for number, message in enumerate(messages):
        assert message["role"] == ("assistant" if number % 2 else "user")
        kinds = [block["type"] for block in message["content"]]
        answered = [b["tool_use_id"] for b in message["content"] if b["type"] == "tool_result"]
        assert answered == open_calls
        # Results come first in what the user says.
        assert kinds[: len(answered)] == ["tool_result"] * len(answered)
        open_calls = [b["id"] for b in message["content"] if b["type"] == "tool_use"]
        for block in message["content"]:
            assert block["type"] != "text" or block["text"].strip()
            assert block["type"] != "tool_use" or isinstance(block["input"], dict)
        assert kinds
    assert not open_calls


@settings(deadline=None, max_examples=60)
@given(turns, st.integers(200, 4_000))
def test_any_conversation_becomes_one_that_anthropic_takes(
    steps: list[tuple[str, list[tuple[ToolCall, Result]], bool]], limit: int
):
    """Through the very code that the product sends it with."""
    LiteLlmModel(ModelAddress("anthropic/claude-sonnet-4-5"), {}).warm_up()
    from litellm.litellm_core_utils.prompt_templates.factory import anthropic_messages_pt

    request = fitting(played(steps, 2), limit)
    if request is not None:
        wire = wire_messages(request, Support())
        validate_for_anthropic(
            anthropic_messages_pt(
                messages=wire[1:], model="claude-sonnet-4-5", llm_provider="anthropic"
            )
        )


@settings(deadline=None, max_examples=60)
@given(turns, st.integers(200, 4_000))
def test_any_conversation_can_be_had_without_tools(
    steps: list[tuple[str, list[tuple[ToolCall, Result]], bool]], limit: int
):
    request = fitting(played(steps, 2), limit)
    if request is not None:
        wire = wire_messages(request, Support(tools=False))
        roles = [message["role"] for message in wire]
        assert roles[0] == "system"
        assert roles[1:] == (["user", "assistant"] * len(roles))[: len(roles) - 1]
        assert roles[-1] == "user"
        assert all(message["content"].strip() for message in wire)
        assert all(set(message) == {"role", "content"} for message in wire)


def conversation(*priorities: Priority, size: int = 600, summary: str | None = None) -> Window:
    window = Window(SYSTEM, QUESTION)
    for number, priority in enumerate(priorities):
        (call,) = window.with_own_ids([ToolCall("", f"tool_{number}", '{"path": "a.py"}')])
        window.add_turn("", [call], [Result(f"{number} " * size, priority, summary)])
    return window


def sent(window: Window, limit: int = 10**6) -> list[str]:
    request = window.request((), max_output_tokens=100, max_tokens=limit)
    return [message.content for message in request.messages if message.role == "tool"]


def test_nothing_that_was_sent_is_changed_until_the_limit_is_near():
    window = conversation("low", "medium", "low", "high", summary="the outline")
    before = sent(window)
    (call,) = window.with_own_ids([ToolCall("", "read_file", "{}")])
    window.add_turn("", [call], [Result("more", "high")])
    assert sent(window)[:-1] == before
    assert before[0].startswith("0 0 0")


def test_a_conversation_is_shortened_by_much_and_then_left_alone():
    window = conversation("high", "high", "high", "high", "high", "high")
    first = window.request((), max_output_tokens=100, max_tokens=2_400)
    assert request_tokens(first) <= 1_440
    (call,) = window.with_own_ids([ToolCall("", "read_file", "{}")])
    window.add_turn("", [call], [Result("more", "high")])
    second = window.request((), max_output_tokens=100, max_tokens=2_400)
    assert second.messages[: len(first.messages)] == first.messages
    assert window.n_turns == 7


def test_a_full_read_becomes_its_outline_when_there_is_no_room():
    window = conversation("low", "low", "low", "medium", "low", "high", summary="the outline")
    texts = sent(window, 2_400)
    assert texts[:3] == ["the outline"] * 3
    assert texts[3].startswith("3 3 3")
    assert not window.shows("call_1")
    assert window.shows("call_4")
    assert not window.shows("call_99")


def shortened_to(window: Window, limit: int) -> list[str]:
    request = window.request((), max_output_tokens=100, max_tokens=10**6)
    return [m.content for m in shortened(request, limit).request.messages if m.role == "tool"]


@pytest.mark.parametrize(
    ("limit", "left"),
    [
        (10_000, ["0", "1", "2", "3", "4", "5", "6"]),
        (2_500, ["0", "[left", "2", "[left", "4", "5", "6"]),
        (2_100, ["[left", "[left", "2", "[left", "4", "5", "6"]),
        (1_900, ["[left", "[left", "[left", "[left", "4", "5", "6"]),
        (1_400, ["4", "5", "6"]),
    ],
)
def test_low_goes_before_medium_before_high_and_the_last_turns_stay(limit: int, left: list[str]):
    window = conversation("medium", "low", "high", "low", "low", "medium", "high")
    assert [text.split()[0] for text in shortened_to(window, limit)] == left


def test_what_was_dropped_is_named_in_one_line():
    window = conversation("medium", "low", "high", "low", "low", "medium", "high")
    stub = shortened_to(window, 2_500)[1]
    assert stub == (
        '[left out to save space: tool_1 {"path": "a.py"}; call it again if you need it]'
    )
    question = window.request((), max_output_tokens=100, max_tokens=1_400).messages[1].content
    assert question.startswith(QUESTION)
    assert question.count("\n[") == 1
    assert 'tool_3 {"path": "a.py"}; tool_2 {"path": "a.py"}' in question
    assert not window.shows("call_1")


def test_a_prompt_without_turns_is_cut_at_its_end():
    request = ModelRequest((Message("system", SYSTEM), Message("user", "word " * 5_000)))
    short = shortened(request, 1_000).request
    assert request_tokens(short) <= 1_000
    assert short.messages[0].content == SYSTEM
    assert short.messages[1].content.endswith(MARK)
