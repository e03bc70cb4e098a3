"""The options that several commands share, and how a command gets at a code base."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from analysis.engine import Engine
    from analysis.models import Position
    from analysis.settings import Settings


class Output(StrEnum):
    """Text for people, or one JSON object for programs."""

    text = "text"
    json = "json"


RepoOption = Annotated[
    Path,
    typer.Option("--repo", metavar="PATH", help="Folder of the code base.", show_default="."),
]
FormatOption = Annotated[
    Output, typer.Option("--format", help="Text for people or one JSON object for programs.")
]

NameArgument = Annotated[str, typer.Argument(help="Plain or qualified name, as in Class.method.")]
WithinOption = Annotated[
    str | None,
    typer.Option(
        "--in", metavar="PATH", help="Only below this path; of several definitions one below it."
    ),
]
AtOption = Annotated[
    str | None,
    typer.Option(
        metavar="FILE:LINE[:COL]", help="The definition or use that is meant, if several match."
    ),
]


def root(
    context: typer.Context,
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True)
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Log what is being done to standard error.")
    ] = False,
) -> None:
    """Ask a question about a code base and get a document whose every reference is checked."""
    if version:
        from analysis import __version__
        from analysis.cli.console import write_text

        write_text(f"scope {__version__}\n")
        raise typer.Exit
    if verbose:
        import logging

        logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")


def settings_for(repo: Path | None, flags: dict[str, Any] | None = None) -> Settings:
    """Return the settings in force; what was wrong with a source is said on stderr."""
    from analysis.cli.console import say
    from analysis.cli.settings_sources import load_settings

    loaded = load_settings(repo, os.environ, flags)
    for problem in loaded.problems:
        say(f"scope: {problem}", style="yellow")
    return loaded.settings


def model_flags(name: str | None, api_base: str | None) -> dict[str, Any]:
    """Return the flags that set a model, of those that were given."""
    named = {"name": name, "api_base": api_base}
    return {"model": {key: value for key, value in named.items() if value is not None}}


@contextmanager
def opened(repo: Path, flags: dict[str, Any] | None = None) -> Iterator[Engine]:
    """Open the engine of a code base for one command."""
    from analysis.engine import Engine

    with Engine.open(repo, settings_for(repo, flags)) as engine:
        yield engine


def source_and_question(
    words: Sequence[str], named: str | None, is_source: Callable[[str], bool]
) -> tuple[str | None, str]:
    """Return what is asked about, None if it is not said, and the question.

    A command takes both as words, in that order; the question also by its option, and then a word
    can only be the source.

    >>> source_and_question([".", "Where", "is", "it?"], None, lambda word: word == ".")
    ('.', 'Where is it?')

    Raises:
        BadInput: The question is empty, or stands there twice.
    """
    from analysis.errors import BadInput

    if named is not None:
        if len(words) > 1:
            raise BadInput(
                f"There is a question already, and {words[1]!r} besides.",
                "Give it once, as a word of its own or by '-q'.",
            )
        source, question = next(iter(words), None), named
    else:
        has_source = bool(words) and is_source(words[0])
        source = words[0] if has_source else None
        question = " ".join(words[has_source:])
    if not question.strip():
        raise BadInput("The question is empty.", 'Ask one, as in -q "How does login work?".')
    return source, question.strip()


def relative_to_repo(engine: Engine, path: str) -> str:
    """Return a path from the command line as one in the code base.

    A path that the shell completed from the current folder works as well as one from the root.
    """
    here = Path(path)
    if not here.is_absolute() and (engine.root / path).exists():
        return path
    if here.exists() and here.resolve().is_relative_to(engine.root.resolve()):
        return here.resolve().relative_to(engine.root.resolve()).as_posix()
    return path


def position_option(at: str | None) -> Position | None:
    """Return the place that ``FILE:LINE`` or ``FILE:LINE:COL`` names."""
    from analysis.workspace.paths import position_from

    return position_from(at)
