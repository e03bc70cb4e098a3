"""``scope callers`` and ``scope callees``: who calls a function, and whom it calls."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from analysis.cli.options import (
    AtOption,
    NameArgument,
    RepoOption,
    WithinOption,
    opened,
    position_option,
    relative_to_repo,
)

if TYPE_CHECKING:
    from rich.text import Text

    from analysis.models import CallList, CallSite


class GraphOutput(StrEnum):
    """Text for people, one JSON object for programs, or a diagram."""

    text = "text"
    json = "json"
    mermaid = "mermaid"


_Depth = Annotated[int, typer.Option(min=1, max=20, help="How many steps are followed.")]
_Format = Annotated[GraphOutput, typer.Option("--format", help="Text, JSON, or a Mermaid graph.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(callers)
    app.command()(callees)


def callers(
    name: NameArgument,
    *,
    depth: _Depth = 1,
    within: WithinOption = None,
    at: AtOption = None,
    repo: RepoOption = Path(),
    output_format: _Format = GraphOutput.text,
) -> None:
    """Find who calls a function or class."""
    _answer("callers", name, depth, within, at, repo, output_format)


def callees(
    name: NameArgument,
    *,
    depth: _Depth = 1,
    within: WithinOption = None,
    at: AtOption = None,
    repo: RepoOption = Path(),
    output_format: _Format = GraphOutput.text,
) -> None:
    """Find whom a function or class calls."""
    _answer("callees", name, depth, within, at, repo, output_format)


def _answer(
    direction: Literal["callers", "callees"],
    name: str,
    depth: int,
    within: str | None,
    at: str | None,
    repo: Path,
    output_format: GraphOutput,
) -> None:
    from analysis.cli.interrupt import stopped_by_signals
    from analysis.cli.progress import ProgressLine

    with opened(repo) as engine, stopped_by_signals() as stop, ProgressLine() as progress:
        scope = relative_to_repo(engine, within) if within else None
        place = position_option(at)
        found = engine.calls(
            name, direction, depth=depth, scope=scope, at=place, stop=stop, emit=progress.on_event
        )
        root = engine.root
    if output_format is GraphOutput.json:
        from analysis.cli.console import write_data
        from analysis.json_output import plain

        write_data(plain(found), "json")
        return
    from analysis.cli.console import show, write_text

    if output_format is GraphOutput.mermaid:
        write_text(mermaid(found))
    else:
        show(_text(root, found))


def mermaid(found: CallList) -> str:
    """Return the calls as a Mermaid flow chart; broken lines are calls that were not resolved."""
    ids: dict[str, str] = {}

    def node(name: str) -> str:
        if name not in ids:
            ids[name] = f"n{len(ids)}"
            return f'{ids[name]}["{name}"]'
        return ids[name]

    lines = ["flowchart LR"]
    for arrow, calls in (("-->", found.calls), ("-.->", found.unverified)):
        edges = dict.fromkeys((call.through or found.symbol, call.symbol) for call in calls)
        for near, far in edges:
            ends = (far, near) if found.direction == "callers" else (near, far)
            lines.append(f"    {node(ends[0])} {arrow} {node(ends[1])}")
    return "\n".join(lines) + "\n"


def _text(root: Path, found: CallList) -> Text:
    """Return the calls as lines by depth, and a last line that says how complete they are."""
    from rich.text import Text

    from analysis.cli.console import append_ways, place
    from analysis.incomplete import why_incomplete

    text = Text()
    if found.definition is not None:
        text.append("defined ", style="bold")
        text.append_text(place(root, found.definition.path, found.definition.line))
        text.append(f"  {found.definition.signature}\n")
    _append(text, root, found.direction, tuple(c for c in found.calls if not c.is_test))
    _append(text, root, f"{found.direction} in tests", tuple(c for c in found.calls if c.is_test))
    _append(text, root, "not resolved", found.unverified)
    append_ways(text, root, found.indirections)
    if found.values:
        text.append(f"passed as a value ({len(found.values)})\n", style="bold")
    for use in found.values:
        text.append("  ")
        text.append_text(place(root, use.path, use.line))
        text.append(f"  {use.context}\n", style="dim")
    count = len(found.calls)
    if found.complete:
        calls = "1 call" if count == 1 else f"{count} calls"
        text.append(f"Complete: {calls} (answered by {found.answered_by}).", style="dim")
    else:
        why = why_incomplete(found)
        text.append(f"{count} calls; there may be more: {why}.", style="dim")
    return text


def _append(text: Text, root: Path, title: str, calls: tuple[CallSite, ...]) -> None:
    from analysis.cli.console import place

    if not calls:
        return
    text.append(f"{title} ({len(calls)})\n", style="bold")
    for call in calls:
        text.append("  " * call.depth)
        text.append(f"{call.symbol}  ")
        text.append_text(place(root, call.path, call.line))
        text.append(f"  {call.context}\n", style="dim")
