"""The one interface to whatever answers: a provider, a local server, the editor's own model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from analysis.llm.messages import ModelReply, ModelRequest, OnPiece, Usage
from analysis.stopping import StopFlag


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is known of a model before it is asked."""

    name: str
    """As the user names it, with the provider: ``anthropic/claude-sonnet-4-5``."""
    host: str
    """Where requests go; words if the address is not known beforehand."""
    context_tokens: int | None = None
    """How much the model can read and write at once; None if unknown."""
    usd_per_token_in: float | None = None
    usd_per_token_out: float | None = None
    """None if the price is not known."""
    usd_per_token_cached: float | None = None
    """Of what is read out of the provider's cache; that of other tokens if not known."""
    usd_per_token_stored: float | None = None
    """Of what is put into that cache; that of other tokens if not known."""
    thinking_tokens: int = 0
    """Room that the model needs beside its answer, because it thinks first."""
    max_output_tokens: int | None = None
    """The most that it can write at once; None if unknown."""
    tokens_per_minute: int | None = None
    """What its provider allows, once it has said so."""

    def cost(self, tokens_in: int, tokens_out: int) -> float | None:
        """Return what so many tokens cost in dollars; None if the price is not known."""
        return self.cost_of(Usage(tokens_in, tokens_out))

    def cost_of(self, usage: Usage) -> float | None:
        """Return what a call cost in dollars; None if the price is not known."""
        price = self.usd_per_token_in
        if price is None or self.usd_per_token_out is None:
            return None
        cached = price if self.usd_per_token_cached is None else self.usd_per_token_cached
        stored = price if self.usd_per_token_stored is None else self.usd_per_token_stored
        plain = usage.tokens_in - usage.tokens_cached - usage.tokens_stored
        read = plain * price + usage.tokens_cached * cached + usage.tokens_stored * stored
        return read + usage.tokens_out * self.usd_per_token_out


class ChatModel(Protocol):
    """A model that can be asked; use it through ``ModelCalls``, which holds limits and secrets."""

    @property
    def facts(self) -> ModelFacts:
        """What is known of the model beforehand."""
        ...

    async def complete(
        self, request: ModelRequest, stop: StopFlag, on_piece: OnPiece
    ) -> ModelReply:
        """Return the answer, after handing on each piece of it as it came.

        Nothing is raised for what models and networks do: the reply's ``failure`` says what went
        wrong, and its text is what had arrived by then. A set ``stop`` ends the call, and its
        connection, within a second; so does cancelling the task.
        """
        ...

    def warm_up(self) -> None:
        """Load what the first call needs; blocking, for a thread. Doing nothing is fine."""
        ...
