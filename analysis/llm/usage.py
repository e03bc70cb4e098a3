"""What a call took: as the provider says where that can be true, else as it is counted here."""

from __future__ import annotations

from dataclasses import replace

from analysis.llm.messages import ModelReply, Usage
from analysis.tokens import text_tokens

# The estimates count three characters a token, and no tokenizer makes less than an eighth of that.
# Too much is believed sooner: it ends a question early, and what is billed may be out of our sight.
_LEAST_SHARE = 8
_MOST_SHARE = 100
_ADDED = 5_000
_CHARS_PER_TOKEN = 3


def usage_of(reply: ModelReply | None, sent: int, room: int) -> Usage | None:
    """Return what a call took; None if it never arrived.

    A server can say anything, also nothing or less than nothing: numbers that cannot be true are
    replaced by our own.

    Args:
        reply: What came; None if the call was cancelled before.
        sent: The estimate of what was sent.
        room: What the model was allowed to write.
    """
    if reply is None:
        return Usage(sent, 0, estimated=True)
    if not reply.was_read:
        return None
    written = max(_written(reply), reply.n_received)
    said = reply.usage
    if said is None:
        return Usage(sent, written, estimated=True)
    believed = said
    if not sent // _LEAST_SHARE <= said.tokens_in <= sent * _MOST_SHARE + _ADDED:
        believed = Usage(sent, believed.tokens_out, estimated=True)
    most = max(written, room) * _MOST_SHARE + _ADDED
    if not written // _LEAST_SHARE <= said.tokens_out <= most:
        believed = replace(believed, tokens_out=written, estimated=True)
    return _with_possible_cache(believed)


def _written(reply: ModelReply) -> int:
    """Return our own count of what arrived of an answer."""
    calls = "".join(call.name + call.arguments for call in reply.tool_calls)
    return text_tokens(reply.text + calls) + reply.n_thinking // _CHARS_PER_TOKEN


def _with_possible_cache(usage: Usage) -> Usage:
    """Return the usage with no more out of a cache, or into it, than was read."""
    cached = min(max(usage.tokens_cached, 0), usage.tokens_in)
    stored = min(max(usage.tokens_stored, 0), usage.tokens_in - cached)
    return replace(usage, tokens_cached=cached, tokens_stored=stored)
