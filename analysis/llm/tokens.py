"""Estimates what the messages of a request take, in tokens."""

from __future__ import annotations

import json

from analysis.llm.messages import Message, ModelRequest
from analysis.tokens import text_tokens

# What the form of a chat adds to each message, and to the request, with the usual tokenizers.
_PER_MESSAGE = 6
_PER_REQUEST = 8
_CHARS_PER_TOKEN = 3


def message_tokens(message: Message) -> int:
    """Return the estimate for one message with its tool calls and what was thought before."""
    calls = sum(text_tokens(call.name + call.arguments) + 10 for call in message.tool_calls)
    thinking = message.thinking.n_chars // _CHARS_PER_TOKEN if message.thinking else 0
    return _PER_MESSAGE + text_tokens(message.content) + calls + thinking


def request_tokens(request: ModelRequest) -> int:
    """Return the estimate for everything that a request sends."""
    n_tokens = _PER_REQUEST + sum(message_tokens(message) for message in request.messages)
    for tool in request.tools:
        words = tool.name + tool.description + json.dumps(dict(tool.parameters))
        n_tokens += 10 + text_tokens(words)
    if request.schema is not None:
        n_tokens += text_tokens(json.dumps(dict(request.schema.schema))) + 30
    return n_tokens
