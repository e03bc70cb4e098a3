"""Each case is a small code base with its right answer marked in the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.references.marked import check

CASES = Path(__file__).with_name("python_cases.txt").read_text("utf-8").split("=== ")[1:]


@pytest.mark.parametrize("case", CASES, ids=[case.split("\n", 1)[0] for case in CASES])
def test_python_references(case: str, tmp_path: Path) -> None:
    check(tmp_path, case.split("\n", 1)[1])
