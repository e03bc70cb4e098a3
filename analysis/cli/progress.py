"""What a run is doing, on stderr, and only where a person looks at it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self

from analysis.cli.console import is_terminal, rich_console, say
from analysis.cli.steps import Steps, usage_text
from analysis.events import Event, IndexProgress, Notice, PhaseStarted, UsageReported
from analysis.steering import unable_to_steer

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_PHASES = {
    "indexing": "Reading the code",
    "discovery": "Looking for the places",
    "exploration": "Exploring",
    "synthesis": "Writing the answer",
    "verification": "Checking the references",
    "writing": "Saving the document",
}


class ProgressLine:
    """A bar for the index, a line for the phase and each step; silent without a terminal."""

    def __init__(self) -> None:
        self._is_shown = False
        self._progress: Progress | None = None
        """Begun when there is something to show: most commands end before that."""
        self._task: TaskID | None = None
        self._phase = ""
        self._usage = ""
        self._steps = Steps()

    def __enter__(self) -> Self:
        self._is_shown = is_terminal(sys.stderr)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._progress is not None:
            self._progress.stop()

    @contextmanager
    def set_aside(self) -> Iterator[None]:
        """Leave the screen to something else for a while."""
        if self._progress is None:
            yield
            return
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()

    def on_event(self, event: Event) -> None:
        """Show what an event says; notices are said even where nobody watches."""
        if isinstance(event, Notice):
            say(f"scope: {event.message}", style="yellow")
        elif isinstance(event, PhaseStarted):
            self._start(_PHASES.get(event.phase, event.phase), event.detail)
        elif isinstance(event, IndexProgress):
            self.on_index(event.done, event.total)
        elif isinstance(event, UsageReported):
            self._on_usage(event)
        if self._is_shown:
            for line in self._steps.lines(event):
                say(line, style="dim")

    def on_index(self, done: int, total: int) -> None:
        """Move the bar."""
        if not self._is_shown:
            return
        if self._progress is None or self._task is None:
            self._start(_PHASES["indexing"])
        assert self._progress is not None  # set by _start, as there is a bar
        assert self._task is not None
        self._progress.update(self._task, completed=done, total=total)

    def _on_usage(self, event: UsageReported) -> None:
        """Show the running total behind the phase."""
        if self._progress is None or self._task is None:
            return
        self._usage = f" ({usage_text(event)})"
        self._progress.update(self._task, description=f"{self._phase}{self._usage}")

    def _start(self, description: str, detail: str = "") -> None:
        """Replace what is shown by a new phase without a known length."""
        if not self._is_shown:
            return
        if self._progress is None:
            self._progress = _new_progress()
            self._progress.start()
        if self._task is not None:
            self._progress.remove_task(self._task)
        text = unable_to_steer(": ".join(filter(None, (description, detail))))
        self._phase = text
        self._task = self._progress.add_task(f"{text}{self._usage}", total=None)


def _new_progress() -> Progress:
    """Return a bar that leaves nothing behind when it is done."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn
    from rich.text import Text

    class Count(MofNCompleteColumn):
        """How many of how many, where that is known."""

        def render(self, task: Task) -> Text:
            return super().render(task) if task.total is not None else Text()

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        Count(),
        console=rich_console(sys.stderr),
        transient=True,
    )
