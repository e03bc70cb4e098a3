"""One run of plan mode: drives the graph, holds its limits, keeps each step, tells what happens."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

from pydantic_graph import Decision, EndMarker, GraphRun, GraphTask, GraphTaskRequest
from pydantic_graph.id_types import NodeID

from analysis.errors import Cancelled, ModelError, ScopeError
from analysis.events import (
    CandidatesFound,
    Decided,
    Event,
    PhaseStarted,
    RunFinished,
)
from analysis.llm.budget import BudgetExceededError
from analysis.llm.messages import ModelRequest
from analysis.modes.discovery import discovered
from analysis.modes.job import Job
from analysis.modes.plan.evidence import fill, report
from analysis.modes.plan.graph import FIRST, LAST, plan_graph
from analysis.modes.plan.nodes import Move, PlanDeps, plan_request
from analysis.modes.plan.opening import history_of, orientation
from analysis.modes.plan.prompts import synthesizer_system
from analysis.modes.plan.run_persistence import Keeping, Standing
from analysis.modes.plan.state import PlanState
from analysis.modes.synthesis import SearchEnded, Synthesis
from analysis.modes.topology import END, START
from analysis.tools.registry import PLAN_TOOLS
from analysis.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from analysis.models import Candidate

logger = logging.getLogger(__name__)


def run(job: Job) -> AsyncGenerator[Event]:
    """Yield the events of one question; the last one is ``RunFinished`` with a document."""
    return PlanRun(job).events()


class PlanRun:
    """One question, from the first plan to the finished document."""

    def __init__(self, job: Job) -> None:
        self._request = job.request
        self._index = job.index
        self._stop = job.stop
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._synthesis = Synthesis(job, mode="plan", system=synthesizer_system)
        self.code = self._synthesis.code
        """The code as prompts may show it; it remembers what was shown."""
        self._deps = PlanDeps(
            request=job.request,
            calls=job.calls,
            toolbox=Toolbox(job.tool_context(self.code), PLAN_TOOLS),
            synthesis=self._synthesis,
            settings=job.settings.plan,
            emit=self._events.put_nowait,
            orientation=lambda: orientation(self._synthesis.candidates),
        )
        self._at = Standing(PlanState(job.request.question), Move(FIRST, "the run begins"))
        self._keeping = Keeping(job.runs_root, job.calls, self._events.put_nowait)
        self._forced = ""

    async def events(self) -> AsyncGenerator[Event]:
        """Yield all events; whatever happens to the work, the last is a finished document.

        Raises:
            BadInput: The run to go on with is not there, or cannot be gone on with.
        """
        await asyncio.to_thread(self._open)
        reason = ""
        try:
            async with aclosing(self._synthesis.run(self._search())) as events:
                async for event in events:
                    if isinstance(event, RunFinished):
                        reason = event.stop_reason
                        for notice in self._keeping.last_words(reason):
                            yield notice
                    yield event
        finally:
            # Whoever took the last event has written the document by now.
            self._keeping.close(reason)

    def first_request(self) -> ModelRequest:
        """Return what the first call would send, without a call."""
        self._discovered()
        self._at.state.chat_history = history_of(self._request, self._synthesis)
        return plan_request(self._at.state, self._deps)

    def _open(self) -> None:
        """Begin to keep the run, or read how far it had come."""
        if self._request.resume is None:
            self._at.state.chat_history = history_of(self._request, self._synthesis)
            self._keeping.begin(self._request)
            self._keeping.keep(START, self._at)
            return
        self._at = self._keeping.take_up(self._request.resume, self._at)
        if self._at.move.is_limit:
            self._go_beyond_limit()

    def _go_beyond_limit(self) -> None:
        """Plan again if the limit that ended the search was raised; else it stays ended."""
        most = self._deps.settings
        is_raised = self._at.state.iteration_count < most.max_iterations
        if is_raised and self._at.n_visits < most.max_visits - 1:
            self._at.move = Move(FIRST, "the limit was raised")
            self._at.state.response = ""
        else:
            self._forced = "its limit was reached before"

    async def _search(self) -> AsyncGenerator[Event]:
        """Yield the events of the graph.

        Raises:
            SearchEnded, Cancelled, BudgetExceededError, ModelError: The run ends early.
        """
        task = asyncio.create_task(self._work())
        try:
            while (event := await self._events.get()) is not None:
                yield event
            await task
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait([task])
            fill(self._synthesis.evidence, self._at.state)
            self._synthesis.evidence.remarks[:] = report(
                self._at.state, is_limited=bool(self._forced)
            )
        if self._forced:
            raise SearchEnded("limit", f"The search was ended: {self._forced}.")

    async def _work(self) -> None:
        """Drive the graph to its end; a None tells that no more events will come."""
        try:
            self._deps.emit(PhaseStarted("discovery"))
            self._stop.check()
            places = await asyncio.to_thread(self._discovered)
            self._deps.emit(CandidatesFound(places))
            if self._at.move.to == END:
                await self._written_again()
            else:
                await self._drive()
        except (SearchEnded, Cancelled, ModelError, BudgetExceededError):
            raise
        except ScopeError as error:
            raise SearchEnded("failed", str(error)) from error
        except Exception as error:  # The run's fence: what was found becomes a document.
            logger.exception("A node of the plan failed")
            name = type(error).__name__
            message = f"It was a {name} at {self._at.move.to}; the log has the details."
            raise SearchEnded("failed", message) from error
        finally:
            self._events.put_nowait(None)

    def _discovered(self) -> tuple[Candidate, ...]:
        synthesis = self._synthesis
        found = discovered(self._request, self._index, synthesis.view, synthesis.code)
        synthesis.candidates = found
        return found

    async def _written_again(self) -> None:
        """Make the document of a run that was killed before it had one, from the kept answer."""
        fill(self._synthesis.evidence, self._at.state)
        async with aclosing(self._synthesis.written(self._at.state.response)) as events:
            async for event in events:
                self._deps.emit(event)

    async def _drive(self) -> None:
        """Start the graph where the run is, and follow it."""
        failure: Exception | None = None
        graph = plan_graph()
        async with graph.iter(state=self._at.state, deps=self._deps, inputs=self._at.move) as run:
            try:
                await self._driven(run)
            except Exception as error:  # It is raised below, outside of the graph's tasks.
                failure = error
        if failure is not None:
            raise failure

    async def _driven(self, run: GraphRun) -> None:
        """Go from node to node; each that ended is kept before the next begins."""
        tasks = await self._next(run)
        if self._at.move.to != FIRST:
            self._redirect(run, tasks, self._at.move.to)
        self._decided()
        while self._at.move.to != END:
            self._stop.check()
            node = self._at.move.to
            tasks = await self._next(run)
            self._at.n_visits += 1
            self._at.move = tasks[0].inputs
            most = self._deps.settings.max_visits
            if self._at.n_visits >= most - 1 and self._at.move.to not in (LAST, END):
                self._at.move = Move(LAST, f"{most} visits of nodes are the most", is_limit=True)
                self._redirect(run, tasks, LAST)
            self._forced = self._forced or (self._at.move.reason if self._at.move.is_limit else "")
            await asyncio.to_thread(self._keeping.keep, node, self._at)
            self._decided()

    async def _next(self, run: GraphRun) -> list[GraphTask]:
        """Run what is next, and go through decisions, which are no nodes of their own."""
        while True:
            tasks = await anext(run)
            assert not isinstance(tasks, EndMarker), "the loop ends before the graph does"
            task = tasks[0]
            if not isinstance(run.graph.nodes[task.node_id], Decision):
                return list(tasks)

    def _redirect(self, run: GraphRun, tasks: list[GraphTask], node: str) -> None:
        stack = tasks[0].fork_stack
        run.override_next([GraphTaskRequest(NodeID(node), self._at.move, stack)])

    def _decided(self) -> None:
        self._events.put_nowait(Decided(self._at.move.to, self._at.move.reason))
