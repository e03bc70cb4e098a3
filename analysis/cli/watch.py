"""``scope watch``: what a run of plan mode does or did, node by node."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli.options import RepoOption, opened

if TYPE_CHECKING:
    from rich.text import Text

    from analysis.modes.plan.saved_runs import SavedRun, Visit
    from analysis.stopping import StopFlag

# A person watches: a node takes seconds, and a look costs a listing of one folder.
_LOOK_EVERY_S = 0.2

_Run = Annotated[
    str, typer.Argument(metavar="RUN", help="Name of the run, the beginning of it, or last.")
]
_Verbose = Annotated[bool, typer.Option("--verbose", help="Show the whole state after each node.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(watch)


def watch(run: _Run = "last", *, repo: RepoOption = Path(), verbose: _Verbose = False) -> None:
    """Watch a run of plan mode, until it ends if it is going on."""
    from analysis.cli.console import show
    from analysis.cli.interrupt import stopped_by_signals
    from analysis.modes.plan.saved_runs import saved_run

    with opened(repo) as engine, stopped_by_signals() as stop:
        found = saved_run(engine.root, run)
        show(_head(found))
        _follow(found, stop, verbose=verbose)
        if not stop.is_set():
            show(_end(found))


def _follow(run: SavedRun, stop: StopFlag, *, verbose: bool) -> None:
    """Show what there is, and what is added while the run goes on."""
    from analysis.cli.console import show

    shown = -1
    while not stop.is_set():
        is_running = run.is_running  # SearchIntent first: what is written before it ends is shown.
        for visit in run.visits(after=shown):
            show(_line(visit))
            if verbose:
                show(_state(visit))
            shown = visit.number
        if not is_running:
            return
        time.sleep(_LOOK_EVERY_S)


def _head(run: SavedRun) -> Text:
    from rich.text import Text

    return Text.assemble((run.name, "bold"), f"  {run.request.question}")


def _line(visit: Visit) -> Text:
    """Return a node that ended, what follows and why, and the costs so far."""
    from rich.text import Text

    tokens = visit.usage.get("tokens_in", 0) + visit.usage.get("tokens_out", 0)
    cost = f"{visit.usage.get('llm_calls', 0)} calls, {tokens:,} tokens"
    return Text.assemble(
        (f"{visit.number:>4}  ", "dim"),
        (f"{visit.node:<15}", "bold"),
        f" -> {visit.next:<15} {visit.reason}  ",
        (f"[{cost}]", "dim"),
    )


def _state(visit: Visit) -> Text:
    import json

    from rich.text import Text

    text = json.dumps(visit.state, ensure_ascii=False, indent=2)
    return Text("\n".join(f"      {line}" for line in text.splitlines()), style="dim")


def _end(run: SavedRun) -> Text:
    """Return how the run ended, and how to go on with it if it can."""
    from rich.text import Text

    reason = run.stop_reason
    if reason == "done":
        return Text("The run went to its end.")
    ended = f"The run ended early: {reason}." if reason else "The run was interrupted."
    return Text(f"{ended} Go on with: scope ask --resume {run.name}")
