"""Where a trace may be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.cli.trace import traced
from analysis.errors import OutputUnwritable
from analysis.models import AskRequest


def write(path: Path) -> None:
    with traced(path) as trace:
        trace.begin(AskRequest("How?"))


@pytest.mark.parametrize("before", [None, "", '{"type": "run", "question": "Earlier?"}\n'])
def test_a_new_file_and_an_earlier_trace_are_written(before: str | None, tmp_path: Path):
    path = tmp_path / "run.jsonl"
    if before is not None:
        path.write_text(before)
    write(path)
    assert path.read_text().startswith('{"type": "run", "question": "How?"')


@pytest.mark.parametrize("before", ["precious\n", "{}", '{"type": "usage"}\n'])
def test_what_is_no_trace_stays(before: str, tmp_path: Path):
    path = tmp_path / "app.py"
    path.write_text(before)
    with pytest.raises(OutputUnwritable, match="holds something else"):
        write(path)
    assert path.read_text() == before
