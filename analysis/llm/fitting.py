"""Shortens a conversation to a limit: what is easiest to read again goes first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from analysis.errors import ContextTooLong
from analysis.llm.messages import Message, ModelRequest
from analysis.llm.tokens import message_tokens, request_tokens

# The last turns are what the model is working on.
_RECENT = 4
_LEFT_OUT = "[left out to save space; ask again if you need it]"
_CUT = "\n[cut here to save space]"


def fitted(request: ModelRequest, max_tokens: int) -> ModelRequest:
    """Return a request of at most so many tokens.

    Old results of tools are replaced by their summaries, those of low priority first, then of
    medium, then of high; then the longest messages are cut. The system's message stays whole.

    Raises:
        ContextTooLong: Even so it does not fit.
    """
    excess = request_tokens(request) - max_tokens
    if excess <= 0:
        return request
    messages = list(request.messages)
    for idx in _by_dispensability(messages):
        shorter = replace(messages[idx], content=messages[idx].summary or _LEFT_OUT)
        saved = message_tokens(messages[idx]) - message_tokens(shorter)
        if saved > 0:
            messages[idx] = shorter
            excess -= saved
        if excess <= 0:
            return replace(request, messages=tuple(messages))
    return replace(request, messages=tuple(_cut(messages, excess, max_tokens)))


def _by_dispensability(messages: list[Message]) -> Iterator[int]:
    """Yield results of tools: by priority, oldest first, without the last turns."""
    last = len(messages) - _RECENT
    for priority in ("low", "medium", "high"):
        for idx, message in enumerate(messages[: max(last, 0)]):
            if message.role == "tool" and message.priority == priority:
                yield idx


def _cut(messages: list[Message], excess: int, max_tokens: int) -> list[Message]:
    """Return the messages with the longest ones cut at their ends."""
    order = sorted(
        (idx for idx, message in enumerate(messages) if message.role != "system"),
        key=lambda idx: -message_tokens(messages[idx]),
    )
    for idx in order:
        message = messages[idx]
        # An ASCII character is a third of a token, any other more: this cuts enough of both.
        keep = max(len(message.content) - 3 * excess - len(_CUT) - 3, 0)
        shorter = replace(message, content=message.content[:keep].rstrip() + _CUT)
        saved = message_tokens(message) - message_tokens(shorter)
        if saved > 0:
            messages[idx] = shorter
            excess -= saved
        if excess <= 0:
            return messages
    raise ContextTooLong(
        f"The request does not fit into {max_tokens:,} tokens, even shortened.",
        "Raise 'model.request_tokens', or choose a model that takes more.",
    )
