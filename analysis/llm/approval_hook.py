"""The last gate before a request leaves: somebody may have to agree to it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request that is about to leave."""

    purpose: str
    """What the call is for, as in the audit log."""
    files: tuple[str, ...]
    """Whose text is in it."""
    tokens: int
    """How much it sends, an estimate."""
    host: str
    model: str


Gate = Callable[[Outgoing], Awaitable[str | None]]
"""Returns why a request may not leave, None if it may; raises ``Cancelled`` if the run is over."""
