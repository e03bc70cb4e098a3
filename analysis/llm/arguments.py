"""Reads what a model wrote as JSON; what is not right goes back to it, never on as ``{}``."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

from analysis.errors import ToolRetry
from analysis.llm.messages import ModelReply, ToolCall, ToolSpec

# Enough to see what went wrong; the model wrote it and knows the rest.
_PREVIEW = 200
_MAX_ARGUMENTS = 20_000
# Where a call begins that is written as text.
_BEFORE_CALL = re.compile(r"```|\{")
_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)


def tool_arguments(call: ToolCall, spec: ToolSpec) -> dict[str, Any]:
    """Return a call's arguments.

    Raises:
        ToolRetry: They are no JSON object, too long, or lack a required one; the message shows
            the model its error and the schema.
    """
    problem = ""
    arguments: Any = None
    if len(call.arguments) > _MAX_ARGUMENTS:
        problem = f"they are {len(call.arguments)} characters long"
    else:
        try:
            arguments = json.loads(call.arguments)
        except (ValueError, RecursionError) as error:
            problem = f"they are not JSON ({str(error)[:80]})"
    if not problem and not isinstance(arguments, dict):
        problem = "they are not a JSON object"
    if not problem:
        missing = [n for n in spec.parameters.get("required", ()) if n not in arguments]
        problem = f"{', '.join(missing)} is missing" if missing else ""
    if problem:
        raise ToolRetry(
            f"The arguments of {call.name!r} were not used: {problem}. "
            f"You wrote: {preview(call.arguments)!r}. Call it again with arguments that match "
            f"this JSON schema: {json.dumps(dict(spec.parameters), ensure_ascii=False)}"
        )
    return dict(arguments)


def preview(text: str) -> str:
    """Return the start of a text."""
    return text if len(text) <= _PREVIEW else f"{text[:_PREVIEW]}… ({len(text)} characters)"


def json_object_in(text: str) -> dict[str, Any] | None:
    """Return the JSON object that a text is or holds; None if it holds none."""
    fenced = [match[1] for match in _FENCE.finditer(text)]
    start, end = text.find("{"), text.rfind("}")
    for candidate in (text, *fenced, text[start : end + 1] if 0 <= start < end else ""):
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return None


def prompted_calls(reply: ModelReply, names: Collection[str]) -> tuple[ToolCall, ...]:
    """Return the tool call that a model wrote as text, for want of a better way."""
    found = json_object_in(reply.text)
    if found is None:
        return ()
    name = found.get("tool", found.get("name"))
    if not isinstance(name, str) or name not in names:
        return ()
    arguments = found.get("arguments", found.get("parameters"))
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return (ToolCall("call_text", name, written),)


def words_before_call(text: str) -> str:
    """Return what a model said before the call that it wrote as text: why it makes it.

    >>> words_before_call('First the names. {"tool": "search"}')
    'First the names.'
    """
    return _BEFORE_CALL.split(text, maxsplit=1)[0].strip()
