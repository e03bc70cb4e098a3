"""``scope index``: build, rebuild or look at the index of a code base."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli.options import FormatOption, Output, opened

if TYPE_CHECKING:
    from rich.text import Text

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
    publish: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Make the commit visible in an organisation's index, after showing what is sent:"
            " postgresql://user@host/database or a service name; or put its index into a store,"
            " as in s3://bucket/folder.",
        ),
    ] = None,
    fetch: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Begin with an index that was put into a store."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Publish without asking.")] = False,
    name: Annotated[
        str | None,
        typer.Option(help="What the repository is called there.", show_default="its URL"),
    ] = None,
    branch: Annotated[str | None, typer.Option(help="The branch it is published as.")] = None,
    reader: Annotated[
        list[str] | None,
        typer.Option(metavar="ROLE", help="Role of the database that may see it from now on."),
    ] = None,
) -> int:
    """Bring the index up to date; only changed files are read."""
    from analysis.cli.interrupt import stopped_by_signals
    from analysis.cli.main import CUT_SHORT, OK

    if publish is not None:
        from analysis.cli.org import published, published_file

        if "://" in publish and not publish.startswith(("postgresql://", "postgres://")):
            published_file(path, publish, yes=yes)
        else:
            published(path, publish, yes=yes, name=name, branch=branch, readers=reader or [])
        return OK
    if fetch is not None:
        from analysis.cli.org import fetched

        fetched(path, fetch)
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
        report = work(progress.on_index, stop)
    engine.make_facts(stop)
    return report


def _show(
    status: IndexStatus,
    report: RefreshReport | None,
    notices: tuple[str, ...],
    output_format: Output,
) -> None:
    """Write what was done and what the index holds now."""
    from analysis.cli.console import say, show, write_data
    from analysis.json_output import index_shape

    if output_format is Output.json:
        write_data(index_shape(status, report, notices), "json")
        return
    for notice in notices:
        say(f"scope: {notice}", style="yellow")
    show(_index_text(status, report))


def _index_text(status: IndexStatus, report: RefreshReport | None) -> Text:
    """Return what was read, what the index holds and where it lies."""
    from rich.text import Text

    text = Text()
    if report is not None:
        text.append(f"{report.parsed} files read, {report.removed} removed", style="bold")
        text.append(f" in {report.elapsed_s:.2f} s; {report.total} files are searched.\n")
        if report.skipped:
            left_out = ", ".join(f"{n} {reason}" for reason, n in sorted(report.skipped.items()))
            text.append(f"Left out: {left_out}\n", style="dim")
        if not report.complete:
            text.append("Stopped before the end; run it again to go on.\n", style="yellow")
    text.append(f"{status.files} of {status.total} files in the index, {status.symbols} symbols, ")
    text.append(f"{status.chunks} chunks, {status.size_bytes / 1e6:.1f} MB\n")
    text.append(status.path or "in memory", style="cyan")
    return text
