"""Whatever part of a key is asked for, nothing of it leaves: files are cleared as a whole."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from analysis.engine import Engine
from analysis.mcp.tool_calls import ToolCalls
from tests.cli.program import write_files
from tests.fakes.canaries import PRIVATE_KEY
from tests.tools.workbench import open_workbench

KEY_LINES = PRIVATE_KEY.split("\n")[1:-1]
QUOTED = "".join(f'    "{line}\\n"\n' for line in PRIVATE_KEY.split("\n"))
FILES = {
    "plain.txt": f"before\n{PRIVATE_KEY}\nafter\n",
    "keys.py": f'"""Keys."""\n\n\nclass Signer:\n    key = """{PRIVATE_KEY}"""\n\n'
    '    def sign(self, text):\n        """Sign a text with the key."""\n        return text\n',
    "parts.py": f"KEY = (\n{QUOTED})\n\n\ndef sign_parts():\n    return KEY\n",
    "body.py": f'def signing_key():\n    return """\n{PRIVATE_KEY}\n"""\n\n\nsigning_key()\n',
    "table.ts": f"export const keys = {{\n  first: `\n{PRIVATE_KEY}`,\n}};\n",
}


async def unheard(done: int, total: int, doing: str) -> None:
    """Nobody watches."""


@pytest.fixture
def calls(tmp_path: Path):
    engine = Engine.open(write_files(tmp_path / "repo", FILES))
    served = ToolCalls(engine)
    yield served
    served.close()


def leaked(said: str) -> list[str]:
    return [line for line in KEY_LINES if line[:20] in said]


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("n_lines", [1, 2, 3])
async def test_lines_in_the_middle_of_a_key(path: str, n_lines: int, calls: ToolCalls):
    count = FILES[path].count("\n")
    for start in range(1, count + 1):
        arguments = {"path": path, "line_start": start, "line_end": start + n_lines - 1}
        shape = await calls.call("read_lines", arguments, unheard)
        assert leaked(shape["code"]) == [], (path, start)
        assert shape["code"].count("\n") == min(n_lines, count - start + 1) - 1


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("read_symbol", {"name": "signing_key", "path": "body.py"}),
        ("read_symbol", {"name": "signing_key", "path": "body.py", "max_tokens": 200}),
        ("read_symbol", {"name": "Signer"}),
        ("read_symbol", {"name": "KEY", "path": "parts.py"}),
        ("outline", {"path": "keys.py"}),
        ("outline", {"path": "parts.py"}),
        ("outline", {"path": "table.ts"}),
        ("analyze", {"query": "sign with the key", "include_code": True}),
        ("analyze", {"query": "signing_key", "include_code": True, "lines": 3}),
        ("find_references", {"name": "KEY"}),
        ("callers", {"name": "signing_key"}),
        ("ask", {"question": "Where is the signing key?"}),
    ],
)
async def test_parts_of_files_that_hold_a_key(
    name: str, arguments: dict[str, Any], calls: ToolCalls
):
    said = json.dumps(await calls.call(name, arguments, unheard))
    assert leaked(said) == []


def test_what_was_made_of_a_file_is_held_to_what_was_struck_out_of_it(tmp_path: Path):
    """A signature or a quotation may be one line of a key, which alone looks like any text."""
    code = open_workbench(tmp_path, FILES).context.code
    for line in KEY_LINES[:-1]:
        assert leaked(code.cleared("plain.txt", f"key = '{line}'")) == []
    assert code.cleared("plain.txt", "before, after") == "before, after"


@pytest.mark.parametrize("path", FILES)
def test_a_model_gets_no_part_of_a_key_either(path: str, tmp_path: Path):
    bench = open_workbench(tmp_path, FILES)
    for start in range(1, FILES[path].count("\n") + 1):
        arguments = {"path": path, "line_start": start, "line_end": start + 1}
        result = asyncio.run(bench.call("read_lines", arguments))
        assert leaked(f"{result.text} {result.summary}") == [], start
