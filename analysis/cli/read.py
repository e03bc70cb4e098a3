"""``scope tree``, ``scope outline`` and ``scope symbol``: look at the code without a question."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analysis.cli.options import FormatOption, Output, RepoOption, opened, relative_to_repo

FileArgument = Annotated[str, typer.Argument(help="File of the code base.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(tree)
    app.command()(outline)
    app.command()(symbol)


def tree(
    path: Annotated[str, typer.Argument(help="Folder to list.", show_default="all")] = "",
    *,
    repo: RepoOption = Path(),
    output_format: FormatOption = Output.text,
    limit: Annotated[int, typer.Option(min=1, help="At most so many entries.")] = 1000,
) -> None:
    """List the files that are searched, and count the others."""
    with opened(repo) as engine:
        found = engine.tree(relative_to_repo(engine, path) if path else "", max_entries=limit)
    if output_format is Output.json:
        from analysis.cli.console import write_data
        from analysis.json_output import plain

        write_data(plain(found), "json")
        return
    from analysis.cli.console import show
    from analysis.cli.read_text import tree_text

    show(tree_text(found))


def outline(
    file: FileArgument, *, repo: RepoOption = Path(), output_format: FormatOption = Output.text
) -> None:
    """Show a file's imports and definitions, without the bodies."""
    with opened(repo) as engine:
        found = engine.outline(relative_to_repo(engine, file))
        root = engine.root
    if output_format is Output.json:
        from analysis.cli.console import write_data
        from analysis.json_output import plain

        write_data(plain(found), "json")
        return
    from analysis.cli.console import show
    from analysis.cli.read_text import outline_text

    show(outline_text(root, found))


def symbol(
    file: FileArgument,
    name: Annotated[str, typer.Argument(help="Plain or qualified name, as in Class.method.")],
    *,
    repo: RepoOption = Path(),
    output_format: FormatOption = Output.text,
) -> None:
    """Show one definition with its source."""
    with opened(repo) as engine:
        found = engine.symbol(relative_to_repo(engine, file), name)
        root = engine.root
    if output_format is Output.json:
        from analysis.cli.console import write_data
        from analysis.json_output import symbol_shape

        write_data(symbol_shape(found), "json")
        return
    from analysis.cli.console import show
    from analysis.cli.read_text import symbol_text

    show(*symbol_text(root, found))
