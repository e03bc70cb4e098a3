"""Estimates tokens without a tokenizer: quickly, offline, and rather too many than too few."""

from __future__ import annotations

import json
import math

from analysis.llm.messages import Message, ModelRequest

# What the form of a chat adds to each message, and to the request, with the usual tokenizers.
_PER_MESSAGE = 6
_PER_REQUEST = 8


def text_tokens(text: str) -> int:
    """Return at least as many tokens as the usual tokenizers make of code and prose.

    They make one token of three to four ASCII characters of code, and one to three of a character
    outside ASCII.
    """
    n_ascii = len(text.encode("ascii", "ignore"))
    return math.ceil(n_ascii / 3) + 2 * (len(text) - n_ascii)


def message_tokens(message: Message) -> int:
    """Return the estimate for one message with its tool calls."""
    calls = sum(text_tokens(call.name + call.arguments) + 10 for call in message.tool_calls)
    return _PER_MESSAGE + text_tokens(message.content) + calls


def request_tokens(request: ModelRequest) -> int:
    """Return the estimate for everything that a request sends."""
    n_tokens = _PER_REQUEST + sum(message_tokens(message) for message in request.messages)
    for tool in request.tools:
        words = tool.name + tool.description + json.dumps(dict(tool.parameters))
        n_tokens += 10 + text_tokens(words)
    if request.schema is not None:
        n_tokens += text_tokens(json.dumps(dict(request.schema.schema))) + 30
    return n_tokens
