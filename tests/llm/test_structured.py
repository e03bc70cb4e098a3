"""Answers as data: right at once, mended once, or a clear failure that keeps what was said."""

from __future__ import annotations

from pydantic import BaseModel

from analysis.errors import ModelRefused
from analysis.llm.budget import BudgetTracker, Limits
from analysis.llm.calls import ModelCalls
from analysis.llm.messages import Message, ModelReply, ModelRequest
from analysis.llm.structured import Structured, schema_of, structured
from analysis.llm.throttle import TPMThrottle
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
