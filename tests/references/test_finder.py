"""Which symbol is meant, what ends a search, and what a list says about itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.engine import Engine
from analysis.errors import AmbiguousSymbol
from analysis.models import Position, ReferenceList
from analysis.stopping import Deadline, StopFlag
from tests.references.marked import Marked, write_marked

TWO_RUNS = """#- app/a.py
class A:
    def run(self): ...
    size = 1
def f(x: A):
    x.run()
    return x.size
#- app/b.py
class B:
    def run(self): ...
def g(x: B):
    x.run()
def run(): ...
"""


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Marked]:
    """A class that is used 3,000 times in 600 files."""
    parts = ["#- hub.py\nclass $0Hub: ...\n", "#- aside.py\ndef aside(): ...\n"]
    for number in range(600):
        lines = "\n".join(f"x{n} = Hub()" for n in range(4))
        parts.append(f"#- m{number}.py\nfrom hub import Hub\n{lines}\n")
    code = write_marked(tmp_path_factory.mktemp("hub"), "".join(parts))
    yield code
    code.index.close()


@pytest.fixture
def two(tmp_path: Path) -> Marked:
    return write_marked(tmp_path, TWO_RUNS)


@pytest.mark.parametrize(
    ("name", "within", "at", "expected"),
    [
        ("A.run", None, None, ["app/a.py:5"]),
        ("app.b.B.run", None, None, ["app/b.py:4"]),
        ("run", "app/a.py", None, ["app/a.py:5"]),
        ("run", None, Position("app/b.py", 4), ["app/b.py:4"]),
        ("", None, Position("app/a.py", 5, 7), ["app/a.py:5"]),
        ("A.size", None, None, ["app/a.py:6"]),
        ("app.b.run", None, None, []),
    ],
)
def test_the_symbol_that_is_meant(
    two: Marked, name: str, within: str | None, at: Position | None, expected: list[str]
) -> None:
    found = two.finder.find(name, within, at)
    assert found is not None
    assert [f"{use.path}:{use.line}" for use in found.references] == expected
    assert found.complete


DECORATED = """#- app/c.py
from functools import cache
class C:
    @cache
    @other
    def run(self): ...
    def stop(self): ...
def h(c: C):
    c.run()
#- app/D.java
class D {
    @Override
    public void go() { }
    void all() { go(); }
}
"""


@pytest.mark.parametrize(
    ("name", "at", "expected"),
    [
        ("run", Position("app/c.py", 3), ["app/c.py:8"]),
        ("C.run", Position("app/c.py", 4), ["app/c.py:8"]),
        ("run", Position("app/c.py", 2), None),
        ("go", Position("app/D.java", 2), ["app/D.java:4"]),
    ],
)
def test_a_line_of_decorators_is_one_of_their_definition(
    tmp_path: Path, name: str, at: Position, expected: list[str] | None
) -> None:
    found = write_marked(tmp_path, DECORATED).finder.find(name, None, at)
    assert (found and [f"{use.path}:{use.line}" for use in found.references]) == expected


def test_namesakes_are_offered(two: Marked) -> None:
    with pytest.raises(AmbiguousSymbol) as raised:
        two.finder.find("run")
    assert [choice.qualified_name for choice in raised.value.choices] == ["A.run", "B.run", "run"]


def test_an_unknown_name_has_no_answer(two: Marked) -> None:
    assert two.finder.find("nothing_of_this_name") is None


def test_uses_tell_their_line_and_what_is_around_them(two: Marked) -> None:
    found = two.finder.find("A.run")
    assert found is not None
    use = found.references[0]
    assert (use.context, use.enclosing, use.column) == ("x.run()", "f", 6)


def test_a_hub_symbol_is_cut_short_by_time(hub: Marked) -> None:
    found = hub.find(Deadline(0.005))
    assert found.stopped_by == "time"
    assert not found.complete
    assert len(found.references) == found.at_least < 3000
    assert len(hub.find().references) == 3000


def test_an_outline_is_answered_while_a_hub_is_searched(hub: Marked) -> None:
    stop = StopFlag()
    results: list[ReferenceList] = []
    searching = threading.Thread(target=lambda: results.append(hub.find(Deadline(None, stop))))
    with Engine.open(hub.root) as engine:
        searching.start()
        started = time.monotonic()
        engine.outline("aside.py")
        elapsed = time.monotonic() - started
        stop.set()
        searching.join(10)
    assert elapsed < 1
    assert results[0].complete or results[0].stopped_by == "cancelled"


def test_the_index_is_read_as_it_is_now(tmp_path: Path) -> None:
    code = write_marked(tmp_path, "#- a.py\ndef $0f(): ...\n#- b.py\nfrom a import $yf\n")
    assert len(code.find().references) == 1
    (code.root / "b.py").write_text("from a import f\nf()\nf()\n")
    code.index.refresh()
    assert len(code.find().references) == 3
    (code.root / "b.py").write_text("from other import f\nf()\n")
    code.index.refresh()
    assert code.find().references == ()


def test_the_engine_answers_with_choices_and_places(tmp_path: Path) -> None:
    code = write_marked(tmp_path, TWO_RUNS)
    with Engine.open(code.root) as engine:
        found = engine.references("run", at=Position("app/a.py", 5))
        assert [use.line for use in found.references] == [5]
        assert engine.references("A.run", scope="app/b.py").references == ()


def test_the_first_proven_use_in_some_files_is_found(two: Marked) -> None:
    at = Position("app/b.py", 2)
    use = two.finder.first_use(at, "run", ["app/a.py", "app/b.py"])
    assert use is not None
    assert (use.path, use.line, use.enclosing) == ("app/b.py", 4, "g")
    assert two.finder.first_use(at, "run", ["app/a.py"]) is None


def test_searches_whose_time_is_over_find_nothing(two: Marked) -> None:
    at = Position("app/b.py", 2)
    assert two.finder.first_use(at, "run", ["app/b.py"], Deadline(0.0)) is None
    assert two.finder.indirections(at, "run", Deadline(0.0)) == ()
    found = two.finder.find("run", at=at, deadline=Deadline(0.0))
    assert found is not None
    assert found.stopped_by == "time"
