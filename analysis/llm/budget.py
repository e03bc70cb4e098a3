"""The total that a question may cost: asked before each call, told after it."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Literal

from analysis.llm.chat_model import ModelFacts
from analysis.llm.messages import Usage

_RESERVED_SHARE = 0.1
# Fewer words are no answer.
_MIN_OUTPUT = 256


class BudgetExceededError(Exception):
    """A call that the budget does not allow; modes end with what they have."""

    def __init__(self, cap: Literal["tokens", "usd"], message: str) -> None:
        super().__init__(message)
        self.cap = cap

    @property
    def stop_reason(self) -> Literal["budget_tokens", "budget_usd"]:
        """The word for how the run ended."""
        return "budget_tokens" if self.cap == "tokens" else "budget_usd"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one question may take."""

    tokens: int
    """Read and written together."""
    usd: float | None = None
    """None if money is no object."""
    final_tokens: int = 34_000
    """What one call for the final document takes; kept back from everything before it."""

    @property
    def reserve(self) -> int:
        """Tokens that only the final document may use: a tenth, and enough for it."""
        enough = min(self.final_tokens, self.tokens // 2)
        return max(int(self.tokens * _RESERVED_SHARE), enough)


@dataclass(slots=True)
class Totals:
    """What a question has taken so far."""

    llm_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    """Of those read: what came out of the provider's cache."""
    tokens_stored: int = 0
    """Of those read: what was put into it."""

    @property
    def tokens(self) -> int:
        """Read and written together."""
        return self.tokens_in + self.tokens_out

    def add(self, usage: Usage) -> None:
        """Count a call."""
        self.llm_calls += 1
        self.tokens_in += usage.tokens_in
        self.tokens_out += usage.tokens_out
        self.tokens_cached += usage.tokens_cached
        self.tokens_stored += usage.tokens_stored


@dataclass(slots=True)
class Reservation:
    """A call that was allowed, until its real usage is known."""

    tokens_in: int
    max_output: int
    left: int
    """Tokens that the answer may have before a cap is passed."""

    @property
    def tokens(self) -> int:
        """The most that the call can take."""
        return self.tokens_in + self.max_output


class BudgetTracker:
    """Holds the caps of one question over all of its calls, also where several run at once.

    A price that is not known cannot be held against the cap on money: the cap on tokens is then
    all there is (``money_cap_holds`` tells).
    """

    def __init__(self, limits: Limits, facts: ModelFacts) -> None:
        self.limits = limits
        self.totals = Totals()
        self._facts = facts
        self._open: list[Reservation] = []
        self._lock = threading.Lock()

    @property
    def cost_usd(self) -> float | None:
        """What the question has cost so far; None if the price is not known."""
        if not self.totals.llm_calls:
            return 0.0
        total = self.totals
        return self._facts.cost_of(
            Usage(
                total.tokens_in,
                total.tokens_out,
                tokens_cached=total.tokens_cached,
                tokens_stored=total.tokens_stored,
            )
        )

    @property
    def money_cap_holds(self) -> bool:
        """Whether there is no cap on money, or it can be held."""
        return self.limits.usd is None or self._facts.cost(1, 1) is not None

    def left(self, *, final: bool = False) -> int:
        """Return the tokens that a further call may take."""
        held = sum(reservation.tokens for reservation in self._open)
        reserve = 0 if final else self.limits.reserve
        return self.limits.tokens - self.totals.tokens - held - reserve

    def reserve(self, tokens_in: int, wanted_output: int, *, final: bool = False) -> Reservation:
        """Allow a call, with as much output as is left.

        Args:
            tokens_in: The estimate of what is sent.
            wanted_output: What the call would like to write at most.
            final: Whether it is the call for the final document, which may use the reserve.

        Raises:
            BudgetExceededError: Not even a short answer is left.
        """
        with self._lock:
            needed = min(_MIN_OUTPUT, wanted_output)
            by_tokens = self.left(final=final) - tokens_in
            if by_tokens < needed:
                raise BudgetExceededError(
                    "tokens", f"The budget of {self.limits.tokens:,} tokens is used up."
                )
            by_money = self._output_for_money(tokens_in, final=final)
            if by_money is not None and by_money < needed:
                raise BudgetExceededError(
                    "usd", f"The budget of ${self.limits.usd:.2f} is used up."
                )
            most = by_tokens if by_money is None else min(by_tokens, by_money)
            reservation = Reservation(tokens_in, min(wanted_output, most), most)
            self._open.append(reservation)
            return reservation

    def settle(self, reservation: Reservation, usage: Usage | None) -> None:
        """Replace a reservation by what the call really took; None if it took nothing."""
        with self._lock:
            if reservation in self._open:
                self._open.remove(reservation)
            if usage is not None:
                self.totals.add(usage)

    def _output_for_money(self, tokens_in: int, *, final: bool) -> int | None:
        """Return how many tokens the money left can buy; None if there is no cap or no price."""
        price_out = self._facts.usd_per_token_out
        if self.limits.usd is None or price_out is None or self._facts.cost(1, 1) is None:
            return None
        held = sum(self._facts.cost(r.tokens_in, r.max_output) or 0.0 for r in self._open)
        share = 1.0 if final else 1.0 - _RESERVED_SHARE
        left = self.limits.usd * share - (self.cost_usd or 0.0) - held
        left -= self._facts.cost(tokens_in, 0) or 0.0
        if price_out == 0:
            return None
        return int(left / price_out)
