"""What the exit code says of how an answer ended."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from analysis.cli.answer import exit_code
from analysis.modes.stop_reasons import StopReason

PAGE = Path(__file__).parents[2] / "docs" / "modes.md"


@pytest.mark.parametrize("reason", get_args(StopReason))
def test_the_page_tells_the_exit_code_of_each_way_to_end(reason: str):
    row = re.search(rf"^\| `{reason}` \| (\d) \|", PAGE.read_text(), re.MULTILINE)
    assert row is not None
    assert int(row[1]) == exit_code(reason)


def test_an_answer_of_what_was_read_so_far_is_no_failure():
    assert exit_code("index_incomplete") == 0
    assert exit_code("time") == 3
