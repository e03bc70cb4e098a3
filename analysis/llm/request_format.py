"""Requests in the form of OpenAI's chat API, and what to ask of models that lack a feature."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from analysis.llm.messages import Message, ModelRequest, ResponseSchema, ToolSpec

SchemaSupport = Literal["schema", "object", "prompt"]
"""How a model is made to answer in JSON: by a schema, as some JSON object, by asking for it."""


@dataclass(frozen=True, slots=True)
class Support:
    """What a model and its server can do; lowered when they turn out not to."""

    tools: bool = True
    schema: SchemaSupport = "schema"
    stream_options: bool = True
    tool_choice: bool = True
    reasoning_effort: bool = True
    stream: bool = True

    def without(self, complaint: str, request: ModelRequest) -> Support | None:
        """Return less than this after a refusal; None if the refusal was about something else."""
        text = complaint.lower()
        if "stream_options" in text and self.stream_options:
            return replace(self, stream_options=False)
        if "tool_choice" in text and self.tool_choice and request.tool_choice != "auto":
            return replace(self, tool_choice=False)
        if _REASONING.search(text) and self.reasoning_effort:
            return replace(self, reasoning_effort=False)
        if request.schema and self.schema != "prompt" and _is_about(text, _SCHEMA_WORDS):
            return replace(self, schema="object" if self.schema == "schema" else "prompt")
        if request.tools and self.tools and says_no_tools(text):
            return replace(self, tools=False)
        return None


_SCHEMA_WORDS = ("response_format", "json_schema", "json_object", "schema", "structured output")
_REASONING = re.compile(r"reasoning[_.]?effort|thinking", re.IGNORECASE)
_TOOLS = r"(?:tools?|functions?)(?:[ _-](?:use|calls?|calling|choice))?(?!\w|\[|\.\w)"
_REFUSED = r"(?:supported|available|enabled|allowed|permitted|implemented|recognized)"
# Many complaints hold the word: a result without its call, a schema that is not accepted. Only
# these say that there are no tools at all.
_NO_TOOLS = re.compile(
    rf"""
    (?:\bnot|n't|\bnor|\bno|\bun|\bwithout)[ ]?support(?:s|ed|ing)?\b
        (?![^.]*\b(?:more[ ]than|parallel|multiple)\b)[^.:]{{0,40}}\b{_TOOLS}
    | \b{_TOOLS}['"`]?[^.:\[]{{0,40}}(?:\bnot|n't|\bun)[ ]?(?:yet[ ]|currently[ ])?{_REFUSED}\b
    | \b(?:unknown|unrecognized|unexpected|unsupported|extra)\b
        [^.]{{0,40}}\b(?:field|parameter|param|argument|property|key|input)s?\b[^.]{{0,20}}?\b{_TOOLS}
    | ^\W*tools?\W{{1,5}}(?:extra[ ](?:inputs|fields)|unknown|unexpected)
    | \btools?\b[^.]{{0,30}}\brequires?\b[^.]{{0,10}}--
    | \bno[ ]endpoints[ ]found[ ]that[ ]support[ ]tool
    """,
    re.IGNORECASE | re.VERBOSE,
)


def says_no_tools(complaint: str) -> bool:
    """Return whether a server's words mean that its model cannot call tools."""
    return _NO_TOOLS.search(complaint) is not None


def wire_messages(
    request: ModelRequest, support: Support, *, takes_thinking: bool = False
) -> list[dict[str, Any]]:
    """Return the messages; what the model cannot do by itself is asked for in words.

    Args:
        request: What to say.
        support: What the model can do.
        takes_thinking: Whether the provider wants back what was thought, though it signs nothing.
    """
    words = []
    if request.schema and support.schema != "schema":
        words.append(schema_instruction(request.schema))
    if request.tools and not support.tools:
        words.append(tools_instruction(request.tools))
    messages = with_instruction(request.messages, "\n\n".join(words))
    if support.tools:
        return [_wire_message(m, support, takes_thinking=takes_thinking) for m in messages]
    return [{"role": m.role, "content": m.content} for m in without_tool_turns(messages)]


def wire_options(request: ModelRequest, support: Support) -> dict[str, Any]:
    """Return everything of a request but its messages."""
    options: dict[str, Any] = {"max_tokens": request.room, "stream": support.stream}
    if support.stream_options and support.stream:
        options["stream_options"] = {"include_usage": True}
    if request.temperature is not None:
        options["temperature"] = request.temperature
    if request.tools and support.tools:
        options["tools"] = [_wire_tool(tool) for tool in request.tools]
        if request.tool_choice != "auto" and support.tool_choice:
            options["tool_choice"] = request.tool_choice
    if request.schema and support.schema == "schema":
        options["response_format"] = {
            "type": "json_schema",
            "json_schema": {
                "name": request.schema.name,
                "schema": dict(request.schema.schema),
                "strict": True,
            },
        }
    elif request.schema and support.schema == "object":
        options["response_format"] = {
            "type": "json_object",
            "schema": dict(request.schema.schema),
        }
    return options


def schema_instruction(schema: ResponseSchema) -> str:
    """Return the words that ask for JSON of a schema."""
    text = json.dumps(schema.schema, ensure_ascii=False)
    return f"Answer with one JSON object and nothing else. It must match this JSON schema:\n{text}"


def tools_instruction(tools: tuple[ToolSpec, ...]) -> str:
    """Return the words that tell a model without tool calls how to make them."""
    specs = [
        json.dumps(
            {"name": t.name, "description": t.description, "parameters": dict(t.parameters)},
            ensure_ascii=False,
        )
        for t in tools
    ]
    listed = "\n".join(specs)
    return (
        "You can call tools. To do so, say in one sentence what you are after, then write each "
        "call as a JSON object in a fence of its own, several where they do not depend on each "
        'other:\n```json\n{"tool": "<name>", "arguments": {...}}\n```\n'
        f"Their results come in the next message. The tools:\n{listed}"
    )


def with_instruction(messages: tuple[Message, ...], words: str) -> tuple[Message, ...]:
    """Return the messages with something added to the system's."""
    if not words:
        return messages
    if messages and messages[0].role == "system":
        first = replace(messages[0], content=f"{messages[0].content}\n\n{words}")
        return (first, *messages[1:])
    return (Message("system", words), *messages)


def without_tool_turns(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return a conversation with its tool calls and results as plain text.

    Turns of the same side become one: templates of models without tools insist that they alternate.
    """
    plain: list[Message] = []
    for message in messages:
        if message.role == "tool":
            text = f"Result of the tool call {message.tool_call_id}:\n{message.content}"
            message = Message("user", text)
        elif message.tool_calls:
            calls = "\n".join(
                f'{{"tool": {json.dumps(call.name)}, "arguments": {call.arguments or "{}"}}}'
                for call in message.tool_calls
            )
            message = Message("assistant", f"{message.content}\n{calls}".strip())
        if plain and plain[-1].role == message.role:
            both = f"{plain[-1].content}\n\n{message.content}"
            plain[-1] = replace(plain[-1], content=both)
        else:
            plain.append(message)
    return tuple(plain)


def _wire_message(message: Message, support: Support, *, takes_thinking: bool) -> dict[str, Any]:
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.thinking and support.reasoning_effort:
        if message.thinking.blocks:
            wire["thinking_blocks"] = [dict(block) for block in message.thinking.blocks]
        elif takes_thinking:
            wire["reasoning_content"] = message.thinking.text
    if message.tool_calls:
        wire["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        wire["tool_call_id"] = message.tool_call_id
    return wire


def _wire_tool(tool: ToolSpec) -> Mapping[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": dict(tool.parameters),
        },
    }


def _is_about(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)
