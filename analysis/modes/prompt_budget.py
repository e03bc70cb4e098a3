"""How large a prompt may get: by the request, the window of the model, and the budget left."""

from __future__ import annotations

from analysis.llm.calls import ModelCalls
from analysis.tokens import text_tokens

# A prompt that is smaller holds no code worth asking about.
_LEAST = 1_000
_CHARS_PER_TOKEN = 3


def request_limit(calls: ModelCalls, max_output: int, *, final: bool = False) -> int:
    """Return how many tokens a request may send: what is set, and what the model can take."""
    return calls.request_limit(max_output, final=final)


def prompt_tokens(calls: ModelCalls, max_output: int, *, final: bool = False) -> int:
    """Return how many tokens the next prompt may take."""
    most = request_limit(calls, max_output, final=final)
    written = min(calls.output_room(max_output), calls.budget.limits.tokens // 8)
    left = calls.budget.left(final=final) - written
    return max(min(most, left), _LEAST)


class Room:
    """How much more a prompt can take, in tokens and in characters."""

    def __init__(self, tokens: int, chars: int) -> None:
        self._tokens = tokens
        self._chars = chars

    @property
    def n_chars(self) -> int:
        """How many characters are left, of code as it is written mostly."""
        return min(self._chars, self._tokens * _CHARS_PER_TOKEN)

    def take(self, text: str) -> bool:
        """Return whether a text still fits; if so, it takes its room."""
        tokens = text_tokens(text)
        if tokens > self._tokens or len(text) > self._chars:
            return False
        self._tokens -= tokens
        self._chars -= len(text)
        return True
