"""How definitions are reached without being called by their names, as cases in a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.models import Position
from tests.references.marked import write_marked
from tests.references.test_cases import cases


def check_indirections(folder: Path, text: str) -> None:
    """Check that exactly what the lines after ``>`` say is told of the marked definition."""
    lines = text.rstrip("\n").split("\n")
    expected = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    code = write_marked(folder, "\n".join(line for line in lines if not line.startswith("> ")))
    try:
        at = Position(*code.marks["0"][0])
        found = code.finder.indirections(at, "")
        assert sorted(item.told for item in found) == sorted(expected)
        callers = code.finder.calls("", "callers", at=at)
        uses = code.finder.find("", at=at)
        assert callers is not None
        assert uses is not None
        # Under other names it is found there, too.
        told = {item.told for item in callers.indirections}
        assert set(expected) <= told
        assert set(expected) <= {item.told for item in uses.indirections}
        ways = [line for line in expected if not line.startswith("in the file of the program")]
        assert not (ways and callers.complete), callers
    finally:
        code.index.close()


@pytest.mark.parametrize("text", cases("indirect_cases.txt"))
def test_indirections(text: str, tmp_path: Path) -> None:
    check_indirections(tmp_path, text)
