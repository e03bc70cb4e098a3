"""Keeps a run of plan mode on the disk, and takes up one that was kept."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from analysis.errors import BadInput, OutputUnwritable, ScopeError
from analysis.events import Notice
from analysis.llm.calls import ModelCalls
from analysis.modes.plan.nodes import Move
from analysis.modes.plan.run_log import RunLog, new_log, reopened
from analysis.modes.plan.saved_runs import Ending, Visit
from analysis.modes.plan.state import PlanState
from analysis.modes.topology import END

if TYPE_CHECKING:
    from analysis.models import AskRequest

_STATE = TypeAdapter(PlanState)
_WHOLE = ("done", "index_incomplete")


@dataclass(slots=True)
class Standing:
    """Where a run stands."""

    state: PlanState
    move: Move
    """To what runs next."""
    n_visits: int = 0
    """Nodes that ended."""


class Keeping:
    """The place of one run on the disk; blocking. Without a root nothing is kept."""

    def __init__(
        self, root: Path | None, calls: ModelCalls, notify: Callable[[Notice], None]
    ) -> None:
        self._root = root
        self._calls = calls
        self._notify = notify
        self._log: RunLog | None = None

    @property
    def ended(self) -> str | None:
        """How the run had ended before it was taken up; None if it had not."""
        return self._log.ended.stop_reason if self._log and self._log.ended else None

    def begin(self, request: AskRequest) -> None:
        """Begin to keep a new run; a disk that takes nothing is said."""
        if self._root is not None:
            try:
                self._log = new_log(self._root, request)
            except OutputUnwritable as error:
                self._notify(Notice(str(error)))

    def take_up(self, name: str, start: Standing) -> Standing:
        """Return where a kept run stands; what it has cost is taken from the budget.

        Args:
            name: Of the run.
            start: Where a run stands of which no step was kept.

        Raises:
            BadInput: It is not there, or cannot be gone on with.
        """
        if self._root is None:
            raise BadInput("There is no folder in which runs are kept.", "Ask the question again.")
        self._log = reopened(self._root, name)
        try:
            return self._read(self._log, start)
        except ScopeError:
            self._log.close()
            raise

    def _read(self, log: RunLog, start: Standing) -> Standing:
        numbers = log.run.numbers()
        if not numbers:
            return start
        visit = log.run.visit(numbers[-1])
        try:
            state = _STATE.validate_python(visit.state)
        except ValidationError as error:
            raise BadInput(
                f"The state of the run {log.run.name!r} cannot be read.", "Ask the question again."
            ) from error
        self._spend(log.ended.usage if log.ended else visit.usage)
        decided = log.run.visit(numbers[-2]) if visit.next == END and numbers[1:] else visit
        move = Move(visit.next, "the run goes on", is_limit=decided.is_limit)
        return Standing(state, move, visit.number)

    def _spend(self, usage: dict[str, int]) -> None:
        """Count what the run has cost before against its budget."""
        totals = self._calls.budget.totals
        for field in dataclasses.fields(totals):
            before = usage.get(field.name, 0)
            setattr(totals, field.name, getattr(totals, field.name) + max(before, 0))

    def _spent(self) -> dict[str, int]:
        return dataclasses.asdict(self._calls.budget.totals)

    def keep(self, node: str, standing: Standing) -> None:
        """Write down where the run stands after a node."""
        if self._log is None:
            return
        state = _STATE.dump_python(standing.state, mode="json")
        move = standing.move
        had_trouble = bool(self._log.trouble)
        self._log.note(
            Visit(
                standing.n_visits, node, move.to, move.reason, self._spent(), state, move.is_limit
            )
        )
        if self._log.trouble and not had_trouble:
            self._notify(Notice(self._log.trouble))

    def last_words(self, stop_reason: str) -> list[Notice]:
        """Return how to go on with a run that was cut short."""
        if self._log is None or self._log.trouble or stop_reason in _WHOLE:
            return []
        name = self._log.run.name
        return [Notice(f"The run can go on: scope ask {quote(str(self._root))} --resume {name}")]

    def close(self, stop_reason: str) -> None:
        """Write down how the run ended, if it did, and let others work on it."""
        if self._log is not None:
            if stop_reason:
                self._log.end(Ending(stop_reason, self._spent()))
            self._log.close()
