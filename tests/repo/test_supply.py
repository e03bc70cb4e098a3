"""What we depend on: locked, its licences listed, its audit never silent, no script run."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LICENCES = runpy.run_path(str(ROOT / ".ci" / "licences.py"))
AUDIT = runpy.run_path(str(ROOT / ".ci" / "audit.py"))


def test_each_package_that_is_needed_is_listed_with_a_licence_that_fits():
    written = (ROOT / "docs" / "licences.md").read_text("utf-8")
    needed = LICENCES["needed"]()
    assert len(needed) > 50
    assert LICENCES["troubles"](written, needed) == []


def test_a_new_package_and_an_unfit_licence_are_noticed():
    wrong = LICENCES["troubles"]("| a | MIT |\n", {"a": "AGPL-3.0", "b": "MIT"})
    assert wrong == ["b is not listed", "a is under 'AGPL-3.0'"]


def test_the_development_environment_is_locked_and_names_no_place():
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()[1:]
    assert all(re.fullmatch(r"[\w.-]+==[\w.+!-]+", line) for line in lines), lines
    locked = {re.sub(r"[-_.]+", "-", line.partition("==")[0]).lower() for line in lines}
    assert LICENCES["needed"]().keys() <= locked
    for lock in ("client-vscode/package-lock.json", "tests/e2e/servers/package-lock.json"):
        packages = json.loads((ROOT / lock).read_text("utf-8"))["packages"]
        assert all("integrity" in about for name, about in packages.items() if name), lock


def test_nothing_of_a_package_is_run_when_it_is_installed():
    for line in (ROOT / "Makefile").read_text("utf-8").splitlines():
        if re.search(r"\bnpm (?:ci|install)\b", line):
            assert "--ignore-scripts" in line


_NPM = {"vulnerabilities": {}, "metadata": {"dependencies": {"total": 7}}}


@pytest.mark.parametrize(
    ("tool", "answer", "shown", "code"),
    [
        ("pip", None, "not checked", 0),
        ("pip", {"dependencies": [{"name": "a", "skip_reason": "gone"}]}, "not checked (1 ", 0),
        ("pip", {"dependencies": [{"name": "a", "version": "1", "vulns": []}]}, "1 packages ch", 0),
        ("pip", {"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "X-1"}]}]},
         "VULNERABLE a 1: X-1", 1),
        ("npm", {"message": "405 Method Not Allowed"}, "not checked", 0),
        ("npm", _NPM, "7 packages checked", 0),
        ("npm", {**_NPM, "vulnerabilities": {"a": {"severity": "high"}}}, "VULNERABLE a: high", 1),
    ],
)  # fmt: skip
def test_an_audit_is_never_silent(
    tool: str, answer: Any, shown: str, code: int, capsys: pytest.CaptureFixture[str]
):
    told = AUDIT[f"told_by_{tool}"](answer)
    assert AUDIT["report"](tool, told) == code
    assert shown in capsys.readouterr().out
