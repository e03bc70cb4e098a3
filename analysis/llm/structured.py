"""Answers as data: asked for by a schema, checked, and mended once by the model itself."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from analysis.errors import ModelError, ModelRefused
from analysis.llm.arguments import json_object_in
from analysis.llm.calls import ModelCalls
from analysis.llm.messages import Message, ModelReply, ModelRequest, ResponseSchema
from analysis.llm.tokens import request_tokens

_Data = TypeVar("_Data", bound=BaseModel)
_MAX_ERRORS = 8
# Enough of a bad answer to mend it.
_MAX_SHOWN = 6_000


@dataclass(frozen=True, slots=True)
class Structured(Generic[_Data]):
    """What asking for data came to."""

    data: _Data | None
    """None if the model gave none, even when asked again."""
    reply: ModelReply
    """The last answer as the model wrote it."""
    failure: ModelError | None = None
    n_repairs: int = 0


def schema_of(model: type[BaseModel]) -> ResponseSchema:
    """Return the JSON schema of a pydantic model, in the strict form that providers want."""
    return ResponseSchema(model.__name__, _strict(model.model_json_schema()))


def tokens_with_schema(request: ModelRequest, model: type[BaseModel]) -> int:
    """Return the tokens of a request and of the schema that goes along with it."""
    return request_tokens(request) + request_tokens(ModelRequest((), schema=schema_of(model)))


async def structured(
    calls: ModelCalls,
    request: ModelRequest,
    model: type[_Data],
    *,
    purpose: str,
    files: Collection[str] = (),
    may_repair: bool = True,
) -> Structured[_Data]:
    """Ask for data and return it, or the answer that holds none.

    An answer that does not fit is shown to the model once, with what is wrong with it.
    """
    request = replace(request, schema=schema_of(model))
    reply, problem = ModelReply(""), ""
    for n_repairs in (0, 1) if may_repair else (0,):
        reply = await calls.complete(request, purpose=purpose, files=files)
        if reply.failure is not None or reply.finish_reason == "cancelled":
            return Structured(None, reply, reply.failure, n_repairs)
        data, problem = _parsed(reply.text, model)
        if data is not None:
            return Structured(data, reply, None, n_repairs)
        request = _repair(request, reply, problem)
        purpose = f"{purpose}, repair"
    error = ModelRefused(
        f"The model {calls.model.facts.name!r} did not answer in the form that was asked for, "
        f"{'even when told so' if may_repair else 'again'}: {problem}",
        "Choose a more capable model.",
    )
    return Structured(None, reply, error, int(may_repair))


def _parsed(text: str, model: type[_Data]) -> tuple[_Data | None, str]:
    """Return the data in an answer, or what is wrong with it."""
    found = json_object_in(text)
    if found is None:
        return None, "it holds no JSON object"
    try:
        return model.model_validate(_without_nulls(found)), ""
    except ValidationError as error:
        problems = [
            f"{'.'.join(str(part) for part in item['loc']) or 'the object'}: {item['msg']}"
            for item in error.errors()[:_MAX_ERRORS]
        ]
        return None, "; ".join(problems)


def _repair(request: ModelRequest, reply: ModelReply, problem: str) -> ModelRequest:
    """Return the request again, with the answer and its error."""
    words = (
        f"That answer cannot be used: {problem}. "
        "Answer again with one JSON object that matches the schema, and nothing else."
    )
    turns = (Message("assistant", reply.text[:_MAX_SHOWN] or "(nothing)"), Message("user", words))
    return replace(request, messages=(*request.messages, *turns))


def _strict(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema in which every object names all that it may hold.

    What is left out without harm may be null instead: a strict schema makes the model write
    something. What an object is for stands in the prompt, and only there.
    """
    strict: dict[str, Any] = {}
    for key, value in schema.items():
        is_words = key in ("default", "title", "description") and not isinstance(value, dict)
        if is_words and (key != "description" or "properties" in schema):
            continue
        if isinstance(value, dict):
            strict[key] = _strict(value)
        elif isinstance(value, list):
            strict[key] = [_strict(item) if isinstance(item, dict) else item for item in value]
        else:
            strict[key] = value
    if strict.get("type") == "object" and "properties" in strict:
        needed = schema.get("required", ())
        strict["properties"] = {
            name: value if name in needed else _nullable(value)
            for name, value in strict["properties"].items()
        }
        strict["additionalProperties"] = False
        strict["required"] = list(strict["properties"])
    return strict


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a value that may be null, unless it has a way to be empty anyway."""
    kind = schema.get("type")
    if kind == "string" and "enum" in schema:
        return {**schema, "type": [kind, "null"], "enum": [*schema["enum"], None]}
    return {**schema, "type": [kind, "null"]} if kind in ("integer", "number") else schema


def _without_nulls(value: Any) -> Any:
    """Return data without what a model left out by writing null."""
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value
