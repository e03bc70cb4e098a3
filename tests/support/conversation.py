"""The rules that a conversation keeps to, whatever the provider."""

from __future__ import annotations

import itertools
import json
import re

from analysis.llm.messages import Message

ID = re.compile(r"[a-zA-Z0-9_-]+")


def validate(messages: tuple[Message, ...]) -> None:
    """Hold a conversation against the rules of OpenAI's and of Anthropic's API."""
    assert messages[0].role == "system"
    assert messages[1].role == "user"
    assert all(message.role != "system" for message in messages[1:])
    open_calls: list[str] = []
    seen: set[str] = set()
    for before, message in itertools.pairwise(messages):
        if message.role == "tool":
            # Each result answers an open call, right after the turn that made it.
            assert message.tool_call_id in open_calls
            open_calls.remove(message.tool_call_id)
            assert before.role in {"assistant", "tool"}
        else:
            assert not open_calls, "a call without its result"
            assert message.role != before.role, "two turns of the same side"
        assert message.content.strip() == message.content
        assert message.content or message.tool_calls
        for call in message.tool_calls:
            assert message.role == "assistant"
            assert call.id not in seen
            assert isinstance(json.loads(call.arguments), dict)
            assert ID.fullmatch(call.name)
            seen.add(call.id)
            open_calls.append(call.id)
    assert not open_calls
    assert messages[-1].role in {"user", "tool"}
