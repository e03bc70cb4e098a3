"""Agent mode with models that say anything: it always ends, with a document and a reason."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.engine import Engine
from analysis.errors import ModelRefused, ModelUnavailable
from analysis.events import Event, RunFinished, ToolCalled, ToolReturned
from analysis.llm.chat_model import ModelFacts
from analysis.llm.messages import ModelReply, ToolCall, Usage
from analysis.llm.tokens import request_tokens
from analysis.models import AskRequest
from analysis.modes.stop_reasons import STOP_REASONS
from analysis.settings import settings_from
from analysis.tools.registry import AGENT_TOOLS
from tests.fakes.scripted_model import ScriptedModel
from tests.support.auth_shop import FILES, write
from tests.support.conversation import validate

LIMIT = 6_000
FACTS = [None, ModelFacts("t/small", "nowhere", 4_000, 1e-5, 1e-5), ModelFacts("t/x", "n", None)]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = tmp_path_factory.mktemp("shop")
    write(root, FILES | {"notes.txt": "login and password\n" * 800})
    chosen, _ = settings_from(
        {
            "model": {"tokens_per_minute": 10**7, "request_tokens": LIMIT},
            "budget": {"tokens": 60_000},
            "agent": {"turns": 8},
        }
    )
    with Engine.open(root, chosen) as opened:
        yield opened


names = st.sampled_from([*AGENT_TOOLS, "read", "functions.read_file", ""])
values = st.sampled_from(
    ["login", "auth/login.py", "notes.txt", "../x", "", 1, -5, 10**9, None, ["auth/*"], {"a": 1}]
)
keys = ["query", "pattern", "path", "name", "line_start", "line_end", "question", "insights"]
objects = st.dictionaries(
    st.sampled_from([*keys, "relevant_file_paths", "code_references"]), values
)
arguments = objects.map(json.dumps) | st.sampled_from(["{", "[1]", "null", "", "{}", "x" * 30_000])
good = st.sampled_from(
    [
        ("read_symbol", '{"name": "login"}'),
        ("read_file", '{"path": "notes.txt"}'),
        ("get_file_outline", '{"path": "auth/tokens.py"}'),
        ("search_for_files", '{"query": "login"}'),
    ]
)
calls = st.lists(
    st.one_of(st.tuples(names, arguments), good, good).map(lambda c: ToolCall("c", *c)), max_size=4
)
texts = st.sampled_from(["", "  ", "I look.", "## Summary\n\nIt logs in.", '{"tool": "read_file"}'])
usages = st.none() | st.builds(Usage, st.integers(1, 9_000), st.integers(0, 3_000))


def reply(text: str, made: list[ToolCall], used: Usage | None) -> ModelReply:
    return ModelReply(text, tuple(made), used, "tool_calls" if made else "stop")


failures = st.sampled_from(
    [
        ModelReply("", finish_reason="cancelled"),
        ModelReply("Cut", finish_reason="failed", failure=ModelUnavailable("Gone.")),
        ModelReply("", finish_reason="content_filter", failure=ModelRefused("No.")),
        ModelReply("", finish_reason="length"),
    ]
)
replies = st.one_of(*[st.builds(reply, texts, calls, usages)] * 6, failures)


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(replies, min_size=1, max_size=9), st.sampled_from(FACTS))
def test_every_run_ends_with_a_document_and_a_reason(
    engine: Engine, script: list[ModelReply], facts: ModelFacts | None
):
    model = ScriptedModel(*script, facts=facts)
    engine.use_model(model)
    events = asyncio.run(all_of(engine.ask(AskRequest("How does login work?", mode="agent"))))
    last = events[-1]
    assert isinstance(last, RunFinished)
    assert last.stop_reason in STOP_REASONS
    assert f"stop_reason: {last.stop_reason}\n" in last.answer.markdown
    shown = [path for path in ("auth/", "notes.txt") if path in last.answer.markdown]
    assert shown or last.stop_reason == "cancelled"
    assert "Traceback" not in last.answer.markdown
    searches = [r for r in model.requests if r.tools and r.tool_choice != "none"]
    for request in searches:
        validate(request.messages)
        assert request_tokens(request) <= LIMIT
    assert len(searches) <= 8
    assert len(model.requests) <= 9
    called = [event.call_id for event in events if isinstance(event, ToolCalled)]
    returned = [event.call_id for event in events if isinstance(event, ToolReturned)]
    assert len(set(called)) == len(called)
    assert called == returned


async def all_of(events: AsyncGenerator[Event]) -> list[Any]:
    return [event async for event in events]
