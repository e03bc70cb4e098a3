"""All commands by name: a page of help names them, and only the one that runs is imported."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup


@dataclass(frozen=True, slots=True)
class Command:
    """What the program's help says of a command, and where the command is."""

    module: str
    """A module of this package; its ``register(app)`` adds the command."""
    help: str
    """As the command's own help begins."""


COMMANDS: Final[dict[str, Command]] = {
    "ask": Command("ask", "Answer a question with a document whose references are checked."),
    "watch": Command("watch", "Watch a run of plan mode, until it ends if it is going on."),
    "replay": Command(
        "replay", "Show each step of a traced run again, and its document; no model is asked."
    ),
    "graph": Command("graph", "Draw the steps that a mode goes through."),
    "analyze": Command("analyze", "Find the places in a code base that a question is about."),
    "tree": Command("read", "List the files that are searched, and count the others."),
    "outline": Command("read", "Show a file's imports and definitions, without the bodies."),
    "symbol": Command("read", "Show one definition with its source."),
    "refs": Command("refs", "Find the uses of a name, undecided ones apart."),
    "callers": Command("callers", "Find who calls a function or class."),
    "callees": Command("callers", "Find whom a function or class calls."),
    "verify": Command("verify", "Check the references of documents against the code of today."),
    "export": Command(
        "export",
        "Show a document with permalinks to GitHub, GitLab or another host, where they are true.",
    ),
    "index": Command("index", "Bring the index up to date; only changed files are read."),
    "mcp": Command("mcp", "Serve coding agents over the Model Context Protocol (stdio)."),
    "doctor": Command(
        "doctor",
        "Show which model is set, where it is, what it costs, and with --ask whether it answers.",
    ),
    "models": Command(
        "models",
        "List the models that can be used: by keys, on this machine, and the one that is set.",
    ),
    "history": Command("history", "List, find, read and delete the answers of a workspace."),
    "org": Command("org", "Keep the index of an organisation."),
    "skill": Command("skill", "Teach coding agents to answer questions with these commands."),
}


class LazyCommands(TyperGroup):
    """The program as a group whose commands are named at once and imported when they run."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, command in COMMANDS.items():
            self.add_command(TyperCommand(name, help=command.help))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the name, the command itself and the arguments that are left for it."""
        name, named, rest = super().resolve_command(ctx, args)
        return name, loaded(name) if name in COMMANDS else named, rest


def loaded(name: str) -> Any:
    """Return a command with all its options; imports its module."""
    app = typer.Typer(rich_markup_mode="rich")
    app.callback()(_alone)  # Without one, a single command would stand for the whole group.
    import_module(f"analysis.cli.{COMMANDS[name].module}").register(app)
    group: Any = typer.main.get_command(app)
    return group.commands[name]


def _alone() -> None:
    """Stand for the program around one command."""
