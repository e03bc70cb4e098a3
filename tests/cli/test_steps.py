"""The steps of a run as lines."""

from __future__ import annotations

from typing import Any

import pytest

from analysis.cli.replay import replayed_lines
from analysis.cli.steps import Steps
from analysis.events import (
    CandidatesFound,
    Decided,
    Event,
    Notice,
    PhaseStarted,
    TextDelta,
    ToolCalled,
    ToolReturned,
    UsageReported,
)
from analysis.models import Candidate


def check(events: list[Event], lines: list[str]) -> None:
    steps = Steps()
    assert [line for event in events for line in replayed_lines(event, steps)] == lines


def called(size: int, *, ok: bool = True, summary: str = "", **arguments: Any) -> list[Event]:
    return [
        ToolCalled("c1", "read_symbol", arguments),
        ToolReturned("c1", "read_symbol", size, 0.123, ok, summary),
    ]


@pytest.mark.parametrize(
    ("events", "lines"),
    [
        (called(999, name="login"), ['  ✓ read_symbol(name="login")  999 B, 0.12 s']),
        (called(1_250, name="a", line=3), ['  ✓ read_symbol(name="a", line=3)  1.2 KB, 0.12 s']),
        (
            called(20, ok=False, summary="There is none.", name="x"),
            ['  ✗ read_symbol(name="x")  20 B, 0.12 s: There is none.'],
        ),
        (
            [ToolCalled("c", "grep", {"": "{bad"}), ToolReturned("c", "grep", 5, 0.0, True)],
            ['  ✓ grep("{bad")  5 B, 0.00 s'],
        ),
        (
            called(5, name="é" * 100),
            [f'  ✓ read_symbol(name="{"é" * 59}…)  5 B, 0.12 s'],
        ),
        ([ToolReturned("c9", "grep", 5, 0.0, True)], ["  ✓ grep()  5 B, 0.00 s"]),
        ([Decided("write the answer", "")], ["→ write the answer"]),
        (
            [UsageReported(2, 1_000, 234, 0.5), Decided("call grep", "a\nb")],
            ["→ call grep (1,234 tokens, $0.5000): a b"],
        ),
        (
            [UsageReported(1, 1, 1, None), Decided("call grep", "")],
            ["→ call grep (2 tokens, cost unknown)"],
        ),
        ([PhaseStarted("exploration", "turn 2")], ["exploration turn 2"]),
        ([Notice("Waiting.")], ["! Waiting."]),
        ([TextDelta("text")], []),
        (
            [CandidatesFound((Candidate("a.py", 1, 2, "f", "function", "", 1.0, ()),) * 7)],
            ["    a.py:1 f"] * 5 + ["    and 2 more"],
        ),
    ],
)
def test_lines(events: list[Event], lines: list[str]) -> None:
    check(events, lines)
