"""Limits by complexity, and gathering code without taking any of it twice."""

from __future__ import annotations

import pytest

from analysis.modes.iterative.adaptive import AdaptiveLimits, limits_for
from analysis.modes.iterative.elements import Element, Gathered, of_place
from analysis.settings import IterativeSettings
from tests.documents.samples import code_of

CLASS = Element("a.py", 1, 20, "A")
METHOD = Element("a.py", 5, 9, "A.run")
OTHER = Element("b.py", 1, 9, "f")


@pytest.mark.parametrize(
    ("complexity", "rounds", "confidence", "lines"),
    [
        (0, 2, 95, 7_200),
        (29, 2, 95, 7_200),
        (30, 4, 92, 9_600),
        (45, 4, 92, 9_600),
        (59, 4, 92, 9_600),
        (60, 4, 90, 12_000),
        (100, 4, 90, 12_000),
    ],
)
def test_limits_follow_the_complexity(complexity: int, rounds: int, confidence: int, lines: int):
    assert limits_for(complexity) == AdaptiveLimits(rounds, confidence, lines)


@pytest.mark.parametrize(
    ("complexity", "settings", "limits"),
    [
        (10, {"max_rounds": 3}, (3, 95, 7_200)),
        (10, {"confidence": 60}, (2, 95, 7_200)),
        (40, {"confidence": 99}, (4, 96, 9_600)),
        (40, {"confidence": 60}, (4, 92, 9_600)),
        (80, {"confidence": 99}, (4, 94, 12_000)),
        (80, {"confidence": 60}, (4, 90, 12_000)),
        (10, {"max_lines": 1_000}, (2, 95, 600)),
        (40, {"max_lines": 1_000}, (4, 92, 800)),
    ],
)
def test_settings_move_the_limits_but_not_below_the_table(complexity, settings, limits):
    assert limits_for(complexity, IterativeSettings(**settings)) == AdaptiveLimits(*limits)


@pytest.mark.parametrize(
    ("first", "then", "new", "left"),
    [
        pytest.param([CLASS], [METHOD], [], [CLASS], id="a method of a class that is there"),
        pytest.param([METHOD], [CLASS], [CLASS], [CLASS], id="the class of a method"),
        pytest.param([CLASS], [CLASS], [], [CLASS], id="the same again"),
        pytest.param([METHOD, OTHER], [CLASS], [CLASS], [CLASS, OTHER], id="in its place"),
        pytest.param([], [METHOD, CLASS], [CLASS], [CLASS], id="both at once"),
        pytest.param([CLASS], [OTHER], [OTHER], [CLASS, OTHER], id="another file"),
        pytest.param(
            [Element("a.py", 1, 10)], [Element("a.py", 8, 20)],
            [Element("a.py", 1, 20)], [Element("a.py", 1, 20)], id="overlapping lines are joined",
        ),
        pytest.param(
            [METHOD], [Element("a.py", 8, 14)],
            [Element("a.py", 8, 14)], [METHOD, Element("a.py", 8, 14)],
            id="a definition stays what it is",
        ),
    ],
)  # fmt: skip
def test_no_line_is_gathered_twice(first, then, new, left):
    gathered = Gathered(max_lines=1_000)
    gathered.add(first)
    assert gathered.add(then) == new
    assert gathered.elements == left


def test_the_limit_of_lines_holds():
    gathered = Gathered(max_lines=25)
    assert gathered.add([CLASS, OTHER]) == [CLASS]
    assert gathered.is_full
    assert gathered.n_lines == 20
    assert gathered.keep(["b.py"]) == [CLASS]
    assert not gathered.is_full
    assert gathered.add([OTHER]) == [OTHER]


LONG = "class Long:\n" + "".join(f"    x{n} = {n}\n" for n in range(300))
CODE = code_of(
    {"a.py": "import os\n\n\ndef f():\n    return os\n\n\nx = 1\n", "long.py": LONG, "empty.py": ""}
)


@pytest.mark.parametrize(
    ("path", "start", "end", "element"),
    [
        pytest.param("a.py", 5, 5, Element("a.py", 4, 5, "f"), id="the definition around a line"),
        pytest.param("a.py", 1, 8, Element("a.py", 1, 8), id="a whole file"),
        pytest.param("long.py", 150, 150, Element("long.py", 145, 155), id="in a long class"),
        pytest.param("a.py", -3, 999, Element("a.py", 1, 8), id="out of range"),
        pytest.param("empty.py", 1, 1, None, id="an empty file"),
        pytest.param("gone.py", 1, 1, None, id="no file"),
    ],
)
def test_a_place_leads_to_what_is_around_it(path, start, end, element):
    assert of_place(CODE, path, start, end) == element
