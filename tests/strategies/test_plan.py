"""Plan mode from the question to the document, with a model that says what it is told to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.strategies.plan_script import (
    FILES,
    FOUND,
    READ,
    Scripted,
    plan,
    play,
    write,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "shop", FILES)


async def test_a_step_is_planned_carried_out_and_written_down(root: Path):
    script = Scripted(planner=[plan("Find login")], executor_llm=[READ, FOUND])
    done = await play(root, script)
    assert done.path == [
        "planner", "setup_executor", "executor_llm", "tool_node", "executor_llm", "aggregate",
        "refinery", "synthesizer", "__end__",
    ]  # fmt: skip
    assert done.stop_reason == "done"
