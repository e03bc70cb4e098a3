"""Calls of tools as servers stream them and as models write them, and who is said to have none."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.llm.arguments import prompted_calls, why_no_call
from analysis.llm.assemble import Assembler
from analysis.llm.messages import Message, ModelReply, ModelRequest, ToolSpec
from analysis.llm.request_format import Support

NAMES = frozenset({"grep", "read"})
READ = ToolSpec("read", "Reads.", {"type": "object", "properties": {}})


def chunk(*pieces: dict[str, Any]) -> Any:
    """One chunk of a stream, as objects."""
    calls = [
        SimpleNamespace(
            index=piece.get("index"),
            id=piece.get("id"),
            function=SimpleNamespace(name=piece.get("name"), arguments=piece.get("arguments")),
        )
        for piece in pieces
    ]
    delta = SimpleNamespace(tool_calls=calls, content=None)
    return SimpleNamespace(choices=[SimpleNamespace(delta=delta, finish_reason=None)])


def check_streamed(pieces: list[dict[str, Any]], calls: list[tuple[str, str]]) -> None:
    arrived = Assembler()
    for piece in pieces:
        assert not list(arrived.add(chunk(piece)))
    made = arrived.reply().tool_calls
    assert [(call.name, call.arguments) for call in made] == calls
    assert len({call.id for call in made}) == len(calls)


TWO = [("grep", '{"a": 1}'), ("read", '{"b": 2}')]


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param(
            [
                {"index": 0, "id": "x", "name": "grep", "arguments": '{"a"'},
                {"index": 0, "arguments": ": 1}"},
                {"index": 1, "id": "y", "name": "read", "arguments": '{"b"'},
                {"index": 1, "arguments": ": 2}"},
            ],
            id="as OpenAI",
        ),
        pytest.param(
            [
                {"id": "x", "name": "grep", "arguments": '{"a"'},
                {"arguments": ": 1}"},
                {"id": "y", "name": "read", "arguments": '{"b"'},
                {"arguments": ": 2}"},
            ],
            id="no index",
        ),
        pytest.param(
            [
                {"index": 0, "id": "x", "name": "grep", "arguments": '{"a"'},
                {"index": 0, "id": "x", "arguments": ": 1}"},
                {"index": 0, "id": "y", "name": "read", "arguments": '{"b"'},
                {"index": 0, "id": "y", "arguments": ": 2}"},
            ],
            id="all at 0, two ids",
        ),
        pytest.param(
            [
                {"index": 0, "id": "x", "name": "grep", "arguments": ""},
                {"index": 0, "id": "y", "name": "read", "arguments": ""},
                {"id": "x", "arguments": '{"a": 1}'},
                {"id": "y", "arguments": '{"b": 2}'},
            ],
            id="in turns",
        ),
        pytest.param(
            [
                {"index": 0, "name": "grep", "arguments": '{"a": 1}'},
                {"index": 0, "name": "read", "arguments": '{"b": 2}'},
            ],
            id="no ids, whole",
        ),
    ],
)
def test_two_calls_stay_two(pieces: list[dict[str, Any]]):
    check_streamed(pieces, TWO)


def test_a_server_that_repeats_all_in_each_piece_makes_one_call():
    pieces = [
        {"index": 0, "id": "x", "name": "grep", "arguments": '{"a"'},
        {"index": 0, "id": "x", "name": "grep", "arguments": ": 1}"},
    ]
    check_streamed(pieces, TWO[:1])


def fenced(*calls: dict[str, Any]) -> str:
    return "\n".join(f"```json\n{json.dumps(call)}\n```" for call in calls)


GREP = {"tool": "grep", "arguments": {"pattern": "{"}}
TOOL_READ = {"tool": "read", "arguments": {"path": "a.py"}}


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (fenced(GREP), ["grep"]),
        (f"First the names.\n{fenced(GREP, TOOL_READ)}", ["grep", "read"]),
        (f"{json.dumps(GREP)}\n{json.dumps(TOOL_READ)}", ["grep", "read"]),
        (json.dumps([GREP, TOOL_READ]), ["grep", "read"]),
        (json.dumps({"tool_calls": [GREP, TOOL_READ]}), ["grep", "read"]),
        (json.dumps({"function": {"name": "read", "arguments": "{}"}}), ["read"]),
        (f"A dict is {{}} in Python. {json.dumps(GREP)} and so on", ["grep"]),
        ('{"tool": "write", "arguments": {}}', []),
        ("The function { return 1 } is all.", []),
        ("{" * 10_000, []),
    ],
)
def test_calls_in_words(text: str, calls: list[str]):
    found = prompted_calls(ModelReply(text), NAMES)
    assert [call.name for call in found] == calls
    assert len({call.id for call in found}) == len(found)
    assert all(isinstance(json.loads(call.arguments), dict) for call in found)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('{"tool": "write", "arguments": {}}', "there is no tool 'write'"),
        ('{"arguments": {"a": 1}}', "does not name its tool"),
        ('{"tool": "grep", "arguments": {"a": }', "cannot be read"),
        ("I think that it is in a.py.", ""),
    ],
)
def test_what_is_wrong_with_a_written_call(text: str, wrong: str):
    said = why_no_call(text, NAMES)
    assert wrong in said
    assert bool(said) is bool(wrong)


@pytest.mark.parametrize(
    "words",
    [
        "this model does not support tools",
        "registry.ollama.ai/library/gemma:2b does not support tools.",
        "tools is not supported by this model",
        "No endpoints found that support tool use. To learn more, read on.",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        "tools param requires --jinja flag",
        "Unknown parameter: 'tools'.",
        "Unrecognized request argument supplied: tools",
        "tools: Extra inputs are not permitted",
        "Function calling is not enabled for models/gemma-3",
        "The model doesn't support tool calling",
    ],
)
def test_words_that_mean_that_there_are_no_tools(words: str):
    less = Support().without(words, ModelRequest((Message("user", ""),), (READ,)))
    assert less is not None
    assert not less.tools


@pytest.mark.parametrize(
    "words",
    [
        "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
        "tools.3.input_schema: JSON schema is invalid",
        "Invalid schema for function 'x': 'additionalProperties' is required to be supplied",
        "An assistant message with 'tool_calls' must be followed by tool messages",
        "Invalid 'tools[0].function.name': string does not match pattern",
        "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after",
        "does not support more than 128 tools",
        "This model does not support parallel tool calls",
        "Invalid schema for function 'grep': 'format' is not permitted",
        "max_tokens is too large",
    ],
)
def test_words_that_only_mention_tools(words: str):
    assert Support().without(words, ModelRequest((Message("user", ""),), (READ,))) is None
