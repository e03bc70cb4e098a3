"""What holds for every call: within the limit, never an exception, and the rest can be had."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.tools.outline_writer import folded
from analysis.tools.registry import AGENT_TOOLS, ITERATIVE_TOOLS, PLAN_TOOLS, TOOLS
from tests.tools.workbench import Workbench, open_workbench

BIG = {
    "big.py": "import os\n\n\n"
    + "\n".join(
        f"class Thing{c}:\n"
        + "".join(f"    def method_{m}(self, value):\n        return value\n\n" for m in range(30))
        for c in range(12)
    ),
    "flat.py": "".join(
        f"def function_{n}(first, second):\n    return first\n\n" for n in range(400)
    ),
    "settings.py": "".join(f"SETTING_{n} = {n}\n" for n in range(600)),
    "long.py": "def long():\n" + "".join(f"    value_{n} = {n}\n" for n in range(900)),
    "wide.txt": "word " * 80 + "\n",
    "empty.py": "",
    "notes.md": "# Notes\n" + "line of prose\n" * 1_500,
    "n" * 200 + ".py": "".join(f"import module_{n}\n" for n in range(300)) + "class A: pass\n",
    "names.py": f"def {'f' * 3_000}():\n    pass\n\n\nclass {'C' * 3_000}:\n    {'v' * 500} = 1\n",
    "calls.py": "def hub():\n    pass\n\n\n" + "".join(f"hub()  # {n}\n" for n in range(900)),
    "wide.py": "".join(f"text_{n} = '{'w ' * 90}'  # method_{n % 30}\n" for n in range(300)),
    "text.py": f'''"""{"long " * 2_000}"""\n\n\ndef f(): pass\n''',
    "ends.py": "def one():\r\n    pass\r\n\r\ndef two():\r\n    one()\r\n",
    "odd \u00e9 name.py": "def odd(): pass\n",
    "deep/" * 12 + "leaf.py": "def leaf(): pass\n",
}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    root = tmp_path_factory.mktemp("big")
    (root.parent / "outside.txt").write_text("CANARY\n")
    return open_workbench(root, BIG)


PATHS = [*BIG, "../outside.txt", "/etc/passwd", "deep", "", ".", "big", "BIG.PY", "./big.py:3"]
NAMES = [
    "hub",
    "f" * 3_000,
    "C" * 3_000,
    "two",
    "Thing1",
    "Thing1.method_2",
    "method_2",
    "long",
    "value_7",
    "SETTING_5",
    "Thing1:4",
    "()",
]
TEXTS = [*PATHS, *NAMES, "a+", "(a+)+$", "def method_\\d+", "**/*.py", "!*", "value word"]


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """What a model may write for an argument, right or wrong."""
    text = st.sampled_from(TEXTS) | st.text(max_size=30)
    kinds: dict[str, st.SearchStrategy[Any]] = {
        "string": text,
        "integer": st.integers(-2, 2_000) | st.integers(),
        "boolean": st.booleans(),
        "array": st.lists(text, max_size=4),
    }
    return st.one_of(kinds[schema["type"]], kinds[schema["type"]], st.none(), text)


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    name = draw(st.sampled_from(sorted(TOOLS)))
    schema = TOOLS[name].parameters
    wanted = set(draw(st.lists(st.sampled_from(sorted(schema["properties"])))))
    wanted |= set(schema.get("required", ()))
    return name, {key: draw(values(schema["properties"][key])) for key in sorted(wanted)}


@given(call=calls())
@settings(max_examples=150, deadline=None)
def test_any_call_is_answered_within_its_limit(call: tuple[str, dict[str, Any]], bench: Workbench):
    name, arguments = call
    result = asyncio.run(bench.call(name, arguments))
    assert "CANARY" not in result.text
    assert "… (cut)" not in result.text or "fff" in result.text or "CCC" in result.text
    assert all((bench.root / path).is_file() for path in result.paths)
    assert result.ok or result.problem in ("malformed", "retry")


@pytest.mark.parametrize("path", [path for path in BIG if path != "names.py"])
@pytest.mark.parametrize("limit", [60, 300, 2_500])
def test_an_outline_loses_nothing(path: str, limit: int, bench: Workbench):
    """Page by page, folded or not, every definition at the top is there exactly once."""
    outline = bench.context.access.get_outline(path)
    seen: list[str] = []
    line: int | None = 1
    while line is not None:
        page = folded(outline.symbols, limit, line)
        text = "\n".join(row for row in page.lines if not row.startswith(" "))
        seen += [s.name for s in outline.symbols if re.search(rf"\b{s.name}\b", text)]
        assert page.next_line is None or page.next_line > line
        line = page.next_line
    assert seen == [symbol.name for symbol in outline.symbols]


def rest_of(text: str) -> int | None:
    """The line from which on something is left, as the last line says it."""
    found = re.search(r"more lines: (?:read_lines, |\w+_file, from_line=)(\d+)", text)
    return int(found[1]) if found else None


@pytest.mark.parametrize("name", ["read_lines", "browse_file", "read_file"])
@pytest.mark.parametrize("path", ["long.py", "notes.md", "flat.py"])
async def test_reading_on_shows_every_line_once(name: str, path: str, bench: Workbench):
    n_lines = (bench.root / path).read_text().count("\n")
    numbers: list[int] = []
    line: int | None = 1
    while line is not None:
        arguments = {"from_line": line} if name != "read_lines" else {"line_start": line}
        arguments |= {"line_end": 99_999} if name == "read_lines" else {}
        result = await bench.call(name, {"path": path, **arguments}, box=bench.box(name))
        numbers += [int(n) for n in re.findall(r"^(\d+)\|", result.text, re.MULTILINE)]
        line = rest_of(result.text)
    assert numbers == list(range(1, n_lines + 1))


async def test_calls_that_run_at_once_are_answered_as_one_by_one(bench: Workbench):
    calls = [{"pattern": f"method_{n}"} for n in range(6)]
    calls += [{"pattern": f"function_{n}\\b"} for n in range(6)]
    alone = [await bench.call("grep_in_files", arguments) for arguments in calls]
    fresh = open_workbench(bench.root, {})
    at_once = await asyncio.gather(*(fresh.call("grep_in_files", a) for a in calls))
    assert [result.text for result in at_once] == [result.text for result in alone]


async def test_what_is_cut_says_how_to_get_the_rest(bench: Workbench):
    table = [
        ("get_file_outline", {"path": "flat.py"}, r"more definitions from line \d+ on: from_line="),
        ("get_file_outline", {"path": "big.py"}, r"\[30 members folded\][\s\S]*to unfold: symbol="),
        ("read_symbol", {"name": "long"}, r"more lines: read_lines, \d+-901"),
        ("read_file", {"path": "notes.md"}, r"more lines: read_lines, \d+-1501"),
        ("grep_in_files", {"pattern": "def method"}, r"\d+ more lines match: narrow"),
        ("list_directory", {"path": "deep"}, r"deep/ 1"),
    ]
    for name, arguments, said in table:
        result = await bench.call(name, arguments)
        assert re.search(said, result.text), result.text[-300:]


@pytest.mark.parametrize("path", [path for path in BIG if path != "names.py"])
async def test_an_outline_leaves_room_for_how_to_go_on(path: str, bench: Workbench):
    for symbol in (None, "Thing1", "long"):
        result = await bench.call("get_file_outline", {"path": path, "symbol": symbol})
        assert "… (cut)" not in result.text


async def test_long_lines_that_follow_each_other_are_shown_as_far_as_they_fit(bench: Workbench):
    result = await bench.call("grep_in_files", {"pattern": "^text_"})
    assert len(re.findall(r"^ \d+: text_", result.text, re.MULTILINE)) > 8
    assert re.search(r"\(\d+ more lines match", result.text)
    (place,) = result.shown
    assert f" {place.line_end}: text_" in result.text
    assert f" {place.line_end + 1}: text_" not in result.text


async def test_a_long_class_is_shown_by_its_members(tmp_path: Path):
    body = "".join(f"    def method_{m}(self):\n" + "        x = 1\n" * 20 for m in range(40))
    bench = open_workbench(tmp_path, {"a.py": f'class Long:\n    """Is long."""\n\n{body}'})
    result = await bench.call("read_symbol", {"name": "Long"})
    assert '2|     """Is long."""' in result.text
    assert "4-24 def method_0(self)" in result.text
    assert "as in 'Long.method_0'" in result.text
    assert "x = 1" not in result.text


async def test_the_fields_of_a_class_share_a_line(tmp_path: Path):
    source = """
        class Order:
            number: int
            total: float = 0.0

            @property
            def paid(self):
                return self.total > 0
        """
    bench = open_workbench(tmp_path, {"order.py": source})
    result = await bench.call("get_file_outline", {"path": "order.py"})
    said = "1-7 class Order\n fields number, total\n 5-7 def paid(self)"
    assert said in result.text


async def test_long_results_have_a_short_form(bench: Workbench):
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search_for_files", {"query": "method value"}),
        ("grep_in_files", {"pattern": "def"}),
        ("get_file_outline", {"path": "big.py"}),
        ("read_symbol", {"name": "Thing1.method_2"}),
        ("read_symbols", {"names": ["Thing1.method_2", "long"]}),
        ("read_lines", {"path": "notes.md", "line_start": 1, "line_end": 900}),
        ("find_references", {"name": "function_1"}),
        ("get_callers", {"name": "function_1"}),
        ("get_callees", {"name": "function_1"}),
        ("list_directory", {}),
        ("read_file", {"path": "notes.md"}),
        ("search_codebase", {"query": "method value"}),
        ("search_by_term", {"term": "method value"}),
        ("browse_file", {"path": "long.py"}),
        ("skim_file", {"path": "flat.py"}),
    ]
    for name, arguments in calls:
        result = await bench.call(name, arguments)
        assert result.summary, name
        assert len(result.summary) <= max(len(result.text), 300)
    full = await bench.call("browse_file", {"path": "long.py"})
    assert full.priority == "low"
    assert full.summary is not None
    assert "1-901 def long()" in full.summary
    prose = await bench.call("read_file", {"path": "notes.md"})
    assert prose.summary is not None
    assert "1501 lines" in prose.summary
    assert "1| # Notes" in prose.summary


def keys(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for key, value in schema.items():
            yield key
            yield from keys(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from keys(value)


@pytest.mark.parametrize("key", TOOLS)
def test_a_schema_is_plain_and_says_what_each_argument_is(key: str):
    tool = TOOLS[key]
    assert tool.name == key or key == "search_by_term"
    assert tool.description.count("\n") <= 2
    assert 40 <= len(tool.description) <= 500
    schema = tool.parameters
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert set(keys(schema)).isdisjoint({"$ref", "$defs", "anyOf", "title", "allOf"})
    for argument in schema["properties"].values():
        assert argument["description"]
        assert argument["type"] in ("string", "integer", "boolean", "array")


def test_each_mode_offers_what_it_should():
    offered = {TOOLS[key].name for key in ITERATIVE_TOOLS}
    assert offered >= {"search_codebase", "list_directory", "browse_file", "skim_file"}
    assert {*AGENT_TOOLS, *PLAN_TOOLS, *ITERATIVE_TOOLS} == set(TOOLS)


@pytest.mark.parametrize("keys", [AGENT_TOOLS, PLAN_TOOLS, ITERATIVE_TOOLS])
async def test_no_tool_speaks_of_one_that_is_not_offered(keys: tuple[str, ...], bench: Workbench):
    box = bench.box(*keys)
    said = [spec.description for spec in box.specs]
    for key in keys:
        for path in ("long.py", "flat.py", "notes.md", "deep", "empty.py", "nothing.py"):
            wanted = {
                "path": path,
                "name": "long",
                "query": "value",
                "term": "value",
                "pattern": "v",
                "names": ["long"],
            }
            wanted |= {"line_start": 1, "line_end": 2_000}  # type: ignore[dict-item]
            known = TOOLS[key].parameters["properties"]
            arguments = {name: value for name, value in wanted.items() if name in known}
            said.append((await bench.call(key, arguments, box=box)).text)
    names = {tool.name for tool in TOOLS.values()}
    for text in said:
        mentioned = {name for name in names if re.search(rf"\b{name}\b", text)}
        assert mentioned <= box.context.offered, text[-300:]
