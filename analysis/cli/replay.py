"""``scope replay``: shows a traced run again, without a model and without the code base."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analysis.cli.ask import AnswerFormat

TraceArgument = Annotated[Path, typer.Argument(metavar="TRACE", help="File of 'ask --trace'.")]
FormatOption = Annotated[
    AnswerFormat, typer.Option("--format", help="The steps and the document, or the answer alone.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(replay)


def replay(trace: TraceArgument, output_format: FormatOption = AnswerFormat.md) -> int:
    """Show each step of a traced run again, and its document; no model is asked."""
    from analysis.cli.console import unable_to_steer, write_data, write_text
    from analysis.cli.main import OK
    from analysis.cli.steps import Steps, replayed_lines
    from analysis.json_output import answer_shape
    from analysis.traces import read_trace

    found = read_trace(trace)
    if output_format is AnswerFormat.json:
        write_data(answer_shape(found.finished.answer) if found.finished else {}, "json")
        return OK
    steps = Steps()
    if found.question:
        write_text(f"{unable_to_steer(found.question)}\n")
    for item in found.events:
        for line in replayed_lines(item.event, steps):
            write_text(f"{item.at_s:8.2f} s  {unable_to_steer(line)}\n")
    if found.finished is None:
        write_text("The run was ended from outside; there is no document in the trace.\n")
    else:
        write_text(f"\n{found.finished.answer.markdown}")
    return OK
