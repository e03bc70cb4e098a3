"""Which methods override a method: only those that are proven to."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.models import Position
from analysis.stopping import Deadline, StopFlag
from tests.references.marked import write_marked

CASES = {
    "over several steps and files, under another name": (
        """#- a.py
class Base:
    def $0run(self): ...
class Plain:
    def run(self): ...
#- b.py
import a
from a import Base as Root
class Below(Root): ...
class Lower(Below):
    def run(self): ...
class Other(a.Plain):
    def run(self): ...
""",
        ["b.py:5 Lower.run"],
    ),
    "not where the base is one of several": (
        """#- a.py
class Base:
    def $0run(self): ...
class Second:
    def run(self): ...
root = Base if input() else Second
class Maybe(root):
    def run(self): ...
try:
    from fast import Chosen
except ImportError:
    Chosen = Base
class Perhaps(Chosen):
    def run(self): ...
""",
        [],
    ),
    "no variable of a class, no function in a method, no constructor": (
        """#- a.py
class Base:
    def $0run(self): ...
class A(Base):
    run = 3
class B(Base):
    def go(self):
        def run(): ...
class C(Base):
    @property
    def run(self): ...
""",
        ["a.py:10 C.run"],
    ),
    "a constructor makes its own objects": (
        """#- a.py
class Base:
    def $0__init__(self): ...
class A(Base):
    def __init__(self): ...
""",
        [],
    ),
    "bases with type parameters, and cycles": (
        """#- a.py
from typing import Generic, TypeVar
T = TypeVar("T")
class Base(Generic[T]):
    def $0run(self): ...
class A(Base[int]):
    async def run(self): ...
class Round(Turn): ...
class Turn(Round):
    def run(self): ...
""",
        ["a.py:6 A.run"],
    ),
    "TypeScript: classes and what implements an interface": (
        """//- a.ts
export interface Shape { $0area(): number }
//- b.ts
import { Shape } from "./a";
export class Square implements Shape { area() { return 1 } }
export class Other { area() { return 2 } }
export class Small extends Square { area() { return 3 } }
""",
        ["b.ts:2 Square.area", "b.ts:4 Small.area"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_overrides(tmp_path: Path, case: str):
    text, expected = CASES[case]
    code = write_marked(tmp_path, text)
    path, line, column = code.marks["0"][0]
    name = text.partition("$0")[2].partition("(")[0]
    found = code.finder.overrides(name, Position(path, line, column))
    assert [f"{c.path}:{c.line} {c.qualified_name}" for c in found] == expected


def test_a_search_that_is_stopped_says_nothing_false(tmp_path: Path):
    code = write_marked(tmp_path, CASES["bases with type parameters, and cycles"][0])
    stop = StopFlag()
    stop.set()
    path, line, column = code.marks["0"][0]
    assert code.finder.overrides("run", Position(path, line, column), Deadline(None, stop)) == []
