"""Agent mode on code and patterns that make trouble: the loop goes on, or ends when told to."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.events import Event, ToolCalled
from analysis.stopping import StopFlag
from tests.support.agent_script import GENERATE, LOGIN, ran, results, turn
from tests.support.auth_shop import DOCUMENT, FILES, write

BROKEN = "x = (((\nclass def ] (\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    write(folder, FILES)
    return folder


async def test_a_file_that_is_hard_to_parse_is_no_obstacle(root: Path):
    write(root, {"deep.py": "login = " + "(\n" * 5_000, "bad.py": BROKEN * 300})
    outlines = [("get_file_outline", {"path": path}) for path in ("deep.py", "bad.py")]
    answer, _, model = await ran(root, turn(*outlines, LOGIN), turn(GENERATE), DOCUMENT)
    assert answer.stats.stop_reason == "done"
    deep, bad, login = results(model.requests[1])
    assert "deep.py" in deep
    assert "bad.py" in bad
    assert "raise PermissionError(user)" in login


async def test_a_cancel_while_a_file_is_parsed(root: Path):
    write(root, {"bad.py": BROKEN * 4_000})
    stop = StopFlag()

    def on_event(event: Event) -> None:
        if isinstance(event, ToolCalled) and event.arguments.get("path") == "bad.py":
            write(root, {"bad.py": BROKEN * 4_001})
            stop.set()

    bad = ("get_file_outline", {"path": "bad.py"})
    answer, _, model = await ran(
        root, turn(LOGIN), turn(bad), turn(GENERATE), DOCUMENT, stop=stop, on_event=on_event
    )
    assert answer.stats.stop_reason == "cancelled"
    assert len(model.requests) == 2
    assert "[auth/login.py:6-10](../auth/login.py#L6-L10)" in answer.markdown


async def test_a_hostile_pattern_is_answered(root: Path):
    write(root, {"long.txt": ("a" * 3_000 + "!\n") * 5})
    grep = ("grep_in_files", {"pattern": "(a+)+$"})
    answer, _, model = await ran(root, turn(grep, LOGIN), turn(GENERATE), DOCUMENT)
    assert answer.stats.stop_reason == "done"
    assert all(results(model.requests[1]))


async def test_a_hub_is_honest_about_its_uses_and_does_not_block_what_follows(root: Path):
    uses = "".join(f"hub_{n} = Hub()\n" for n in range(5))
    write(root, {"hub.py": "class Hub:\n    pass\n"})
    write(root, {f"pkg/m{n}.py": f"from hub import Hub\n\n{uses}" for n in range(600)})
    hub = ("find_references", {"name": "Hub"})
    outline = ("get_file_outline", {"path": "pkg/m7.py"})
    answer, _, model = await ran(root, turn(hub, outline), turn(GENERATE), DOCUMENT)
    assert answer.stats.stop_reason == "done"
    found, shape = results(model.requests[1])
    assert ("3600 uses" in found and "; complete" in found) or "stopped by time" in found
    assert len(found) < 4_000
    assert "hub_4" in shape
