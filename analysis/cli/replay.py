"""``scope replay``: shows a traced run again, without a model and without the code base."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli.ask import AnswerFormat

if TYPE_CHECKING:
    from analysis.answer_path import RunStats
    from analysis.cli.steps import Steps
    from analysis.events import Event

_SHOWN_CANDIDATES = 5

TraceArgument = Annotated[Path, typer.Argument(metavar="TRACE", help="File of 'ask --trace'.")]
FormatOption = Annotated[
    AnswerFormat, typer.Option("--format", help="The steps and the document, or the answer alone.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(replay)


def replay(trace: TraceArgument, output_format: FormatOption = AnswerFormat.md) -> int:
    """Show each step of a traced run again, and its document; no model is asked."""
    from analysis.cli.console import write_data, write_text
    from analysis.cli.main import OK
    from analysis.cli.steps import Steps
    from analysis.cli.trace import read_trace
    from analysis.json_output import answer_shape
    from analysis.steering import unable_to_steer

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


def replayed_lines(event: Event, steps: Steps) -> Iterator[str]:
    """Yield the lines of an event for a run that is over: also what a live view shows elsewhere."""
    from analysis.events import CandidatesFound, Notice, PhaseStarted, RunFinished

    if isinstance(event, PhaseStarted):
        yield f"{event.phase} {event.detail}".strip()
    elif isinstance(event, CandidatesFound):
        for candidate in event.candidates[:_SHOWN_CANDIDATES]:
            yield f"    {candidate.path}:{candidate.line_start} {candidate.symbol or ''}".rstrip()
        if len(event.candidates) > _SHOWN_CANDIDATES:
            yield f"    and {len(event.candidates) - _SHOWN_CANDIDATES} more"
    elif isinstance(event, Notice):
        yield f"! {event.message}"
    elif isinstance(event, RunFinished):
        yield f"ended: {event.stop_reason}, {_took(event.answer.stats)}"
    else:
        yield from steps.lines(event)


def _took(stats: RunStats) -> str:
    from analysis.cli.steps import cost_text

    calls = "1 call" if stats.llm_calls == 1 else f"{stats.llm_calls} calls"
    return f"{calls} of the model, {cost_text(stats.tokens_in + stats.tokens_out, stats.cost_usd)}"
