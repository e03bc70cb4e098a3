"""Reads what a model wrote as JSON; what is not right goes back to it, never on as ``{}``."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from analysis.errors import ToolRetry
from analysis.llm.messages import ModelReply, ToolCall, ToolSpec

# Enough to see what went wrong; the model wrote it and knows the rest.
_PREVIEW = 200
_MAX_ARGUMENTS = 20_000
# Braces of code that are no JSON; a call does not come after so many of them.
_MAX_TRIES = 200
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
    """Return the tool calls that a model wrote as text, for want of a better way.

    They may stand in fences or bare, one after another or in a list, with words around them.
    """
    found = [value for value in _objects_in(reply.text) if _tool_named(value) in names]
    calls = []
    for number, value in enumerate(found, 1):
        arguments = value.get("arguments", value.get("parameters", {}))
        written = arguments if isinstance(arguments, str) else json.dumps(arguments)
        call_id = "call_text" if number == 1 else f"call_text_{number}"
        calls.append(ToolCall(call_id, _tool_named(value), written))
    return tuple(calls)


def why_no_call(text: str, names: Collection[str]) -> str:
    """Return what is wrong with calls that a model tried to write as text; empty if it did not."""
    for value in _objects_in(text):
        name = _tool_named(value)
        if name and name not in names:
            return f"there is no tool {preview(name)!r}"
        if not name and "arguments" in value:
            return 'the JSON object does not name its tool as "tool"'
    if "{" in text and ('"tool"' in text or '"arguments"' in text):
        return "the JSON of the call cannot be read"
    return ""


def words_before_call(text: str) -> str:
    """Return what a model said before the call that it wrote as text: why it makes it.

    >>> words_before_call('First the names. {"tool": "search"}')
    'First the names.'
    """
    return _BEFORE_CALL.split(text, maxsplit=1)[0].strip()


def _objects_in(text: str) -> Iterator[dict[str, Any]]:
    """Yield the outermost JSON objects in a text, those of a list one by one."""
    decoder, at, n_tries = json.JSONDecoder(), 0, 0
    while (at := text.find("{", at)) >= 0 and n_tries < _MAX_TRIES:
        n_tries += 1
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        if isinstance(value, dict):
            listed = value.get("tool_calls", value.get("calls"))
            items = listed if isinstance(listed, list) else [value]
            yield from (_unwrapped(item) for item in items if isinstance(item, dict))


def _unwrapped(value: dict[str, Any]) -> dict[str, Any]:
    """Return a call without the wrapper that the API puts around it."""
    function = value.get("function")
    return function if isinstance(function, dict) else value


def _tool_named(value: Mapping[str, Any]) -> str:
    """Return the name of the tool that an object calls; empty if it is no call."""
    name = value.get("tool", value.get("name", value.get("function")))
    return name if isinstance(name, str) else ""
