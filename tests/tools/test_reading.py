"""Several definitions at once, long docstrings, and arguments whose meaning is clear."""

from __future__ import annotations

import ast
import threading
from pathlib import Path
from typing import Any

import pytest

from analysis.models import Span
from analysis.modes.reading import read_within
from analysis.parsing.python_module import parse_module
from analysis.tools.bounds import within_bounds
from analysis.tools.read_symbol import DefinitionRead, docstring_lines
from tests.tools.workbench import open_workbench

DOC = "\n".join(f"    About it, line {n}, in many words that take room." for n in range(300))
FILES = {
    "a.py": f'def long(x):\n    """Do it.\n\n{DOC}\n    """\n    y = x + 1\n    return y * 17\n',
    "b.py": "def short():\n    return 1\n\n\nclass Box:\n    def open(self):\n        return 2\n",
    "c.py": "def short():\n    return 3\n",
}


async def check(
    root: Path,
    names: list[str],
    said: list[str],
    not_said: tuple[str, ...] = (),
    *,
    ok: bool = True,
) -> None:
    result = await open_workbench(root, FILES).call("read_symbols", {"names": names})
    assert result.ok is ok
    for words in said:
        assert words in result.text
    for words in not_said:
        assert words not in result.text


async def test_several_definitions_come_at_once(tmp_path: Path):
    said = ["b.py: Box.open (method)", "7|         return 2", "c.py: short", "2|     return 3"]
    await check(tmp_path, ["Box.open", "c.py:short"], said)


async def test_what_is_not_found_is_said_beside_what_is(tmp_path: Path):
    said = ["7|         return 2", "opne: No file defines 'opne'", "short: 'short' is defined in 2"]
    await check(tmp_path, ["Box.open", "opne", "short"], said)


async def test_nothing_found_is_a_failure(tmp_path: Path):
    await check(tmp_path, ["opne"], ["No file defines 'opne'"], ok=False)


async def test_more_than_eight_are_named_and_not_read(tmp_path: Path):
    names = [f"b.py:{name}" for name in ("short", "Box", "Box.open")] + ["c.py:short", "long"]
    files = {"d.py": "".join(f"def d{n}():\n    return {n}\n\n\n" for n in range(6))}
    bench = open_workbench(tmp_path, FILES | files)
    wanted = {"names": [*names, *(f"d{n}" for n in range(6))]}
    result = await bench.call("read_symbols", wanted)
    assert "return 2" in result.text
    assert "d2 (function)" in result.text
    assert "d3: not read, 8 at once are the most" in result.text


async def test_a_docstring_goes_before_code(tmp_path: Path):
    said = ['2|     """Do it.', "lines of docstring: read_lines", "return y * 17"]
    await check(tmp_path, ["long"], said, ("line 150",))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('def f():\n    """A.\n\n    B.\n    """\n    return 1\n', (2, 5)),
        ('def f(\n    a,\n) -> int:\n    r"""A.\n    """\n    return 1\n', (4, 5)),
        ('def f():\n    """A."""\n    return 1\n', None),
        ("def f():\n    return 1\n", None),
        ("class A:\n    '''A.\n    B.'''\n    x = 1\n", (2, 3)),
    ],
)
def test_where_a_docstring_is(text: str, found: tuple[int, int] | None):
    lines = text.split("\n")
    assert docstring_lines(lines, 1, len(lines)) == found


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("browse_file", {"path": "b.py", "from_line": 0}),
        ("read_lines", {"path": "b.py", "line_start": -3, "line_end": 2}),
        ("read_lines", {"path": "b.py", "line_start": 1, "line_end": None}),
        ("get_callers", {"name": "Box.open", "depth": 0}),
        ("search_codebase", {"query": "box", "n_results": 999}),
    ],
)
async def test_a_number_out_of_range_does_not_lose_the_call(
    name: str, arguments: dict[str, Any], tmp_path: Path
):
    result = await open_workbench(tmp_path, FILES).call(name, arguments)
    assert result.ok, result.text


def test_bounds_hold_inside_of_lists_too():
    schema = {
        "properties": {
            "places": {
                "type": "array",
                "items": {"properties": {"line": {"minimum": 1}, "note": {}}, "required": ["line"]},
            }
        }
    }
    given = {"places": [{"line": 0, "note": None}], "other": True}
    assert within_bounds(given, schema) == {"places": [{"line": 1}], "other": True}


def test_syntax_trees_are_made_one_at_a_time():
    text = "x = " + "(" * 60 + "1" + ")" * 60 + "\n"
    source = text * 200
    trees: list[ast.Module] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            trees.extend(parse_module(source) for _ in range(5))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(trees) == 40


@pytest.mark.parametrize(
    ("in_sight", "said", "not_said"),
    [
        ([(1, 30)], ["(1-30: shown above)", "31|"], ["30|", "\n1|"]),
        ([(10, 20), (21, 40)], ["9|", "(10-40: shown above)", "41|"], ["10|", "40|"]),
        ([(10, 11)], ["9|", "10|", "11|"], ["shown above"]),
        ([(1, 60)], ["(1-60: shown above)"], ["\n1|", "60|"]),
    ],
)
async def test_a_second_look_brings_only_new_lines(
    tmp_path: Path, in_sight: list[tuple[int, int]], said: list[str], not_said: list[str]
):
    body = "\n".join(f"    x{n} = {n}" for n in range(2, 61))
    bench = open_workbench(tmp_path, {"a.py": f"def long():\n{body}\n"})
    bench.context.in_sight["a.py"] = in_sight
    for name, arguments in (
        ("read_symbol", {"name": "long"}),
        ("read_lines", {"path": "a.py"}),
        ("read_symbols", {"names": ["long"]}),
    ):
        result = await bench.call(name, arguments)
        assert all(words in result.text for words in said), result.text
        assert not any(words in result.text for words in not_said), result.text
        assert [(place.line_start, place.line_end) for place in result.shown] == [(1, 60)]


async def test_a_hit_shows_its_definition_whole(tmp_path: Path):
    """Also one that was indexed in pieces, and before less is shown of those that come later."""
    body = "\n".join(f"    frobnicate_{n} = gauge(frobnicate)" for n in range(60))
    others = {f"o{n}.py": f"def other_{n}(gauge):\n{body}\n" for n in range(4)}
    files = {"a.py": f"def frobnicate(gauge):\n{body}\n    return 17\n", **others}
    bench = open_workbench(tmp_path, files)
    result = await bench.call("search_codebase", {"query": "frobnicate gauge"})
    assert "a.py: frobnicate (function)" in result.text
    assert "62|     return 17" in result.text
    assert len({place.path for place in result.shown}) > 1


async def test_short_definitions_leave_their_room_to_long_ones(tmp_path: Path):
    body = "\n".join(f"    value_{n} = compute_something({n})" for n in range(110))
    short = "".join(f"def s{n}():\n    return {n}\n\n\n" for n in range(7))
    bench = open_workbench(tmp_path, {"a.py": f"def long():\n{body}\n    return 1\n\n\n{short}"})
    result = await bench.call("read_symbols", {"names": ["long", *(f"s{n}" for n in range(7))]})
    assert "value_109" in result.text
    assert "more lines" not in result.text
    assert "return 6" in result.text


_MANY = "".join(
    f"\n\nclass M{n}(Base):\n    def run(self):\n        return {n}\n" for n in range(9)
)


@pytest.mark.parametrize("above", [0, 80, 980, 9_980])
async def test_no_last_line_is_lost_to_long_line_numbers(tmp_path: Path, above: int):
    """A line's number takes more room further down in a file."""
    body = "".join(f"    x{n} = {n}\n" for n in range(40))
    source = "X = 1\n" * above + f"def work():\n{body}    return x1\n"
    bench = open_workbench(tmp_path, {"a.py": source})
    outline = bench.context.index.outline("a.py")
    read = DefinitionRead(outline, outline.symbols[-1])
    size = len(read.within(bench.context, 10_000).text)
    bench.context.in_sight.clear()
    whole = read.within(bench.context, size + 1).text
    assert whole.endswith(f"{above + 42}|     return x1")
    assert read.n_chars(bench.context) >= size
    text, last = read_within(bench.context.code, Span("a.py", above + 1, above + 42), size + 1)
    assert (last, text.endswith("return x1")) == (above + 42, True)


FAMILY = {
    "base.py": "class Base:\n    def run(self):\n        return 1\n\n\nBase().run()\n",
    "below.py": "from base import Base\n\n\nclass Low(Base):\n    def run(self):\n        ...\n",
    "tests/test_a.py": f"from base import Base\n{_MANY.replace('M', 'Fake')[:60]}",
    "many.py": f"from base import Base\n{_MANY}",
}
OVERRIDDEN = "; overridden in Low.run (below.py:5), M0.run (many.py:5), "


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("read_symbol", {"name": "base.py:Base.run"}),
        ("read_symbols", {"names": ["Base.run"]}),
        ("find_references", {"name": "Base.run"}),
    ],
)
async def test_a_method_is_read_with_those_that_override_it(
    tmp_path: Path, name: str, arguments: dict[str, Any]
):
    if name == "read_symbol":
        arguments = {"name": "Base.run", "path": "base.py"}
    result = await open_workbench(tmp_path, FAMILY).call(name, arguments)
    (head, *_) = result.text.split("\n")
    assert OVERRIDDEN in head
    assert head.endswith(" and 7 more")  # What tests define comes last.


async def test_nothing_is_said_of_what_nothing_overrides(tmp_path: Path):
    result = await open_workbench(tmp_path, FAMILY).call("read_symbol", {"name": "Low.run"})
    assert "overridden" not in result.text
