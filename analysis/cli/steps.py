"""The steps of a run as lines for a person: what was called, how much came back, what it costs."""

from __future__ import annotations

import json
from collections.abc import Iterator

from analysis.events import (
    Decided,
    Event,
    ToolCalled,
    ToolReturned,
    UsageReported,
)

_MAX_VALUE = 60
_MAX_ARGUMENTS = 160
_MAX_REASON = 300


class Steps:
    """Turns events into lines; it remembers calls until their results come."""

    def __init__(self) -> None:
        self._calls: dict[str, ToolCalled] = {}
        self._usage = ""

    def lines(self, event: Event) -> Iterator[str]:
        """Yield what is to be said of an event; most say nothing."""
        if isinstance(event, ToolCalled):
            self._calls[event.call_id] = event
        elif isinstance(event, ToolReturned):
            yield self._returned(event)
        elif isinstance(event, Decided):
            reason = " ".join(event.reason.split())[:_MAX_REASON]
            yield f"→ {event.decision}{self._usage}" + (f": {reason}" if reason else "")
        elif isinstance(event, UsageReported):
            self._usage = f" ({usage_text(event)})"

    def _returned(self, event: ToolReturned) -> str:
        """Return a call with what it came to."""
        called = self._calls.pop(event.call_id, None)
        arguments = _arguments(called) if called else ""
        mark = "✓" if event.ok else "✗"
        text = f"  {mark} {event.tool}({arguments})  {_size(event.size)}, {event.elapsed_s:.2f} s"
        return text if event.ok else f"{text}: {event.summary}"


def usage_text(event: UsageReported) -> str:
    """Return the running total in tokens and money."""
    return cost_text(event.tokens_in + event.tokens_out, event.cost_usd)


def cost_text(tokens: int, cost_usd: float | None) -> str:
    """Return tokens and money as a person reads them."""
    cost = "cost unknown" if cost_usd is None else f"${cost_usd:.4f}"
    return f"{tokens:,} tokens, {cost}"


def _arguments(called: ToolCalled) -> str:
    """Return arguments as one would write them, the long ones cut."""
    parts = []
    for name, value in called.arguments.items():
        text = json.dumps(value, ensure_ascii=False)
        text = text if len(text) <= _MAX_VALUE else f"{text[:_MAX_VALUE]}…"
        parts.append(f"{name}={text}" if name else text)
    joined = ", ".join(parts)
    return joined if len(joined) <= _MAX_ARGUMENTS else f"{joined[:_MAX_ARGUMENTS]}…"


def _size(n_chars: int) -> str:
    return f"{n_chars} B" if n_chars < 1_000 else f"{n_chars / 1_000:.1f} KB"
