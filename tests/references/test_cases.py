"""Each case is a small code base with its right answer marked in the text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.references.marked import check, check_callers


def cases(file: str) -> list[object]:
    parts = re.split(r"^=== ", Path(__file__).with_name(file).read_text("utf-8"), flags=re.M)[1:]
    split = [part.split("\n", 1) for part in parts]
    return [pytest.param(text, id=title) for title, text in split]


@pytest.mark.parametrize("text", cases("python_cases.txt"))
def test_python(text: str, tmp_path: Path) -> None:
    check(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        case
        for kind in ("commonjs", "calls", "renames", "markup", "receivers")
        for case in cases(f"{kind}_cases.txt")
    ],
)
def test_kinds(text: str, tmp_path: Path) -> None:
    check(tmp_path, text)


@pytest.mark.parametrize("text", cases("script_cases.txt"))
def test_typescript_and_javascript(text: str, tmp_path: Path) -> None:
    check(tmp_path, text)


@pytest.mark.parametrize("text", [*cases("grammar_cases.txt"), *cases("by_name_cases.txt")])
def test_languages_read_by_grammars(text: str, tmp_path: Path) -> None:
    check(tmp_path, text, may_be_complete=False)


@pytest.mark.parametrize("text", cases("callers_cases.txt"))
def test_callers(text: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    check_callers(tmp_path, text, complete=request.node.callspec.id.startswith("complete, "))
