"""``scope history``: the answers of a workspace, to list, find, read and delete."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis.cli.options import FormatOption, Output

if TYPE_CHECKING:
    from rich.table import Table

    from analysis.documents.history import KeptAnswer

_FolderOption = Annotated[
    Path,
    typer.Option("--in", metavar="FOLDER", help="Where the answers lie.", show_default="."),
]
_StatesOption = Annotated[
    bool, typer.Option("--states", help="Check the references of each answer; takes longer.")
]
_NameArgument = Annotated[
    str,
    typer.Argument(metavar="ANSWER", help="Number in the list, path, or words of the question."),
]
# From the largest unit down: seconds and name.
_UNITS = ((86_400 * 365, "y"), (86_400 * 30, "mo"), (86_400, "d"), (3_600, "h"), (60, "min"))


@dataclass(frozen=True, slots=True)
class Listed:
    """An answer with its number in the list of all, and what became of its references."""

    number: int
    answer: KeptAnswer
    states: Counter[str] | None
    """None if they were not asked for."""
    problem: str = ""
    """Why its references could not be checked."""


def register(app: typer.Typer) -> None:
    """Add the command with its subcommands."""
    history = typer.Typer(help="List, find, read and delete the answers of a workspace.")
    history.command("list")(list_answers)
    history.command("search")(search_answers)
    history.command("open")(open_answer)
    history.command("delete")(delete_answer)
    app.add_typer(history, name="history")


def list_answers(
    *,
    folder: _FolderOption = Path(),
    states: _StatesOption = False,
    output_format: FormatOption = Output.text,
) -> int:
    """List all answers, the latest first."""
    return _shown(folder, (), output_format, with_states=states)


def search_answers(
    words: Annotated[list[str], typer.Argument(help="Words of the question.")],
    *,
    folder: _FolderOption = Path(),
    states: _StatesOption = False,
    output_format: FormatOption = Output.text,
) -> int:
    """List the answers whose question holds all of the words."""
    return _shown(folder, words, output_format, with_states=states)


def open_answer(name: _NameArgument, *, folder: _FolderOption = Path()) -> int:
    """Show an answer, without what it remembers for its check."""
    from analysis.cli.console import write_text
    from analysis.cli.main import OK
    from analysis.documents.block import without_block
    from analysis.documents.history import kept_answers, named_answer
    from analysis.documents.parse import document_text

    answer = named_answer(kept_answers(folder), name)
    write_text(without_block(document_text(answer.document)).rstrip() + "\n")
    return OK


def delete_answer(
    name: _NameArgument,
    *,
    folder: _FolderOption = Path(),
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
) -> int:
    """Delete the document of an answer."""
    from analysis.cli.console import say
    from analysis.cli.main import BAD_INPUT, OK
    from analysis.documents.history import kept_answers, named_answer
    from analysis.errors import OutputUnwritable

    answer = named_answer(kept_answers(folder), name)
    if not yes and not typer.confirm(f"Delete {answer.document} ({answer.question})?", err=True):
        return BAD_INPUT
    try:
        answer.document.unlink()
    except OSError as error:
        raise OutputUnwritable(
            f"The document {str(answer.document)!r} was not deleted: {error.strerror}.",
            "Delete it by hand.",
        ) from error
    say(f"Deleted {answer.document}")
    return OK


def _shown(folder: Path, words: Any, output: Output, *, with_states: bool) -> int:
    """Show the answers that hold all of the words."""
    from analysis.cli.console import say, show, write_data
    from analysis.cli.main import OK
    from analysis.documents.history import kept_answers, with_words

    everything = kept_answers(folder)
    numbers = {answer.document: number for number, answer in enumerate(everything, 1)}
    found = with_words(everything, words)
    states = _states(found) if with_states else {}
    listed = [
        Listed(numbers[answer.document], answer, *states.get(answer.document, (None, "")))
        for answer in found
    ]
    if output is Output.json:
        write_data({"answers": [_shape(item) for item in listed]}, "json")
    elif listed:
        show(_table(listed))
    else:
        say("scope: There are no such answers." if words else "scope: There are no answers here.")
    return OK


def _states(answers: list[KeptAnswer]) -> dict[Path, tuple[Counter[str], str]]:
    """Return how many references of each answer are in which state, and what kept a check."""
    from contextlib import ExitStack

    from analysis.cli.interrupt import stopped_by_signals
    from analysis.cli.verify import DocumentChecks
    from analysis.errors import BadInput

    found = {}
    with stopped_by_signals() as stop, ExitStack() as stack:
        checks = DocumentChecks(None, stop, stack, fix=False)
        for answer in answers:
            try:
                check = checks.checked(answer.document).check
            except BadInput as error:
                found[answer.document] = (Counter[str](), error.message)
                continue
            states = Counter(str(item.reference.state) for item in check.references)
            found[answer.document] = (states, check.problem)
    return found


def _table(listed: list[Listed]) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("#", "age", "mode", "cost", "question", "document"):
        table.add_column(title, overflow="fold")
    if any(item.states is not None for item in listed):
        table.add_column("references")
    for item in listed:
        answer = item.answer
        cost = "?" if answer.cost_usd is None else f"${answer.cost_usd:.3f}"
        row = [
            str(item.number), age(answer.asked), answer.mode, cost,
            answer.question, str(answer.document),
        ]  # fmt: skip
        if item.states is not None:
            counts = ", ".join(f"{n} {state}" for state, n in item.states.most_common())
            row.append(item.problem or counts or "none")
        table.add_row(*row)
    return table


def age(time: datetime, now: datetime | None = None) -> str:
    """Return how long ago something was, in its largest unit: ``3 d``."""
    seconds = ((now or datetime.now(UTC)) - time).total_seconds()
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return "now"


def _shape(item: Listed) -> dict[str, Any]:
    """Return an answer as programs take it; states are there only if they were asked for."""
    answer = item.answer
    shape: dict[str, Any] = {
        "number": item.number,
        "document": str(answer.document.absolute()),
        "question": answer.question,
        "asked": answer.asked.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "mode": answer.mode,
        "model": answer.model,
        "cost_usd": answer.cost_usd,
        "follows": answer.follows,
    }
    if item.states is not None:
        shape["states"] = dict(item.states)
        if item.problem:
            shape["problem"] = item.problem
    return shape
