"""``scope mcp``: the operations as tools for agents, over standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analysis.cli.options import RepoOption, opened


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("mcp")(mcp)


def mcp(
    *,
    repo: RepoOption = Path(),
    org: Annotated[
        bool,
        typer.Option(
            "--org",
            help="Let agents search the organisation's repositories too; the server is that of "
            "organisation.service, else of PGSERVICE, PGHOST and the like.",
        ),
    ] = False,
) -> None:
    """Serve coding agents over the Model Context Protocol (stdio)."""
    from analysis.mcp.server import serve
    from analysis.org.session import OrganisationSession
    from analysis.shortage import begin_sparingly
    from analysis.standard_streams import require_output

    require_output()
    begin_sparingly(serving=True)
    _check_meant(repo)
    with opened(repo) as engine:
        service = engine.settings.organisation.service
        serve(engine, OrganisationSession(service or "") if org or service else None)


def _check_meant(repo: Path) -> None:
    """Refuse to read a whole disk because a client started the server in no project.

    Raises:
        BadInput: The current folder is the root of a file system or the home folder.
    """
    from analysis.errors import BadInput
    from analysis.user_folders import expanded

    if repo != Path():
        return
    here = repo.resolve()
    if here in (Path(here.anchor), expanded("~")):
        raise BadInput(
            f"The current folder, {str(here)!r}, is no code base.",
            "Start the server in the project, or with 'scope mcp --repo PATH'.",
        )
