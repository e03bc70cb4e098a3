"""Callers and callees over several steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.models import SymbolChoice
from analysis.references.search.call_graph import Direction
from tests.references.marked import Marked, write_marked

CODE = """#- a.py
from b import save as store, Thing

def top():
    middle()

def middle():
    store(1)
    top()
    print("x")

class Service:
    def run(self):
        middle()
        self.helper()
        self.missing.call()

    def helper(self):
        return Thing().work()

middle()
#- b.py
def save(x): ...

class Thing:
    def __init__(self): ...
    def work(self):
        return save(self)

@save
def decorated(): ...

def passes():
    return map(save, [])
"""


@pytest.fixture
def code(tmp_path: Path) -> Marked:
    return write_marked(tmp_path, CODE)


@pytest.mark.parametrize(
    ("name", "direction", "depth", "expected"),
    [
        (
            "save",
            "callers",
            1,
            ["a.py:7 middle 1", "b.py:6 Thing.work 1", "b.py:8 b.py 1"],
        ),
        (
            "middle",
            "callers",
            9,
            ["a.py:4 top 1", "a.py:13 Service.run 1", "a.py:20 a.py 1", "a.py:8 middle 2"],
        ),
        ("middle", "callees", 1, ["a.py:7 save 1", "a.py:8 top 1"]),
        (
            "Service.helper",
            "callees",
            2,
            ["a.py:18 Thing 1", "a.py:18 Thing.work 1", "b.py:6 save 2"],
        ),
        ("Thing", "callers", 1, ["a.py:18 Service.helper 1"]),
    ],
)
def test_calls(
    code: Marked, name: str, direction: Direction, depth: int, expected: list[str]
) -> None:
    found = code.finder.calls(name, direction, depth)
    assert found is not None
    assert [f"{c.path}:{c.line} {c.symbol} {c.depth}" for c in found.calls] == expected
    # What is handed on as a value can be called from anywhere.
    assert found.complete == (not found.values)
    assert [f"{v.path}:{v.line}" for v in found.values] == (["b.py:12"] if name == "save" else [])


def test_what_cannot_be_resolved_is_told(code: Marked) -> None:
    found = code.finder.calls("Service.run", "callees")
    assert found is not None
    assert [call.symbol for call in found.calls] == ["middle", "Service.helper"]
    assert [call.symbol for call in found.unverified] == ["call"]
    assert not found.complete


def test_one_large_definition_does_not_hide_the_edges_of_another(tmp_path: Path) -> None:
    many = "\n".join(f"    small({number})" for number in range(500))
    text = f"#- m.py\ndef small(x): ...\n\ndef large():\n{many}\n\ndef last():\n    small(0)\n"
    code = write_marked(tmp_path, text)
    sources = [code.finder.choices(name)[0] for name in ("large", "last")]
    edges = code.finder.edges(sources)
    last = 5 + 500 + 1
    assert [e.line for e in edges if e.source.qualified_name == "last"] == [last]
    assert len([e for e in edges if e.source.qualified_name == "large"]) == 400


UNION = """//- m.ts
export class A { slice (n: number) { return n } }
export class B { slice (n: number) { return n } }
export const handlers: {[event: string]: (x: A | B) => void} = {}
handlers.cut = (x: A | B) => {
  x.slice(1)
  one(2)
}
export function one (a: A) { return a.slice(3) }
"""


def test_of_several_that_may_be_called_none_is_stated(tmp_path: Path) -> None:
    code = write_marked(tmp_path, UNION)
    # Nothing is known of the members of what the handlers are given to.
    cut = SymbolChoice("m.ts", "handlers.cut", "method", 4, "")
    edges = code.finder.edges([cut, code.finder.choices("one")[0]])
    told = {f"{e.line} {e.target.qualified_name} {'calls' if e.resolved else 'may'}" for e in edges}
    assert told == {"5 A.slice may", "5 B.slice may", "6 one calls", "8 A.slice calls"}
