"""Definitions of a single line can be answers too."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.engine import Engine
from analysis.events import RunFinished
from analysis.models import AskRequest


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("o.py", "def outer_thing(): return 1\n"),
        ("o.js", "export const outerThing = () => 1;\n"),
        ("o.ts", "export function outerThing(): number { return 1; }\n"),
    ],
)
async def test_a_definition_of_one_line_is_found(tmp_path: Path, name: str, source: str):
    (tmp_path / name).write_text(source)
    with Engine.open(tmp_path) as engine:
        events = [event async for event in engine.ask(AskRequest("What is the outer thing?"))]
    last = events[-1]
    assert isinstance(last, RunFinished)
    assert "Nothing in the code matches" not in last.answer.markdown
    assert last.answer.references[0].path == name
