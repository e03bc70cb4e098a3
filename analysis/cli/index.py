"""``scope index``: build, rebuild or look at the index of a code base."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli.options import FormatOption, Output, opened

if TYPE_CHECKING:
    from analysis.engine import Engine
    from analysis.index.difference import RefreshReport
    from analysis.index.status import IndexStatus
    from analysis.stopping import StopFlag


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(index)


def index(
    path: Annotated[Path, typer.Argument(help="Folder of the code base.")] = Path(),
    *,
    status: Annotated[
        bool, typer.Option("--status", help="Only say what is in the index.")
    ] = False,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Read every file again.")] = False,
    output_format: FormatOption = Output.text,
) -> int:
    """Bring the index up to date; only changed files are read."""
    from analysis.cli.interrupt import stopped_by_signals
    from analysis.cli.main import CUT_SHORT, OK

    with opened(path) as engine, stopped_by_signals() as stop:
        report = None if status else _refreshed(engine, stop, rebuild=rebuild)
        notices = engine.index.notices
        _show(engine.status(), report, notices, output_format)
    return CUT_SHORT if stop.is_set() else OK


def _refreshed(engine: Engine, stop: StopFlag, *, rebuild: bool) -> RefreshReport:
    """Bring the index up to date behind a progress bar."""
    from analysis.cli.progress import ProgressLine

    with ProgressLine() as progress:
        work = engine.rebuild if rebuild else engine.refresh
        return work(progress.on_index, stop)


def _show(
    status: IndexStatus,
    report: RefreshReport | None,
    notices: tuple[str, ...],
    output_format: Output,
) -> None:
    """Write what was done and what the index holds now."""
    from analysis.cli.console import say, show, write_data
    from analysis.cli.index_text import index_text
    from analysis.json_output import index_shape

    if output_format is Output.json:
        write_data(index_shape(status, report, notices), "json")
        return
    for notice in notices:
        say(f"scope: {notice}", style="yellow")
    show(index_text(status, report))
