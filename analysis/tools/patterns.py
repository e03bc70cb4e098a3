"""Regular expressions that a model wrote, over text that nobody vouches for.

Matching is stopped by time and counted repeats are bounded: a pattern like ``(a+)+$`` takes for
ever on some texts, one like ``(a{1000}){1000}`` takes all memory before it has seen any.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from analysis.errors import ToolRetry

if TYPE_CHECKING:
    from analysis.stopping import StopFlag

# Seconds of computing for one text; usual patterns take less than a thousandth of that.
_SECONDS = 0.4
# A counted repeat is written out when it is compiled, some hundred bytes each.
_MOST_REPEATS = 10_000
_COUNT = re.compile(r"(?<!\\)\{(\d{1,12})")


_WORD = re.compile(r"[^\W\d]\w{2,}")
_ESCAPE = re.compile(r"\\.")
_MOST_WORDS = 3


class TooSlow(Exception):
    """Matching one text took too long."""


class LinePattern:
    """A regular expression that finds lines.

    Args:
        pattern: As for Python's ``re``; ``^`` and ``$`` are the ends of a line.
        ignore_case: Whether case does not matter.

    Attributes:
        words: Some of the identifiers in it; a line that matches likely holds them.

    Raises:
        ToolRetry: It cannot be compiled; the message says where and why.
    """

    def __init__(self, pattern: str, *, ignore_case: bool = False) -> None:
        import regex

        self.words = tuple(dict.fromkeys(_WORD.findall(_ESCAPE.sub(" ", pattern))))[:_MOST_WORDS]
        n_repeats = math.prod(max(int(count), 1) for count in _COUNT.findall(pattern))
        if n_repeats > _MOST_REPEATS:
            raise ToolRetry("The counted repeats of the pattern are too large. Use * or + instead.")
        flags = regex.MULTILINE | (regex.IGNORECASE if ignore_case else 0)
        try:
            self._compiled: Any = regex.compile(pattern, flags)
        except (regex.error, RecursionError, OverflowError, MemoryError, ValueError) as error:
            raise ToolRetry(
                f"The pattern is no regular expression: {str(error)[:200]}. Put a backslash before "
                "( ) [ ] { } . * + ? | ^ $ to find the sign itself."
            ) from error

    def lines_in(self, text: str, stop: StopFlag) -> Iterator[int]:
        """Yield the number of each line in which a match starts, once each, in order.

        Raises:
            TooSlow: It took too long; what was yielded before stands.
            Cancelled: ``stop`` was set.
        """
        number, position, last = 1, 0, 0
        try:
            matches = self._compiled.finditer(text, timeout=_SECONDS, concurrent=True)
            for match in matches:
                start = match.start()
                number += text.count("\n", position, start)
                position = start
                if number != last and start < len(text):
                    stop.check()
                    last = number
                    yield number
        except TimeoutError as error:
            raise TooSlow from error
