"""Every promise of the pages on security and reliability names tests that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("docs/security.md", "docs/reliability.md")
_TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")
_FILE = re.compile(r"`((?:workspace|index|llm|tools|cli|documents|modes)/[\w/]+\.py)`")


def promises(page: str) -> list[str]:
    """The rows of the tables of promises."""
    text = (ROOT / page).read_text(encoding="utf-8")
    part = text.partition("\n## Promises\n")[2].partition("\n## ")[0]
    rows = [line for line in part.splitlines() if line.startswith("| ")]
    return [row for row in rows if not row.startswith("| promise |")]


@pytest.mark.parametrize("page", PAGES)
def test_each_promise_names_a_test_that_is_there(page: str):
    rows = promises(page)
    assert len(rows) > 15
    for row in rows:
        named = _TEST.findall(row)
        assert named, row
        for path, name in named:
            tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
            functions = (ast.FunctionDef, ast.AsyncFunctionDef)
            known = {node.name for node in ast.walk(tree) if isinstance(node, functions)}
            assert not name or name in known, f"{path} has no {name}"


@pytest.mark.parametrize("page", PAGES)
def test_each_mechanism_that_is_named_is_there(page: str):
    for path in _FILE.findall((ROOT / page).read_text(encoding="utf-8")):
        assert (ROOT / "analysis" / path).is_file(), path


def test_the_readme_and_the_way_to_report_lead_to_the_page():
    for page in ("README.md", "SECURITY.md"):
        assert "docs/security.md" in (ROOT / page).read_text(encoding="utf-8")
