"""One run of plan mode: drives the graph, holds its limits, keeps each step, tells what happens."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from pydantic_graph import Decision, EndMarker, GraphRun, GraphTask, GraphTaskRequest
from pydantic_graph.id_types import NodeID

from analysis.errors import Cancelled, ModelError, ScopeError
from analysis.events import CandidatesFound, Decided, PhaseStarted, RunFinished
from analysis.llm.budget import BudgetExceededError
from analysis.llm.messages import Message, ModelRequest
from analysis.llm.structured import tokens_with_schema
from analysis.modes.discovery import discovered
from analysis.modes.earlier import earlier_answer
from analysis.modes.job import Job
from analysis.modes.mode_spec import ExpectedCall, ExpectedCalls
from analysis.modes.plan.evidence import fill, report
from analysis.modes.plan.executor import STEP_OUTPUT
from analysis.modes.plan.graph import FIRST, LAST, plan_graph, topology
from analysis.modes.plan.nodes import PLAN_OUTPUT, Move, PlanDeps, plan_request
from analysis.modes.plan.prompts import SYNTHESIZER, Plan
from analysis.modes.plan.run_persistence import Checkpoint, RunPersistence
from analysis.modes.plan.state import PlanState
from analysis.modes.prompt_budget import prompt_tokens
from analysis.modes.synthesis import SearchEnded, Synthesis
from analysis.modes.topology import END, START
from analysis.tools.fences import Fences
from analysis.tools.registry import PLAN_TOOLS
from analysis.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from analysis.models import Candidate

logger = logging.getLogger(__name__)


__all__ = ["expected", "run", "topology"]


async def run(job: Job) -> RunFinished:
    """Answer a question; whatever happens to the search, there is a document in the end."""
    return await PlanRun(job).run()


def expected(job: Job) -> ExpectedCalls:
    """Return what answering would send, without sending anything; blocking."""
    exact = tokens_with_schema(PlanRun(job).first_request(), Plan)
    each = "each call of a step, refinery or further plan"
    later = ExpectedCall(each, prompt_tokens(job.model, STEP_OUTPUT), STEP_OUTPUT)
    return ExpectedCalls((ExpectedCall("first plan", exact, PLAN_OUTPUT, is_exact=True), later))


class PlanRun:
    """One question, from the first plan to the finished document."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._synthesis = Synthesis(job, SYNTHESIZER)
        self._deps = PlanDeps(
            job=job,
            toolbox=Toolbox(job.tool_context(), PLAN_TOOLS),
            synthesis=self._synthesis,
        )
        self._at = Checkpoint(PlanState(job.request.question), Move(FIRST, "the run begins"))
        self._persistence = RunPersistence(job)
        self._forced = ""

    async def run(self) -> RunFinished:
        """Drive the graph and write the document.

        Raises:
            BadInput: The run to go on with is not there, or cannot be gone on with.
        """
        await asyncio.to_thread(self._open)
        # A run has ended only when its document is written: until then it can go on.
        self._job.at_end.callback(self._persistence.close)
        finished = await self._synthesis.run(self._search)
        self._persistence.note_end(finished.stop_reason)
        return finished

    def first_request(self) -> ModelRequest:
        """Return what the first call would send, without a call."""
        self._discovered()
        self._at.state.chat_history = _history_of(self._job)
        return plan_request(self._at.state, self._deps)

    def _open(self) -> None:
        """Begin to keep the run, or read how far it had come."""
        name = self._job.request.resume
        if name is None:
            self._at.state.chat_history = _history_of(self._job)
            self._persistence.begin()
            self._persistence.keep(START, self._at)
            return
        self._at = self._persistence.take_up(name, self._at)
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

    async def _search(self) -> None:
        """Go through the graph.

        Raises:
            SearchEnded, Cancelled, BudgetExceededError, ModelError: The run ends early.
        """
        try:
            self._job.emit(PhaseStarted("discovery"))
            self._job.stop.check()
            self._job.emit(CandidatesFound(await asyncio.to_thread(self._discovered)))
            if self._at.move.to == END:
                # The run was killed before it had a document; its answer was kept.
                fill(self._synthesis.evidence, self._at.state)
                await self._synthesis.write(self._at.state.response)
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
            evidence = self._synthesis.evidence
            fill(evidence, self._at.state)
            evidence.remarks[:] = report(self._at.state, is_limited=bool(self._forced))
        if self._forced:
            raise SearchEnded("limit", f"The search was ended: {self._forced}.")

    def _discovered(self) -> tuple[Candidate, ...]:
        self._synthesis.candidates = discovered(self._job)
        return self._synthesis.candidates

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
            self._job.stop.check()
            node = self._at.move.to
            tasks = await self._next(run)
            self._at.n_visits += 1
            self._at.move = tasks[0].inputs
            most = self._deps.settings.max_visits
            if self._at.n_visits >= most - 1 and self._at.move.to not in (LAST, END):
                self._at.move = Move(LAST, f"{most} visits of nodes are the most", is_limit=True)
                self._redirect(run, tasks, LAST)
            self._forced = self._forced or (self._at.move.reason if self._at.move.is_limit else "")
            await asyncio.to_thread(self._persistence.keep, node, self._at)
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
        self._job.emit(Decided(self._at.move.to, self._at.move.reason))


def _history_of(job: Job) -> list[Message]:
    """Return the question and the findings that a question follows up on; blocking."""
    # The history outlives this run and its fences; prompts quote it with their own.
    answer = earlier_answer(job, Fences("earlier"))
    if answer is None:
        return []
    question, parts = answer
    return [Message("user", question), Message("assistant", "\n\n".join(parts))]
