"""What a search for secrets finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands in a text, and what it is."""

    start: int
    end: int
    kind: str
