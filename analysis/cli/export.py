"""``scope export``: a document for others, with permalinks to the commit that is checked out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(export)


def export(
    document: Annotated[Path, typer.Argument(help="Document that Scope wrote.")],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write it there.", show_default="stdout"
        ),
    ] = None,
    repo: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Where the code base is, if it has moved."),
    ] = None,
) -> int:
    """Show a document with permalinks to GitHub, GitLab or another host, where they are true.

    A link stays one only if its reference holds and its file is the same in the commit.
    """
    from analysis.cli.console import say, write_text
    from analysis.cli.interrupt import stopped_by_signals
    from analysis.cli.main import OK
    from analysis.cli.options import opened
    from analysis.cli.progress import ProgressLine
    from analysis.documents import local_root, read_document
    from analysis.workspace.atomic import write_atomically

    root = repo or local_root(read_document(document).front, document)
    with stopped_by_signals() as stop, opened(root) as engine, ProgressLine() as progress:
        found = engine.verifier(stop, progress.on_index).export(document)
    if output is None:
        write_text(found.markdown)
    else:
        write_atomically(output, found.markdown)
    say(f"{found.linked} links lead to the commit, {found.unlinked} are text: not the same there.")
    return OK
