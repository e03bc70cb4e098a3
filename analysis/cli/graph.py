"""``scope graph``: the steps of a mode as a diagram, without a model or a code base."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analysis.modes.registry import MODES

_Mode = Annotated[str, typer.Argument(help=f"One of {', '.join(MODES)}.")]
_Mermaid = Annotated[bool, typer.Option("--mermaid", help="As a Mermaid flow chart (the default).")]
_Ascii = Annotated[bool, typer.Option("--ascii", help="As text.")]
_Png = Annotated[
    Path | None, typer.Option(metavar="FILE", help="As a picture, which needs Pillow.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(graph)


def graph(
    mode: _Mode = "plan",
    *,
    mermaid: _Mermaid = False,
    ascii_text: _Ascii = False,
    png: _Png = None,
) -> None:
    """Draw the steps that a mode goes through."""
    from analysis.cli.console import say, write_text
    from analysis.errors import BadInput
    from analysis.modes import topology as drawing
    from analysis.modes.registry import topology_of

    if mermaid + ascii_text + (png is not None) > 1:
        raise BadInput("Only one drawing can be made.", "Choose --mermaid, --ascii or --png.")
    found = topology_of(mode)
    if png is not None:
        from analysis.cli.graph_png import write_png

        write_png(found, png)
        say(f"Picture: {png}", style="bold")
    elif ascii_text:
        write_text(drawing.ascii_art(found))
    else:
        write_text(drawing.mermaid(found))
