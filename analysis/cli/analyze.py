"""``scope analyze``: the places that a question, a name or a path leads to, best first."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli.options import opened, source_and_question

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from analysis.tools.places import FindOptions, Hit, SearchHits


class HitFormat(StrEnum):
    """Text for people, JSON for programs, TOON for models."""

    text = "text"
    json = "json"
    toon = "toon"


WordsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FOLDER QUERY",
        help="Folder of the code base, and the query, if -q does not give it.",
        show_default="this folder",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analyze)


def analyze(
    words: WordsArgument = None,
    *,
    query: Annotated[
        str | None, typer.Option("--query", "-q", help="Question, identifier, path or file name.")
    ] = None,
    repo: Annotated[
        Path | None,
        typer.Option("--repo", metavar="PATH", help="Folder of the code base.", show_default="."),
    ] = None,
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
    org: Annotated[
        bool, typer.Option("--org", help="Search the repositories of the organisation instead.")
    ] = False,
) -> None:
    """Find the places in a code base that a question is about."""
    from analysis.cli.interrupt import stopped_by_signals
    from analysis.cli.progress import ProgressLine
    from analysis.errors import BadInput
    from analysis.tools.places import FindOptions

    folder, question = source_and_question(
        words or [], query, lambda word: repo is None and Path(word).is_dir()
    )
    if repo is not None and folder is not None:
        raise BadInput(f"There are two folders, {folder!r} and {str(repo)!r}.", "Give one of them.")
    if org:
        from analysis.cli.org import asked, show_found

        show_found(asked("", question, top_k), as_json=output_format is not HitFormat.text)
        return
    options = FindOptions(top_k, lang, tuple(path or ()), include_code, lines, explain, max_tokens)
    with (
        opened(repo or Path(folder or ".")) as engine,
        stopped_by_signals() as stop,
        ProgressLine() as progress,
    ):
        found = engine.analyze(question, options, stop, progress.on_event)
        root = engine.root
    if output_format is HitFormat.text:
        from analysis.cli.console import show

        show(*_findings_text(root, found, explain=explain))
        return
    _write(found, output_format, options)


def _write(found: SearchHits, output_format: HitFormat, options: FindOptions) -> None:
    """Write the hits for programs; in TOON they are a table, so that lists in them become text."""
    from analysis.cli.console import write_data
    from analysis.tools.places import findings_shape

    shape = findings_shape(found, with_code=options.include_code, with_signals=options.explain)
    if output_format is HitFormat.toon:
        for hit in shape["hits"]:
            hit["reasons"] = "; ".join(hit["reasons"])
            hit["registered"] = "; ".join(hit["registered"])
            if options.explain:
                hit["signals"] = ", ".join(f"{k}={v:.3g}" for k, v in hit["signals"].items())
    write_data(shape, output_format.value)


def _findings_text(root: Path, found: SearchHits, *, explain: bool) -> Iterator[RenderableType]:
    """Yield each hit with its place, and a last line on what was searched."""
    from rich.text import Text

    from analysis.cli.console import highlighted

    for notice in found.notices:
        yield Text(notice, style="yellow")
    for hit in found.hits:
        yield _heading(root, hit)
        if hit.registered:
            yield Text("\n".join(f"        {way}" for way in hit.registered), style="dim")
        if explain:
            yield Text(_reasons(hit), style="dim")
        if hit.code is not None:
            yield highlighted(hit.path, hit.code, hit.line_start)
    yield Text(_summary(found), style="dim")


def _heading(root: Path, hit: Hit) -> Text:
    """Return a hit's place, name and signature on one line."""
    from rich.text import Text

    from analysis.cli.console import place

    text = Text.assemble((f"{hit.score:6.3f}  ", "bold"))
    text.append_text(place(root, hit.path, hit.line_start, hit.line_end))
    text.append(f"  {hit.kind}", style="dim")
    if hit.symbol:
        text.append(f"  {hit.symbol}", style="bold")
    elif hit.signature:
        text.append(f"  {hit.signature}")
    return text


def _reasons(hit: Hit) -> str:
    """Return why a hit is here, one reason a line, and the numbers behind them."""
    lines = [f"        {reason}" for reason in hit.reasons]
    if hit.signals:
        lines.append("        " + "  ".join(f"{k} {v:.3f}" for k, v in hit.signals.items()))
    return "\n".join(lines)


def _summary(found: SearchHits) -> str:
    """Return what was searched and what is not shown."""
    parts = [f"{len(found.hits)} hits in {found.files} files"]
    if found.left_out:
        parts.append(f"{found.left_out} more not shown (raise --top-k or --max-tokens)")
    if found.skipped:
        left_out = ", ".join(f"{n} {reason}" for reason, n in sorted(found.skipped.items()))
        parts.append(f"files not searched: {left_out}")
    return "; ".join(parts) + "."
