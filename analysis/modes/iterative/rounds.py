"""What the model answers in a round of iterative mode, as data, and what of it can be used."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    create_model,
    field_validator,
    model_validator,
)

from analysis.llm.messages import ToolCall
from analysis.modes.query_profile import QueryType
from analysis.tools.registry import ITERATIVE_TOOLS, TOOLS

_MAX_CALLS = 6
_MAX_LABEL = 120
_MOST = 100
_TOOLS = {TOOLS[key].name: TOOLS[key].arguments.model_fields for key in ITERATIVE_TOOLS}
"""By the name that the model knows: the arguments of a tool."""


def _any_argument() -> dict[str, Any]:
    """Return the arguments of all tools as fields; what a tool requires is empty if left out."""
    fields: dict[str, Any] = {}
    for arguments in _TOOLS.values():
        for name, field in arguments.items():
            kind = field.annotation
            default = kind() if field.is_required() and callable(kind) else field.default
            known = fields.get(name, (kind, default))
            # Where one tool requires what another one can do without, the default is the latter's.
            fields[name] = (known[0] if known[0] == kind else known[0] | kind, known[1] or default)
    return fields


def _one_of(names: tuple[str, ...]) -> Callable[[dict[str, Any]], None]:
    """Return what makes a field's schema one of some words."""

    def narrow(schema: dict[str, Any]) -> None:
        words = [*names, None] if schema.pop("anyOf", None) else list(names)
        schema |= {"type": ["string", "null"] if None in words else "string", "enum": words}

    return narrow


if TYPE_CHECKING:

    class _Call(BaseModel):
        tool: str

else:
    _NAME = Field(json_schema_extra=_one_of(tuple(_TOOLS)))
    _Call = create_model("_Call", tool=(str, _NAME), **_any_argument())


class CallWanted(_Call):
    """A tool that the model wants to use; what the tool does not take is ignored."""

    model_config = ConfigDict(extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, value: Any) -> Any:
        """Take ``{"name": ..., "arguments": {...}}`` as well, the form of tool calls elsewhere."""
        if not isinstance(value, dict):
            return value
        flat = dict(value)
        for key in ("arguments", "parameters", "args"):
            inner = flat.pop(key, None)
            if isinstance(inner, dict):
                flat |= inner
        if "tool" not in flat and "name" in flat:
            flat["tool"] = flat.pop("name")
        if not flat.get("symbol"):
            flat.pop("symbol", None)  # A strict schema makes the model write something.
        return {key: item for key, item in flat.items() if item is not None}

    @property
    def arguments(self) -> dict[str, Any]:
        """What the tool is called with."""
        return {name: getattr(self, name) for name in _TOOLS.get(self.tool, ())}

    @property
    def label(self) -> str:
        """The call on one line, for readers."""
        fields = type(self).model_fields
        said = {
            name: value for name, value in self.arguments.items() if value != fields[name].default
        }
        values = [name if value is True else str(value) for name, value in said.items()]
        return f"{self.tool}({', '.join(values)})"[:_MAX_LABEL]

    def as_call(self, call_id: str) -> ToolCall:
        """Return the call as tools take it."""
        return ToolCall(call_id, self.tool, json.dumps(self.arguments, ensure_ascii=False))


class RoundOutput(BaseModel):
    """What one round comes to; a model writes in this order, so that it thinks before it judges.

    What the fields are for is said in the prompt.
    """

    model_config = ConfigDict(extra="ignore")

    insights: str = ""
    reasoning: str = ""
    confidence: int
    keep_files: list[str] = Field(default_factory=list)
    tool_calls: list[CallWanted] = Field(default_factory=list)

    @field_validator("confidence", mode="before")
    @classmethod
    def _percent(cls, value: object) -> object:
        """Take ``"85%"`` and 0.85 as well; what is out of range becomes the nearest end of it."""
        if isinstance(value, str):
            try:
                value = float(value.strip().rstrip("%"))
            except ValueError:
                return value
        if not isinstance(value, int | float):
            return value
        if isinstance(value, bool) or not math.isfinite(value):
            raise ValueError("has to be a number from 0 to 100")
        if isinstance(value, float) and 0 < value < 1:
            value *= _MOST
        return round(min(max(value, 0), _MOST))

    @field_validator("keep_files", "tool_calls", mode="before")
    @classmethod
    def _nothing(cls, value: object) -> object:
        return [] if value is None else value

    @field_validator("insights", "reasoning", mode="before")
    @classmethod
    def _no_text(cls, value: object) -> object:
        return "" if value is None else value


class FirstRoundOutput(RoundOutput):
    """What the first round comes to: it also says what the question asks for."""

    complexity: int | None = None
    # A model is held to these by its schema; another word is only no answer.
    query_type: str | None = Field(None, json_schema_extra=_one_of(get_args(QueryType)))
    keywords: list[str] = Field(default_factory=list)

    @field_validator("complexity", mode="before")
    @classmethod
    def _number(cls, value: object) -> object:
        """Take what is no number for no answer: the rules have given one."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return round(min(max(value, 0), _MOST)) if math.isfinite(value) else None

    @field_validator("keywords", mode="before")
    @classmethod
    def _words(cls, value: object) -> object:
        return [word for word in value if isinstance(word, str)] if isinstance(value, list) else []


def new_calls(output: RoundOutput, made: Iterable[str]) -> list[CallWanted]:
    """Return the calls that were not made before, a few at most."""
    known = set(made)
    fresh: list[CallWanted] = []
    for wanted in output.tool_calls:
        key = key_of(wanted)
        if key not in known:
            known.add(key)
            fresh.append(wanted)
    return fresh[:_MAX_CALLS]


def key_of(wanted: CallWanted) -> str:
    """Return what tells a call from others."""
    return f"{wanted.tool} {json.dumps(wanted.arguments, sort_keys=True)}"
