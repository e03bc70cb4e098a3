"""Input that nobody would write: what reads it neither fails nor hangs, and keeps its promises.

`SCOPE_FUZZ_EXAMPLES=5000 python -m pytest tests/fuzz` tries more; the default takes a minute.
What was found once is kept as an ``@example``.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("SCOPE_FUZZ_EXAMPLES", "60"))
FUZZ = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)
_SIGNS = "()<>#|%&@=:;,\\`\"'$[]{}\t \n\x7f\0\r\x0b\x0c\x85\u2028\u202e\ufeff\ud800é😀中"
ODD = st.sampled_from([*_SIGNS, "\r\n", "\x1b[2J", "e\u0301", "/*", "*/", "//", "---", "..."])
TEXT = st.lists(ODD | st.text(max_size=6), max_size=60).map("".join)
"""Any text, rich in what text is rarely made of."""


def mutated(seeds: list[str]) -> st.SearchStrategy[str]:
    """Texts that begin as real ones: parts left out, said twice, put elsewhere, mixed with junk."""

    @st.composite
    def text(draw: st.DrawFn) -> str:
        current = draw(st.sampled_from(seeds))
        for _ in range(draw(st.integers(0, 6))):
            start = draw(st.integers(0, len(current)))
            end = draw(st.integers(start, min(len(current), start + 40)))
            piece = draw(ODD | st.text(max_size=4) | st.just(current[start:end] * 2))
            at = draw(st.integers(0, len(current)))
            current = current[:start] + current[end:] if draw(st.booleans()) else current
            current = current[:at] + piece + current[at:]
        return current

    return text()
