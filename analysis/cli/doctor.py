"""``scope doctor``: what is set for the model, what answers, and what it costs."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer

from analysis.cli.options import FormatOption, Output, RepoOption, model_flags, settings_for


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(doctor)


def doctor(
    repo: RepoOption = Path(),
    *,
    ask: Annotated[
        bool, typer.Option("--ask", help="Send the model one short question, without any code.")
    ] = False,
    model: Annotated[str | None, typer.Option(help="This one instead of the one set.")] = None,
    api_base: Annotated[str | None, typer.Option(help="Address of its server.")] = None,
    output_format: FormatOption = Output.text,
) -> int:
    """Show which model is set, where it is, what it costs, and with --ask whether it answers."""
    from analysis.cli.console import write_data
    from analysis.cli.main import NO_MODEL, OK
    from analysis.json_output import plain
    from analysis.llm.doctor import examination_rows, examined

    found = asyncio.run(
        examined(settings_for(repo, model_flags(model, api_base)), os.environ, ask=ask)
    )
    if output_format is not Output.text:
        write_data(plain(found), output_format.value)
    elif found.model is None:
        typer.echo(
            "No model is set: questions are answered offline. "
            "'scope models' lists which can be used."
        )
    else:
        for name, value in examination_rows(found).items():
            typer.echo(f"{name:7} {value}")
    return NO_MODEL if found.is_ready is False else OK
