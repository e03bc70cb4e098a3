"""``scope analyze``: the places that a question, a name or a path leads to, best first."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli.options import RepoOption, opened

if TYPE_CHECKING:
    from analysis.tools.places import Findings, FindOptions


class HitFormat(StrEnum):
    """Text for people, JSON for programs, TOON for models."""

    text = "text"
    json = "json"
    toon = "toon"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analyze)


def analyze(
    *,
    query: Annotated[
        str, typer.Option("--query", "-q", help="Question, identifier, path or file name.")
    ],
    repo: RepoOption = Path(),
    top_k: Annotated[int, typer.Option(min=1, max=500, help="At most so many hits.")] = 15,
    output_format: Annotated[
        HitFormat, typer.Option("--format", help="Text, JSON, or TOON (fewer tokens).")
    ] = HitFormat.text,
    include_code: Annotated[
        bool, typer.Option("--include-code", help="Show the source of each hit.")
    ] = False,
    lines: Annotated[int, typer.Option(min=1, help="Lines of source per hit.")] = 80,
    lang: Annotated[str | None, typer.Option(help="Only files in this language.")] = None,
    path: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Only paths that match.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each hit is here.")] = False,
    max_tokens: Annotated[
        int | None, typer.Option(min=200, help="Keep the output within so many tokens.")
    ] = None,
) -> None:
    """Find the places in a code base that a question is about."""
    from analysis.cli.interrupt import stopped_by_signals
    from analysis.errors import BadInput
    from analysis.tools.places import FindOptions

    if not query.strip():
        raise BadInput("The query is empty.", "Give a question, a name or a path.")
    options = FindOptions(top_k, lang, tuple(path or ()), include_code, lines, explain, max_tokens)
    with opened(repo) as engine, stopped_by_signals() as stop:
        found = engine.analyze(query, options, stop)
        root = engine.root
    if output_format is HitFormat.text:
        from analysis.cli.analyze_text import findings_text
        from analysis.cli.console import show

        show(*findings_text(root, found, explain=explain))
        return
    _write(found, output_format, options)


def _write(found: Findings, output_format: HitFormat, options: FindOptions) -> None:
    """Write the hits for programs; in TOON they are a table, so that lists in them become text."""
    from analysis.cli.console import write_data
    from analysis.tools.places import findings_shape

    shape = findings_shape(found, with_code=options.include_code, with_signals=options.explain)
    if output_format is HitFormat.toon:
        for hit in shape["hits"]:
            hit["reasons"] = "; ".join(hit["reasons"])
            if options.explain:
                hit["signals"] = ", ".join(f"{k}={v:.3g}" for k, v in hit["signals"].items())
    write_data(shape, output_format.value)
