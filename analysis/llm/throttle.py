"""Keeps all calls of a process below a limit of tokens a minute."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

_WINDOW_S = 60.0
# A hair more than the window, so that rounding never puts two edges into one.
_SLACK_S = 0.001
# While others are under way nobody knows when they end.
_LOOK_AGAIN_S = 0.25


@dataclass(slots=True, eq=False)
class Ticket:
    """A call that was let through."""

    tokens: int
    ended_at: float | None = None
    """None while it is under way: until then it counts in full."""


class TPMThrottle:
    """A sliding window over the tokens of the last minute; safe to use from several threads.

    A call counts from the moment it is let through until a minute after its end, with its estimate
    at first and with what it really took later. A single call above the limit goes alone.
    """

    def __init__(
        self, tokens_per_minute: int | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.tokens_per_minute = tokens_per_minute
        """What is set; None if only what a provider says of itself holds."""
        self._clock = clock
        self._tickets: list[Ticket] = []
        self._lock = threading.Lock()

    def try_enter(self, tokens: int, limit: int | None = None) -> Ticket | float:
        """Let a call through, or return for how many seconds to wait before asking again.

        Args:
            tokens: The most that the call may take.
            limit: What holds where nothing is set; None for no limit.
        """
        most = self.tokens_per_minute or limit
        with self._lock:
            now = self._clock()
            self._forget(now)
            used = sum(ticket.tokens for ticket in self._tickets)
            if most is None or not self._tickets or used + tokens <= most:
                ticket = Ticket(tokens)
                self._tickets.append(ticket)
                return ticket
            return self._wait_for(tokens, used, now, most)

    def leave(self, ticket: Ticket, tokens: int) -> None:
        """Note that a call has ended, and what it took."""
        with self._lock:
            ticket.tokens = tokens
            ticket.ended_at = self._clock()

    def _forget(self, now: float) -> None:
        """Drop what lies out of the window."""
        self._tickets = [
            ticket
            for ticket in self._tickets
            if ticket.ended_at is None or now - ticket.ended_at < _WINDOW_S + _SLACK_S
        ]

    def _wait_for(self, tokens: int, used: int, now: float, most: int) -> float:
        """Return when enough will have left the window, as far as that can be known."""
        for ended_at, spent in sorted(
            (t.ended_at, t.tokens) for t in self._tickets if t.ended_at is not None
        ):
            used -= spent
            if used + tokens <= most or used <= 0:
                return max(ended_at + _WINDOW_S + _SLACK_S - now, _SLACK_S)
        return _LOOK_AGAIN_S


@functools.cache
def shared_throttle(host: str, model: str, tokens_per_minute: int | None) -> TPMThrottle:
    """Return the one throttle of this process for a model."""
    del host, model  # They tell throttles apart.
    return TPMThrottle(tokens_per_minute)
