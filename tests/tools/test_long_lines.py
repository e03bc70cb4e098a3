"""A long line is cut wherever code is shown, and says how long it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from analysis.engine import Engine
from analysis.tools.fitting import MAX_LINE, cut_line
from analysis.tools.places import FindOptions
from tests.cli.program import call, write_files
from tests.tools.workbench import open_workbench

LENGTH = 1_200
LINE = "TABLE = [" + ", ".join(str(n % 10) for n in range(390))
LINE = LINE + " " * (LENGTH - len(LINE) - 1) + "]"
FILES = {
    "table.py": "def table():\n    return lookup()\n\n\n"
    f"def lookup():\n    {LINE}\n    return TABLE\n"
}
MARK = re.compile(r"… \(line cut: (\d+) characters\)")


@pytest.mark.parametrize("most", [10, 30, 40, 400, 1_199, 1_200, 5_000])
def test_a_cut_line_is_as_long_as_it_may_be(most: int):
    cut = cut_line(LINE, most)
    assert len(cut) == min(most, LENGTH)
    assert (cut == LINE) == (most >= LENGTH)


@pytest.mark.parametrize("output_format", ["text", "json", "toon"])
def test_the_code_of_a_hit(output_format: str, tmp_path: Path):
    root = write_files(tmp_path, FILES)
    done = call(
        "analyze", "-q", "lookup table", "--include-code", "--format", output_format, cwd=root
    )
    assert MARK.findall(done.out)[0] == str(LENGTH + 4)
    assert max(map(len, done.out.replace("\\n", "\n").split("\n"))) < LENGTH


def test_a_hit_keeps_lines_of_usual_length(tmp_path: Path):
    usual = "x" * (MAX_LINE - 10)
    with Engine.open(write_files(tmp_path, {"a.py": f"def f():\n    '{usual}'\n"})) as engine:
        (hit,) = engine.analyze("f", FindOptions(include_code=True)).hits
    assert hit.code == f"def f():\n    '{usual}'"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("read_symbol", {"name": "lookup"}),
        ("read_lines", {"path": "table.py"}),
        ("grep_in_files", {"pattern": "TABLE ="}),
        ("search_codebase", {"query": "lookup"}),
        ("browse_file", {"path": "table.py"}),
    ],
)
async def test_what_a_model_reads(name: str, arguments: dict[str, Any], tmp_path: Path):
    bench = open_workbench(tmp_path, FILES)
    result = await bench.call(name, arguments, box=bench.box(name))
    assert MARK.findall(result.text) == [str(LENGTH + 4)]
