"""``scope refs``: where a name is used, and how sure that is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from analysis.cli.options import (
    AtOption,
    FormatOption,
    NameArgument,
    Output,
    RepoOption,
    WithinOption,
    opened,
    position_option,
    relative_to_repo,
)

if TYPE_CHECKING:
    from rich.text import Text

    from analysis.models import Reference, ReferenceList


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(refs)


def refs(
    name: NameArgument,
    *,
    within: WithinOption = None,
    at: AtOption = None,
    repo: RepoOption = Path(),
    output_format: FormatOption = Output.text,
) -> None:
    """Find the uses of a name, undecided ones apart."""
    from analysis.cli.interrupt import stopped_by_signals
    from analysis.cli.progress import ProgressLine

    with opened(repo) as engine, stopped_by_signals() as stop, ProgressLine() as progress:
        scope = relative_to_repo(engine, within) if within else None
        place = position_option(at)
        emit = progress.on_event
        found = engine.references(name, scope=scope, at=place, stop=stop, emit=emit)
        root = engine.root
    if output_format is Output.json:
        from analysis.cli.console import write_data
        from analysis.json_output import references_shape

        write_data(references_shape(found), "json")
        return
    from analysis.cli.console import show

    show(_text(root, found, scope))


def _text(root: Path, found: ReferenceList, scope: str | None) -> Text:
    """Return the uses as lines, and a last line that says how complete they are."""
    from rich.text import Text

    from analysis.cli.console import append_ways, place

    text = Text()
    if found.definition is not None:
        text.append("defined ", style="bold")
        text.append_text(place(root, found.definition.path, found.definition.line))
        text.append(f"  {found.definition.signature}\n")
    _append_uses(text, root, "used", tuple(use for use in found.references if not use.is_test))
    in_tests = tuple(use for use in found.references if use.is_test)
    _append_uses(text, root, "used in tests", in_tests)
    _append_uses(text, root, "same name, not resolved", found.unverified)
    append_ways(text, root, found.indirections)
    text.append(_verdict(found, scope), style="dim")
    return text


def _append_uses(text: Text, root: Path, title: str, uses: tuple[Reference, ...]) -> None:
    """Append a titled list of uses."""
    from analysis.cli.console import place

    if not uses:
        return
    text.append(f"{title} ({len(uses)})\n", style="bold")
    for use in uses:
        text.append("  ")
        text.append_text(place(root, use.path, use.line))
        text.append(f"  {use.context.strip()}\n")


def _verdict(found: ReferenceList, scope: str | None) -> str:
    """Return how complete the list is, in one sentence."""
    from analysis.incomplete import why_incomplete

    shown = len(found.references) + len(found.unverified)
    if not shown and found.definition is None:
        return f"Nothing defines or uses {found.symbol!r}; a position goes after --at."
    if found.complete:
        where = f" below {scope!r}" if scope else ""
        uses = "1 use" if shown == 1 else f"{shown} uses"
        return f"Complete{where}: {uses} (answered by {found.answered_by})."
    why = why_incomplete(found)
    return f"{shown} shown of at least {found.at_least}; there may be more: {why}."
