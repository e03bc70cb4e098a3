"""The page on modes names every mode and every way to end, with its exit code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from analysis.cli.answer import exit_code
from analysis.modes.iterative.adaptive import limits_for
from analysis.modes.registry import MODES
from analysis.modes.stop_reasons import STOP_REASONS, UNREMARKABLE, WHOLE
from analysis.settings import AnswerSettings

PAGE = (Path(__file__).parents[2] / "docs" / "modes.md").read_text(encoding="utf-8")


def rows(first_heading: str) -> list[list[str]]:
    """The cells of the table whose first column is called so."""
    table = PAGE.split(f"| {first_heading} |", 1)[1].split("\n\n", 1)[0]
    lines = [line for line in table.splitlines()[2:] if line.startswith("|")]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]


def test_every_mode_is_on_the_page_in_the_settings_and_in_the_terminal():
    modes = get_args(AnswerSettings.model_fields["mode"].annotation)
    assert {row[0] for row in rows("mode")} == set(modes)
    assert set(modes) == {"auto", *MODES}


def test_the_page_says_of_each_mode_what_its_package_says():
    told = {row[0]: row[1] for row in rows("mode")}
    assert all(told[spec.name] == spec.help for spec in MODES.values())


def test_every_way_to_end_has_its_exit_code():
    documented = {row[0]: int(row[1]) for row in rows("word")}
    assert documented == {reason: exit_code(reason) for reason in STOP_REASONS}
    assert set(STOP_REASONS) >= WHOLE | UNREMARKABLE


def test_the_limits_of_iterative_mode_are_those_of_the_code():
    numbers = [
        [int(n.replace(",", "")) for n in re.findall(r"[\d,]+", row[3])][-1:]
        for row in rows("complexity")
    ]
    assert numbers == [[limits_for(c).max_lines] for c in (0, 30, 60)]
    assert [int(row[1][0]) for row in rows("complexity")] == [
        limits_for(c).max_rounds for c in (0, 30, 60)
    ]
    assert [int(row[2][:2]) for row in rows("complexity")] == [
        limits_for(c).confidence for c in (0, 30, 60)
    ]
