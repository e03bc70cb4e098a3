"""What makes a value behind a name a secret, by what the name says and how sure the place is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analysis.llm.secrets.names import Naming
from analysis.llm.secrets.values import is_given, is_made_up, is_random

# The words of a wallet's recovery phrase.
_PHRASE = re.compile(r"(?:[a-z]{3,8} ){11,23}[a-z]{3,8}")
# How long a value must be, to be random, behind a name that says "secret" or "token" and no more.
_SHORTEST_SECRET = 8
_SHORTEST_TOKEN = 12


@dataclass(frozen=True, slots=True)
class Key:
    """The name of a credential where it stands in a text."""

    text: str
    start: int
    end: int
    what: Naming
    is_plain: bool
    """Whether the name says no more than what it is: `password`, not `password_hint`."""

    @property
    def name(self) -> str:
        """The name itself."""
        return self.text[self.start : self.end]

    @property
    def before(self) -> str:
        """The character in front; a line's end at the very start."""
        return self.text[self.start - 1] if self.start else "\n"

    def line_start(self, reach: int = 300) -> int:
        """Return where the name's line begins, or a part of a very long one."""
        lowest = max(0, self.start - reach)
        return max(self.text.rfind("\n", lowest, self.start) + 1, lowest)

    def line_end(self, reach: int = 300) -> int:
        """Return where the name's line ends, or a part of a very long one."""
        end = self.text.find("\n", self.end, self.end + reach)
        return end if end >= 0 else min(len(self.text), self.end + reach)

    def is_secret(self, value: str, *, certain: bool = False) -> bool:
        """Return whether this value is a secret.

        Args:
            value: What stands behind the name.
            certain: Nothing but a credential can stand there, so it may be a word.
        """
        if not self.is_plain:
            return is_random(value)
        if certain and self.what == "password":
            return is_given(value)
        if self.what == "password":
            return is_made_up(value)
        if self.what == "secret":
            return is_random(value, _SHORTEST_SECRET) or bool(_PHRASE.fullmatch(value))
        return is_random(value, _SHORTEST_TOKEN)

    def taken(
        self, found: re.Match[str] | None, *, certain: bool = False, group: str = "value"
    ) -> tuple[int, int] | None:
        """Return where a value stands that was found, if it is a secret."""
        if found is None or not self.is_secret(found[group], certain=certain):
            return None
        return found.span(group)
