"""What turns out about a model while it is used, kept for the next question to it."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from analysis.llm.messages import ModelReply, ModelRequest
from analysis.llm.request_format import Support

THINKING_TOKENS = 8_000
"""Room for the thinking of a model of which nothing better is known."""
_MOST_THINKING = 64_000


@dataclass(slots=True)
class Learned:
    """What is known of one model on one server; it only ever grows more cautious."""

    support: Support | None = None
    """What it can do, where that is less than its table says."""
    thinking_tokens: int = 0
    """Room that it turned out to need beside its answers."""
    max_output_tokens: int | None = None
    """The most that its server lets it write at once."""
    tokens_per_minute: int | None = None
    """What its provider allows."""

    def note_reply(self, request: ModelRequest, reply: ModelReply, thinking: int) -> None:
        """Learn from how an answer ended: one that was used up by thinking needs more room.

        Args:
            request: What was asked.
            reply: What came of it.
            thinking: The room for thinking that the model is known to need so far.
        """
        has_answer = bool(reply.text.strip() or reply.tool_calls)
        thought = reply.n_thinking > 0 or not has_answer
        if reply.finish_reason != "length" or reply.is_endless or not thought:
            return
        needed = THINKING_TOKENS if not request.thinking_tokens else 2 * request.thinking_tokens
        self.thinking_tokens = max(self.thinking_tokens, thinking, min(needed, _MOST_THINKING))


@functools.cache
def learned_of(name: str, host: str) -> Learned:
    """Return what this process has learned of a model."""
    del name, host  # They tell models apart.
    return Learned()
