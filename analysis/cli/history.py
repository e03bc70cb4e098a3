"""``scope history``: the answers of a workspace, to list, find, read and delete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis.cli.options import FormatOption, Output
from analysis.errors import BadInput

if TYPE_CHECKING:
    from rich.table import Table

    from analysis.cli.history_citing import CitedPlace
    from analysis.cli.verify import Verified
    from analysis.documents.citing import CitingReference
    from analysis.documents.history import KeptAnswer

_FolderOption = Annotated[
    Path,
    typer.Option("--in", metavar="FOLDER", help="Where the answers lie.", show_default="."),
]
_StatesOption = Annotated[
    bool, typer.Option("--states", help="Check the references of each answer; takes longer.")
]
_CitingOption = Annotated[
    str | None,
    typer.Option(
        "--citing",
        metavar="PATH[:LINE]",
        help="Only answers that cite this file, or this line (FIRST-LAST) as it is numbered now.",
    ),
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
    citing: tuple[CitingReference, ...] | None = None
    """Its references to the place that was asked for; None if none was."""


def register(app: typer.Typer) -> None:
    """Add the command with its subcommands."""
    history = typer.Typer(help="List, find, read and delete the answers of a workspace.")
    history.callback(invoke_without_command=True)(all_answers)
    history.command("list")(list_answers)
    history.command("search")(search_answers)
    history.command("open")(open_answer)
    history.command("delete")(delete_answer)
    app.add_typer(history, name="history")


def all_answers(
    context: typer.Context,
    *,
    folder: _FolderOption = Path(),
    states: _StatesOption = False,
    citing: _CitingOption = None,
    output_format: FormatOption = Output.text,
) -> int | None:
    """List, find, read and delete the answers of a workspace; lists them all by itself."""
    if context.invoked_subcommand is not None:
        if states or citing is not None or folder != Path() or output_format is not Output.text:
            raise BadInput(
                f"Options stand before {context.invoked_subcommand!r}.",
                f"Write 'scope history {context.invoked_subcommand}', then the options.",
            )
        return None
    return _shown(folder, (), output_format, citing, with_states=states)


def list_answers(
    *,
    folder: _FolderOption = Path(),
    states: _StatesOption = False,
    citing: _CitingOption = None,
    output_format: FormatOption = Output.text,
) -> int:
    """List all answers, the latest first."""
    return _shown(folder, (), output_format, citing, with_states=states)


def search_answers(
    words: Annotated[list[str], typer.Argument(help="Words of the question.")],
    *,
    folder: _FolderOption = Path(),
    states: _StatesOption = False,
    citing: _CitingOption = None,
    output_format: FormatOption = Output.text,
) -> int:
    """List the answers whose question holds all of the words."""
    return _shown(folder, words, output_format, citing, with_states=states)


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


def _shown(
    folder: Path, words: Sequence[str], output: Output, citing: str | None, *, with_states: bool
) -> int:
    """Show the answers that hold all of the words and cite the place, if one is given."""
    from analysis.cli.console import say, show, write_data
    from analysis.cli.history_citing import cited_place
    from analysis.cli.main import OK
    from analysis.documents.history import kept_answers, with_words

    place = None if citing is None else cited_place(citing)
    everything = kept_answers(folder)
    numbers = {answer.document: number for number, answer in enumerate(everything, 1)}
    found = with_words(everything, words)
    checks = _checks(found) if with_states or place is not None else {}
    listed = [_listed(numbers[a.document], a, checks, with_states=with_states) for a in found]
    if place is not None:
        listed = _citing(place, listed, checks)
    if output is Output.json:
        write_data({"answers": [_shape(item) for item in listed]}, "json")
    elif listed:
        show(_table(listed))
    else:
        say("scope: " + _nothing(words, citing))
    if place is not None:
        for document, check in checks.items():
            if isinstance(check, str):
                say(f"scope: {str(document)!r} was not looked at: {check}", style="yellow")
    return OK


def _nothing(words: Sequence[str], citing: str | None) -> str:
    if citing is not None:
        return f"No answer cites {citing}."
    return "There are no such answers." if words else "There are no answers here."


def _checks(answers: list[KeptAnswer]) -> dict[Path, Verified | str]:
    """Return what became of each answer, or what kept it from being checked."""
    from contextlib import ExitStack

    from analysis.cli.interrupt import stopped_by_signals
    from analysis.cli.progress import ProgressLine
    from analysis.cli.verify import DocumentChecks

    found: dict[Path, Verified | str] = {}
    with stopped_by_signals() as stop, ExitStack() as stack, ProgressLine() as progress:
        checks = DocumentChecks(None, stop, stack, progress.on_index, fix=False)
        for answer in answers:
            try:
                found[answer.document] = checks.checked(answer.document)
            except BadInput as error:
                found[answer.document] = error.message
    return found


def _listed(
    number: int, answer: KeptAnswer, checks: dict[Path, Verified | str], *, with_states: bool
) -> Listed:
    check = checks.get(answer.document)
    if check is None or not with_states:
        return Listed(number, answer, None)
    if isinstance(check, str):
        return Listed(number, answer, Counter(), check)
    states = Counter(str(item.reference.state) for item in check.check.references)
    return Listed(number, answer, states, check.check.problem)


def _citing(
    place: CitedPlace, listed: list[Listed], checks: dict[Path, Verified | str]
) -> list[Listed]:
    """Return the answers that cite a place, with the references that do."""
    from analysis.cli.history_citing import citing

    known = [check for check in checks.values() if not isinstance(check, str)]
    found = citing(place, known)
    return [
        replace(item, citing=tuple(found[item.answer.document]))
        for item in listed
        if item.answer.document in found
    ]


def _table(listed: list[Listed]) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("#", "age", "mode", "cost", "question", "document"):
        table.add_column(title, overflow="fold")
    if any(item.states is not None for item in listed):
        table.add_column("references")
    if any(item.citing is not None for item in listed):
        table.add_column("cites")
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
        if item.citing is not None:
            row.append("\n".join(_cited(one) for one in item.citing))
        table.add_row(*row)
    return table


def _cited(one: CitingReference) -> str:
    """Return where cited code is now, and its state if it is not as it was."""
    lines = f"{one.line_start}-{one.line_end}" if one.line_end > one.line_start else one.line_start
    path = one.found.new_path or one.found.reference.path
    state = str(one.found.reference.state)
    place = f"{path}:{lines}" if one.line_start else path
    return place if state in ("ok", "in_range") else f"{place} ({state})"


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
    if item.citing is not None:
        from analysis.json_output import reanchored_shape

        shape["citing"] = [reanchored_shape(one.found) for one in item.citing]
    return shape
