"""What a model of the pipeline asked for: shared room, prose before code, and what did not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.models import Span
from analysis.modes.reading import read_within
from analysis.tools.fitting import fair_shares
from tests.tools.workbench import open_workbench

LICENCE = "".join(f"# Line {n} of a licence that nobody reads.\n" for n in range(1, 11))
DOC = "".join(f"    Prose {n}, of which there is much.\n" for n in range(1, 9))
CODE = "".join(f"    x{n} = {n}\n" for n in range(1, 31))
SOURCE = f'{LICENCE}\n\ndef work():\n    """Do it.\n{DOC}    """\n{CODE}    return x1\n'


@pytest.mark.parametrize(
    ("sizes", "room", "shares"),
    [
        ([], 100, []),
        ([10, 20], 100, [10, 20]),
        ([10, 200, 30], 100, [10, 60, 30]),
        ([200, 200], 100, [50, 50]),
        ([200, 10], 0, [0, 0]),
    ],
)
def test_what_is_short_comes_whole(sizes: list[int], room: int, shares: list[int]):
    assert fair_shares(sizes, room) == shares


@pytest.mark.parametrize(
    ("room", "said", "not_said", "last"),
    [
        (5_000, ["1| # Line 1 of", "Prose 8", "return x1"], ["comments)"], 54),
        (700, ["(1-12: comments)", "Do it.", "x10 = 10", "return x1"], ["Prose", "licence"], 54),
        (300, ["def work", "x1 = 1", ": cut)"], ["Prose", "return x1"], None),
        (100, [], ["|"], 0),
    ],
)
def test_prose_goes_before_code(
    tmp_path: Path, room: int, said: list[str], not_said: list[str], last: int | None
):
    code = open_workbench(tmp_path, {"a.py": SOURCE}).context.code
    text, reached = read_within(code, Span("a.py", 1, SOURCE.count("\n")), room)
    assert all(words in text for words in said), text
    assert not any(words in text for words in not_said), text
    assert last is None or reached == last
    if last is None:
        assert f"({reached + 1}-{SOURCE.count(chr(10))}: cut)" in text
