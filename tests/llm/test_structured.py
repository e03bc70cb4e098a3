"""Answers as data: right at once, mended once, or a clear failure that keeps what was said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from analysis.errors import ModelRefused
from analysis.llm.budget import BudgetTracker, Limits
from analysis.llm.calls import ModelCalls
from analysis.llm.messages import Message, ModelReply, ModelRequest
from analysis.llm.structured import Structured, schema_of, structured
from analysis.llm.throttle import TPMThrottle
from analysis.modes.explored import ScopeExplorationOutput
from analysis.modes.iterative.rounds import FirstRoundOutput, RoundOutput
from analysis.modes.plan.prompts import Plan, Refinement
from analysis.stopping import StopFlag
from tests.fakes.scripted_model import ScriptedModel


class Colour(BaseModel):
    name: str
    shades: list[int] = []


async def asked(*texts: str) -> tuple[Structured[Colour], ScriptedModel]:
    model = ScriptedModel(*(ModelReply(text) for text in texts))
    budget = BudgetTracker(Limits(100_000), model.facts)
    calls = ModelCalls(model, budget, TPMThrottle(1_000_000), stop=StopFlag())
    request = ModelRequest((Message("user", "Which?"),))
    return await structured(calls, request, Colour, purpose="test"), model


async def test_json_in_prose_is_found():
    found, model = await asked('Sure!\n```json\n{"name": "red"}\n```')
    assert found.data == Colour(name="red")
    assert len(model.requests) == 1


async def test_a_wrong_answer_is_shown_to_the_model_once():
    found, model = await asked('{"shades": ["dark"]}', '{"name": "red"}')
    assert found.data == Colour(name="red")
    assert found.n_repairs == 1
    told = model.requests[1].messages[-1].content
    assert "name: Field required" in told
    assert "shades.0" in told


async def test_two_wrong_answers_are_a_failure_that_keeps_them():
    found, model = await asked("I would rather not.")
    assert found.data is None
    assert isinstance(found.failure, ModelRefused)
    assert found.reply.text == "I would rather not."
    assert len(model.requests) == 2


def test_the_schema_is_strict():
    schema = schema_of(Colour).schema
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["name", "shades"]


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    """Yield all objects of a schema, the schema first."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _parts(item)


ASKED_FOR = [ScopeExplorationOutput, RoundOutput, FirstRoundOutput, Plan, Refinement]


@pytest.mark.parametrize("model", ASKED_FOR)
def test_what_is_asked_for_is_as_strict_providers_want_it(model: type[BaseModel]):
    schema = schema_of(model).schema
    for part in _parts(schema):
        assert not {"default", "oneOf", "allOf", "title"} & part.keys() - {"properties"}
        assert "$ref" not in part or len(part) == 1
        if "properties" in part and isinstance(part.get("properties"), dict):
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])
            assert "description" not in part
    assert not any(isinstance(part.get("description"), str) for part in _parts(schema))


@pytest.mark.parametrize(
    ("model", "thought", "verdict"),
    [
        (ScopeExplorationOutput, "reasoning", "sufficient_context"),
        (ScopeExplorationOutput, "preliminary_insights", "sufficient_context"),
        (RoundOutput, "reasoning", "confidence"),
        (FirstRoundOutput, "insights", "confidence"),
        (Refinement, "reason", "decision"),
    ],
)
def test_a_model_thinks_before_it_judges(model: type[BaseModel], thought: str, verdict: str):
    names = list(schema_of(model).schema["properties"])
    assert names.index(thought) < names.index(verdict)


def test_tools_and_kinds_are_named_by_the_schema():
    schema = schema_of(FirstRoundOutput).schema
    assert "read_symbols" in schema["$defs"]["CallWanted"]["properties"]["tool"]["enum"]
    kinds = schema["properties"]["query_type"]["enum"]
    assert {"locate", "explain", "flow", "debug", None} == set(kinds)


@pytest.mark.parametrize("tool", ["browse_file", "no_such_tool"])
def test_what_may_be_left_out_may_be_null(tool: str):
    """Also words that the schema does not name lose nothing but themselves."""
    schema = schema_of(RoundOutput).schema
    numbers = {
        name: part
        for name, part in schema["$defs"]["CallWanted"]["properties"].items()
        if part.get("type") == ["integer", "null"]
    }
    assert numbers
    call = {"tool": tool, "path": "a.py", **dict.fromkeys(numbers)}
    text = json.dumps({"confidence": 50, "insights": None, "tool_calls": [call]})
    found = RoundOutput.model_validate(json.loads(text))
    assert found.tool_calls[0].arguments.get("path", "a.py") == "a.py"


async def test_null_stands_for_what_is_left_out():
    found, _ = await asked('{"name": "red", "shades": null}')
    assert found.data == Colour(name="red")
