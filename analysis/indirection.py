"""Ways to a definition that do not call it by its name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

IndirectionKind = Literal[
    "route", "registration", "decorator", "event", "callback", "table", "list", "attribute",
    "injection", "string", "entry point", "dispatch",
]  # fmt: skip
"""How a definition is reached. A ``dispatch`` is where it may be called: an event is sent, a table
that it is in is read; ``decorator`` is one of which it is not known what it does."""

# What says little by itself.
_PLAIN = frozenset({"decorator", "callback", "attribute", "dispatch"})


@dataclass(frozen=True, slots=True)
class Indirection:
    """A place that registers a definition, hands it over, or names it by a string."""

    kind: IndirectionKind
    path: str
    line: int
    text: str
    """What is done with it there, code between backticks: "registered as `GET /x` by `@get`"."""
    source: str | None = None
    """Qualified name of the definition around the place."""
    sure: bool = True
    """False if something of that name is, and nothing else is known of it."""
    is_test: bool = False
    """Whether the place is in a test."""

    @property
    def told(self) -> str:
        """The whole of it as words: what is done, and where."""
        may = "" if self.sure else "may be "
        return f"{may}{self.text} at {self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class SettingRead:
    """A line that reads a setting by its name."""

    path: str
    line: int
    name: str
    """The key."""
    text: str
    """How it is read, as in ``settings.DEBUG``."""
    given: tuple[str, int] | None = None
    """Path and line of the one place that gives it a value; None if there are several or none."""


def telling(ways: Iterable[Indirection]) -> list[Indirection]:
    """Return those that say what a definition is for and are proven, what tells most first."""
    sure = [way for way in ways if way.sure and way.kind != "dispatch"]
    chosen = [way for way in sure if way.kind not in _PLAIN]
    return chosen + [way for way in sure if way.kind in ("callback", "attribute")]
