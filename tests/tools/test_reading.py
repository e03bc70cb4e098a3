"""Several definitions at once, long docstrings, and arguments whose meaning is clear."""

from __future__ import annotations

import ast
import threading
from pathlib import Path
from typing import Any

import pytest

from analysis.parsing.python_module import parse_module
from analysis.tools.bounds import within_bounds
from analysis.tools.read_symbol import docstring_lines
from tests.tools.workbench import open_workbench

DOC = "\n".join(f"    About it, line {n}, in many words that take room." for n in range(200))
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
