"""Keeps a run of plan mode on the disk, and takes up one that was kept."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from analysis.errors import BadInput, OutputUnwritable, ScopeError
from analysis.events import Notice
from analysis.modes.plan.graph import topology
from analysis.modes.plan.nodes import Move
from analysis.modes.plan.run_log import RunLog, new_log, reopened
from analysis.modes.plan.saved_runs import Ending, Visit
from analysis.modes.plan.state import PlanState
from analysis.modes.topology import END

if TYPE_CHECKING:
    from analysis.modes.job import Job

_STATE = TypeAdapter(PlanState)
_WHOLE = ("done", "index_incomplete")


@dataclass(slots=True)
class Checkpoint:
    """Where a run stands."""

    state: PlanState
    move: Move
    """To what runs next."""
    n_visits: int = 0
    """Nodes that ended."""


class RunPersistence:
    """The place of one run on the disk; blocking. Without a root nothing is kept."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._root = job.runs_root
        self._log: RunLog | None = None
        self._stop_reason = ""

    def begin(self) -> None:
        """Begin to keep a new run; a disk that takes nothing is said."""
        if self._root is not None:
            try:
                self._log = new_log(self._root, self._job.request)
            except OutputUnwritable as error:
                self._job.emit(Notice(str(error)))

    def take_up(self, name: str, start: Checkpoint) -> Checkpoint:
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

    def _read(self, log: RunLog, start: Checkpoint) -> Checkpoint:
        numbers = log.run.numbers()
        if not numbers:
            return start
        visit = log.run.visit(numbers[-1])
        try:
            state = _STATE.validate_python(visit.state)
        except ValidationError as error:
            raise _unreadable_state(log) from error
        nodes = {edge.target for edge in topology().edges}
        if visit.next not in nodes or not state.is_possible:
            raise _unreadable_state(log)
        self._spend(log.ended.usage if log.ended else visit.usage)
        decided = log.run.visit(numbers[-2]) if visit.next == END and numbers[1:] else visit
        move = Move(visit.next, "the run goes on", is_limit=decided.is_limit)
        return Checkpoint(state, move, visit.number)

    def _spend(self, usage: dict[str, int]) -> None:
        """Count what the run has cost before against its budget."""
        totals = self._job.model.budget.totals
        for field in dataclasses.fields(totals):
            before = usage.get(field.name, 0)
            setattr(totals, field.name, getattr(totals, field.name) + max(before, 0))

    def _spent(self) -> dict[str, int]:
        return dataclasses.asdict(self._job.model.budget.totals)

    def keep(self, node: str, checkpoint: Checkpoint) -> None:
        """Write down where the run stands after a node."""
        if self._log is None:
            return
        state = _STATE.dump_python(checkpoint.state, mode="json")
        move = checkpoint.move
        had_trouble = bool(self._log.trouble)
        self._log.note(
            Visit(
                checkpoint.n_visits, node, move.to, move.reason, self._spent(), state, move.is_limit
            )
        )
        if self._log.trouble and not had_trouble:
            self._job.emit(Notice(self._log.trouble))

    def note_end(self, stop_reason: str) -> None:
        """Take note of how the run ended, and say how to go on with one that was cut short."""
        self._stop_reason = stop_reason
        if self._log is not None and not self._log.trouble and stop_reason not in _WHOLE:
            command = f"scope ask {quote(str(self._root))} --resume {self._log.run.name}"
            self._job.emit(Notice(f"The run can go on: {command}"))

    def close(self) -> None:
        """Write down how the run ended, if it did, and let others work on it."""
        if self._log is not None:
            if self._stop_reason:
                self._log.end(Ending(self._stop_reason, self._spent()))
            self._log.close()


def _unreadable_state(log: RunLog) -> BadInput:
    return BadInput(
        f"The state of the run {log.run.name!r} cannot be read.", "Ask the question again."
    )
