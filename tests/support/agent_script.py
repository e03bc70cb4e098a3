"""Turns of a scripted agent over the small shop, and runs of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analysis.events import Event
from analysis.llm.messages import ModelReply, ModelRequest, ToolCall, Usage
from analysis.models import Answer
from tests.fakes.scripted_model import Answer as Reply
from tests.fakes.scripted_model import ScriptedModel
from tests.support.auth_shop import asked
from tests.support.conversation import validate

SEARCH = ("search_for_files", {"query": "login password"})
OUTLINE = ("get_file_outline", {"path": "auth/login.py"})
LOGIN = ("read_symbol", {"path": "auth/login.py", "name": "login"})
TOKEN = ("read_symbol", {"path": "auth/tokens.py", "name": "make_token"})
GENERATE = (
    "generate_scoped_context",
    {
        "question": "How does login check the password?",
        "relevant_file_paths": ["auth/login.py", "auth/tokens.py"],
        "insights": "login() asks the user and calls make_token().",
        "code_references": [
            {"path": "auth/login.py", "line_start": 6, "line_end": 10, "symbol": "login"}
        ],
    },
)
BAD = ("read_symbol", {"file": "auth/login.py"})


def turn(*wanted: tuple[str, dict[str, Any]], text: str = "") -> ModelReply:
    calls = tuple(
        ToolCall(f"c{number}", name, json.dumps(arguments))
        for number, (name, arguments) in enumerate(wanted)
    )
    return ModelReply(text, calls, Usage(1_000, 50), "tool_calls" if calls else "stop")


async def ran(
    root: Path, *replies: Reply, settings: dict[str, Any] | None = None, **more: Any
) -> tuple[Answer, list[Event], ScriptedModel]:
    model = ScriptedModel(*replies, facts=more.pop("facts", None))
    answer, events = await asked(root, model, settings=settings, mode="agent", **more)
    for request in model.requests:
        validate_if_search(request)
    return answer, events, model


def validate_if_search(request: ModelRequest) -> None:
    if request.tools:
        validate(request.messages)


def results(request: ModelRequest) -> list[str]:
    return [message.content for message in request.messages if message.role == "tool"]
