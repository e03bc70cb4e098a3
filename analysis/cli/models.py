"""``scope models``: which models can be used here, which cannot, why, and what to do."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli.options import FormatOption, Output, RepoOption, model_flags, settings_for

if TYPE_CHECKING:
    from analysis.llm.model_list import ModelSource

_SHOWN = 12


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(models)


def models(
    repo: RepoOption = Path(),
    *,
    ask: Annotated[
        bool,
        typer.Option(
            "--ask", help="Ask providers whose key is set for their models, over the net."
        ),
    ] = False,
    model: Annotated[str | None, typer.Option(help="This one instead of the one set.")] = None,
    api_base: Annotated[str | None, typer.Option(help="Address of its server.")] = None,
    output_format: FormatOption = Output.text,
) -> int:
    """List the models that can be used: by keys, on this machine, and the one that is set."""
    from analysis.cli.console import write_data, write_text
    from analysis.cli.main import NO_MODEL, OK
    from analysis.json_output import plain
    from analysis.llm.model_list import listed_models

    found = listed_models(settings_for(repo, model_flags(model, api_base)), os.environ, ask=ask)
    if output_format is Output.text:
        write_text(_text(found))
    else:
        write_data({"sources": [plain(source) for source in found]}, output_format.value)
    return NO_MODEL if found[0].is_set and not found[0].is_usable else OK


def _text(found: Sequence[ModelSource]) -> str:
    """Return the list for people: what is set, what can be used, what cannot."""
    chosen = [source for source in found if source.is_set]
    lines = ["Set:", *(map(_line, chosen) if chosen else ["  none: questions go offline"])]
    for title, is_usable in (("Can be used:", True), ("Cannot be used now:", False)):
        rows = [s for s in found if not s.is_set and s.is_usable is is_usable]
        lines += ["", title, *(map(_line, rows) if rows else ["  none"])]
    if not chosen:
        lines += ["", "Set one with --model, SCOPE_MODEL or 'model.name'; see docs/models.md."]
    return "\n".join(lines) + "\n"


def _line(source: ModelSource) -> str:
    """Return a line for a source, and one for each of its models if there are several."""
    names = list(source.models[:_SHOWN]) or [f"{source.provider}/"]
    more = len(source.models) - len(names)
    example = "" if source.was_asked or source.is_set else "such as "
    if source.is_usable and len(names) > 1:
        listed = "".join(f"\n    {name}" for name in names)
        rest = f"\n    and {more} more" if more > 0 else ""
        return f"  {source.provider} at {source.host}: {source.why}{listed}{rest}"
    where = f"  {example}{names[0]} at {source.host}: {source.why}"
    return f"{where}. {source.hint}" if source.hint else where
