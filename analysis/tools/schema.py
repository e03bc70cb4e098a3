"""A typed function signature and its docstring as the schema that a model sees."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

_ARGS = re.compile(r"^Args:\n(?P<body>(?:[ \t]+.*\n?|\n)+)", re.MULTILINE)
_LIMITS = frozenset({"minLength", "maxLength", "maxItems"})
_ARGUMENT = re.compile(r"^ {4}(\w+): (.+(?:\n {8,}.+)*)", re.MULTILINE)


def description_of(function: Callable[..., Any]) -> str:
    """Return what a docstring says up to its arguments, each paragraph on one line."""
    text = inspect.getdoc(function) or ""
    paragraphs = _ARGS.split(text)[0].strip().split("\n\n")
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def arguments_of(function: Callable[..., Any]) -> type[BaseModel]:
    """Return the model of all arguments but the first, which is the context.

    An argument that the function does not have is an error, not ignored.
    """
    hints = get_type_hints(function, include_extras=True)
    said = _described(function)
    fields: dict[str, Any] = {}
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        default = ... if parameter.default is parameter.empty else parameter.default
        words = said.get(parameter.name)  # None: the annotation describes it.
        field = Field(default, description=words) if words else default
        fields[parameter.name] = (hints[parameter.name], field)
    config = ConfigDict(extra="forbid")
    return create_model(f"{function.__name__}_arguments", __config__=config, **fields)


def with_max_tokens(arguments: type[BaseModel]) -> type[BaseModel]:
    """Return a model of the arguments with the budget that every agent may set, as the last."""
    budget = Field(4000, ge=200, le=50_000, description="The result is kept within so many tokens.")
    return create_model(arguments.__name__, __base__=arguments, max_tokens=(int, budget))


def slim_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return a model's JSON schema without what only costs tokens.

    Titles go, a default of nothing goes, and definitions stand where they are used: not every
    client knows ``anyOf`` or ``$ref``.
    """
    schema = model.model_json_schema()
    definitions = schema.pop("$defs", {})
    return {"type": "object", **_slim(schema, definitions)}


def bare_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return a slim schema without limits that no sensible call reaches, nor empty defaults.

    It goes out with every request; what it does not say is checked all the same.
    """
    bare: dict[str, Any] = _bare(slim_schema(model))
    return bare


def _bare(value: Any) -> Any:
    if isinstance(value, list):
        return [_bare(item) for item in value]
    if not isinstance(value, dict):
        return value
    # What an object is for is said where it is an argument.
    left_out = _LIMITS | ({"description"} if "properties" in value else set())
    return {
        key: _bare(item)
        for key, item in value.items()
        if key not in left_out and not (key == "default" and not item)
    }


def _described(function: Callable[..., Any]) -> dict[str, str]:
    """Return what the docstring says of each argument."""
    match = _ARGS.search(inspect.getdoc(function) or "")
    found = _ARGUMENT.findall(match["body"]) if match else []
    return {name: " ".join(text.split()) for name, text in found}


def _slim(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        inner = definitions[schema["$ref"].rpartition("/")[2]]
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return _slim({**inner, **rest}, definitions)
    slim = {key: value for key, value in schema.items() if key not in ("title", "anyOf")}
    for choice in schema.get("anyOf", ()):
        if choice.get("type") != "null":
            slim |= _slim(choice, definitions)
    if slim.get("default", ...) is None:
        del slim["default"]
    if "properties" in slim:
        slim["properties"] = {
            name: _slim(value, definitions) for name, value in slim["properties"].items()
        }
    if "items" in slim:
        slim["items"] = _slim(slim["items"], definitions)
    return slim
