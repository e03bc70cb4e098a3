"""Marks for providers that keep what they have read only where they are told to.

The marks stand where a later request may still be the same: behind the tools, behind the system's
words, and behind the last two turns, of which the first was the last one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_MARK = {"cache_control": {"type": "ephemeral"}}
# Four marks are the most that a request may have; tools and system take two.
_TURNS = 2


def with_cache_marks(options: dict[str, Any]) -> None:
    """Mark a request, in the form of OpenAI's API, in place; the library translates the marks.

    Only what has any words is marked: providers refuse a mark on nothing.
    """
    if tools := options.get("tools"):
        options["tools"] = [*tools[:-1], {**tools[-1], **_MARK}]
    messages = [dict(message) for message in options["messages"]]
    marked = [m for m in messages if m["role"] == "system" and m["content"]][-1:]
    for message in (*marked, *_ends_of_turns(messages)[-_TURNS:]):
        message["content"] = [{"type": "text", "text": message["content"], **_MARK}]
    options["messages"] = messages


def _ends_of_turns(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the last message of each turn of ours: the results of one turn's calls are one."""
    ours = ("user", "tool")
    ends = []
    for number, message in enumerate(messages):
        is_last = number + 1 == len(messages) or messages[number + 1]["role"] not in ours
        if message["role"] in ours and is_last and message["content"]:
            ends.append(message)
    return ends
