"""One run of plan mode: drives the graph, holds its limits, keeps each step, tells what happens."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from shlex import quote
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError
from pydantic_graph import Decision, EndMarker, GraphRun, GraphTask, GraphTaskRequest
from pydantic_graph.id_types import NodeID

from analysis.errors import BadInput, OutputUnwritable, ScopeError
from analysis.events import (
    CandidatesFound,
    Decided,
    Event,
    Notice,
    PhaseStarted,
    RunFinished,
    StopFlag,
)
from analysis.llm.budget import BudgetExceededError
from analysis.llm.calls import ModelCalls
from analysis.strategies.modes import RunOptions
from analysis.strategies.plan_evidence import fill
from analysis.strategies.plan_graph import FIRST, LAST, plan_graph
from analysis.strategies.plan_nodes import Move, PlanDeps
from analysis.strategies.plan_opening import found_places, history_of, orientation
from analysis.strategies.plan_state import PlanState
from analysis.strategies.saved_runs import RunLog, Visit, new_log, reopened
from analysis.strategies.synthesis import SearchEnded, Synthesis
from analysis.strategies.topology import END, START

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.index.code_index import CodeIndex
    from analysis.models import AskRequest

logger = logging.getLogger(__name__)

_TOOLS = ("search_for_files", "get_file_outline", "read_symbol", "read_file")
_STATE = TypeAdapter(PlanState)


class PlanRun:
    """One question, from the first plan to the finished document."""

    def __init__(
        self,
        request: AskRequest,
        access: SmartFileAccess,
        index: CodeIndex,
        calls: ModelCalls,
        options: RunOptions,
        stop: StopFlag,
    ) -> None:
        from analysis.tools.tool import ToolContext
        from analysis.tools.toolbox import Toolbox

        self._request = request
        self._index = index
        self._calls = calls
        self._stop = stop
        self._root = options.runs_root
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._synthesis = Synthesis(request, access, index, calls, options, mode="plan")
        context = ToolContext(
            access, index, self._synthesis.code, request, stop, approve=options.approve
        )
        self._deps = PlanDeps(
            calls=calls,
            toolbox=Toolbox(context, _TOOLS),
            synthesis=self._synthesis,
            settings=options.settings.plan,
            emit=self._events.put_nowait,
            orientation=lambda: orientation(self._synthesis.candidates),
        )
        self._state = PlanState(request.question)
        self._move = Move(FIRST, "the run begins")
        self._n_visits = 0
        self._log: RunLog | None = None
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
                        for notice in self._last_words(reason):
                            yield notice
                    yield event
        finally:
            # Whoever took the last event has written the document by now.
            if self._log is not None:
                if reason:
                    self._log.end(reason)
                self._log.close()

    def _open(self) -> None:
        """Begin to keep the run, or read how far it had come."""
        if self._request.resume is None:
            self._state.chat_history = history_of(self._request)
            if self._root is not None:
                try:
                    self._log = new_log(self._root, self._request)
                except OutputUnwritable as error:
                    self._events.put_nowait(Notice(str(error)))
            self._keep(START)
            return
        if self._root is None:
            raise BadInput("There is no folder in which runs are kept.", "Ask the question again.")
        self._log = reopened(self._root, self._request.resume)
        try:
            self._read(self._log)
        except ScopeError:
            self._log.close()
            raise

    def _read(self, log: RunLog) -> None:
        """Take up the state, the way on and the costs of a kept run."""
        numbers = log.run.numbers()
        if not numbers:
            return
        visit = log.run.visit(numbers[-1])
        try:
            self._state = _STATE.validate_python(visit.state)
        except ValidationError as error:
            raise BadInput(
                f"The state of the run {log.run.name!r} cannot be read.", "Ask the question again."
            ) from error
        self._n_visits = visit.number
        # The document is all that was missing: it is made again from the answer that is kept.
        known = {str(node_id) for node_id in plan_graph().nodes}
        self._move = Move(visit.next if visit.next in known else LAST, "the run goes on")
        totals = self._calls.budget.totals
        totals.llm_calls += visit.usage.get("llm_calls", 0)
        totals.tokens_in += visit.usage.get("tokens_in", 0)
        totals.tokens_out += visit.usage.get("tokens_out", 0)

    async def _search(self) -> AsyncGenerator[Event]:
        """Yield the events of the graph.

        Raises:
            SearchEnded, Cancelled, BudgetExceededError, ModelError: The run ends early.
        """
        yield PhaseStarted("discovery")
        self._stop.check()
        places = await asyncio.to_thread(found_places, self._request, self._index, self._synthesis)
        self._synthesis.candidates = places
        yield CandidatesFound(places)
        task = asyncio.create_task(self._work())
        try:
            while (event := await self._events.get()) is not None:
                yield event
            await task
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait([task])
            fill(self._synthesis.evidence, self._state)
        if self._forced:
            raise SearchEnded("limit", f"The search was ended: {self._forced}.")

    async def _work(self) -> None:
        """Drive the graph to its end; a None tells that no more events will come."""
        failure: BaseException | None = None
        try:
            graph = plan_graph()
            async with graph.iter(state=self._state, deps=self._deps, inputs=self._move) as run:
                try:
                    await self._driven(run)
                except Exception as error:  # It is raised below, outside of the graph's tasks.
                    failure = error
            if failure is not None:
                raise failure
        except (SearchEnded, ScopeError, BudgetExceededError):
            raise
        except Exception as error:  # The run's fence: what was found becomes a document.
            logger.exception("A node of the plan failed")
            name = type(error).__name__
            message = f"A fault in Scope ended the run ({name}); the log has the details."
            raise SearchEnded("failed", message) from error
        finally:
            self._events.put_nowait(None)

    async def _driven(self, run: GraphRun) -> None:
        """Go from node to node; each that ended is kept before the next begins."""
        tasks = await self._next(run)
        if self._move.to != FIRST:
            self._redirect(run, tasks, self._move.to)
        self._decided()
        while self._move.to != END:
            self._stop.check()
            node = self._move.to
            tasks = await self._next(run)
            self._n_visits += 1
            self._move = tasks[0].inputs
            most = self._deps.settings.max_visits
            if self._n_visits >= most - 1 and self._move.to not in (LAST, END):
                self._move = Move(LAST, f"{most} visits of nodes are the most", is_limit=True)
                self._redirect(run, tasks, LAST)
            self._forced = self._forced or (self._move.reason if self._move.is_limit else "")
            await asyncio.to_thread(self._keep, node)
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
        run.override_next([GraphTaskRequest(NodeID(node), self._move, stack)])

    def _decided(self) -> None:
        self._events.put_nowait(Decided(self._move.to, self._move.reason))

    def _keep(self, node: str) -> None:
        """Write down the state after a node."""
        if self._log is None:
            return
        totals = self._calls.budget.totals
        usage = {
            "llm_calls": totals.llm_calls,
            "tokens_in": totals.tokens_in,
            "tokens_out": totals.tokens_out,
        }
        state = _STATE.dump_python(self._state, mode="json")
        had_trouble = bool(self._log.trouble)
        visit = Visit(self._n_visits, node, self._move.to, self._move.reason, usage, state)
        self._log.note(visit)
        if self._log.trouble and not had_trouble:
            self._events.put_nowait(Notice(self._log.trouble))

    def _last_words(self, reason: str) -> list[Notice]:
        """Return how to go on with a run that was cut short."""
        if self._log is None or self._log.trouble or reason in ("done", "index_incomplete"):
            return []
        name = self._log.run.name
        return [Notice(f"The run can go on: scope ask {quote(str(self._root))} --resume {name}")]
