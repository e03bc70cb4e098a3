"""``scope skill``: teach coding agents how to answer questions with these commands."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli.options import FormatOption, Output

if TYPE_CHECKING:
    from analysis.skill import Installed


class Agents(StrEnum):
    """Whose folders are meant when no folder is given."""

    all = "all"
    claude = "claude"
    others = "others"


def register(app: typer.Typer) -> None:
    """Add the commands."""
    skill = typer.Typer(help="Teach coding agents to answer questions with these commands.")
    skill.command()(install)
    skill.command()(show)
    app.add_typer(skill, name="skill")


def install(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[DIR]",
            help="Folder of skills.",
            show_default=".claude/skills and .agents/skills",
        ),
    ] = None,
    *,
    agents: Annotated[
        Agents, typer.Option("--for", help="claude: .claude/skills; others: .agents/skills.")
    ] = Agents.all,
    user: Annotated[
        bool, typer.Option("--user", help="For all your projects: below your home folder.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a skill that was changed by hand.")
    ] = False,
    output_format: FormatOption = Output.text,
) -> int:
    """Put the skill where agents look for it; a copy that was changed by hand is kept."""
    from analysis.cli.main import FINDING, OK
    from analysis.errors import BadInput
    from analysis.skill import default_folders, install_skill
    from analysis.user_folders import expanded

    base = expanded("~") if user else Path()
    if user and not base.is_absolute():
        raise BadInput("You have no home folder.", "Set HOME, or name a folder with '--folder'.")
    folders = [folder] if folder is not None else default_folders(base, agents.value)
    done = [install_skill(target, force=force) for target in folders]
    _report(done, output_format)
    return FINDING if any(item.state == "kept" for item in done) else OK


def show() -> None:
    """Show the skill."""
    from analysis.cli.console import write_text
    from analysis.skill import skill_text

    write_text(skill_text())


def _report(done: list[Installed], output_format: Output) -> None:
    """Say for each file what became of it."""
    from analysis.cli.console import say, write_data, write_text
    from analysis.json_output import plain

    if output_format is Output.json:
        write_data({"skills": [plain(item) for item in done]}, "json")
        return
    for item in done:
        write_text(f"{item.state:<10} {item.path}\n")
    if any(item.state == "kept" for item in done):
        say("scope: A skill was changed by hand and is kept. See 'scope skill show'.")
        say("  Replace it with --force.")
