"""The examples of the page on scopes run as they stand there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import analysis.calls

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "scopes.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"<!-- test: (\w+) -->\n```python\n(.*?)```\n", PAGE, re.DOTALL))


def test_every_block_of_code_is_an_example():
    imports = re.search(r"```python\n(from analysis\.calls import .*?)```", PAGE, re.DOTALL)
    assert imports, "the page says what to import"
    exec(compile(imports[1], "scopes.md", "exec"), {})
    assert set(EXAMPLES) == {
        "latent", "activity", "delegate", "instances", "schema", "approval",
    }  # fmt: skip
    assert PAGE.count("```python") == len(EXAMPLES) + 1


@pytest.mark.parametrize("name", EXAMPLES)
async def test_an_example(name: str):
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    assert "assert " in EXAMPLES[name]
    names = {name: getattr(analysis.calls, name) for name in analysis.calls.__all__}
    code = compile(EXAMPLES[name], f"scopes.md, {name}", "exec", flags=flags)
    running = eval(code, names)
    if running is not None:
        await running
