"""``scope graph`` as a user calls it: no key, no model, no code base."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from analysis.modes.registry import MODES
from tests.cli.program import call


def test_mermaid_is_the_default(tmp_path: Path):
    done = call("graph", "plan", cwd=tmp_path)
    assert done.code == 0
    assert done.out.startswith("graph TD\n")
    assert 'refinery -- "CONTINUE & iter < max" --> planner' in done.out
    assert call("graph", "plan", "--mermaid", cwd=tmp_path).out == done.out


def test_text(tmp_path: Path):
    done = call("graph", "pipeline", "--ascii", cwd=tmp_path)
    assert "| exploration  |" in done.out


@pytest.mark.parametrize("mode", MODES)
def test_a_picture_shows_boxes_and_lines(tmp_path: Path, mode: str):
    done = call("graph", mode, "--png", "graph.png", cwd=tmp_path)
    assert done.code == 0, done.err
    with Image.open(tmp_path / "graph.png") as picture:
        assert picture.format == "PNG"
        colours = {colour for _, colour in picture.convert("RGB").getcolors(100_000) or ()}
    assert {(232, 240, 254), (230, 244, 234), (38, 43, 51), (255, 255, 255)} <= colours


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nothing",), "no graph of the mode 'nothing'"),
        (("plan", "--ascii", "--mermaid"), "Only one drawing"),
        (("plan", "--png", "missing/graph.png"), "could not be written"),
    ],
)
def test_bad_input(tmp_path: Path, arguments: tuple[str, ...], words: str):
    done = call("graph", *arguments, cwd=tmp_path)
    assert done.code == 2
    assert words in done.err
