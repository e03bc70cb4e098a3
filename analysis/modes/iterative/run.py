"""The rounds of iterative mode, each an event or a few."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING

from analysis.events import CandidatesFound, Decided, PhaseStarted, RunFinished
from analysis.llm.budget import BudgetExceededError
from analysis.llm.messages import Message, ModelRequest
from analysis.llm.structured import structured, tokens_with_schema
from analysis.modes.discovery import discovered
from analysis.modes.iterative.adaptive import limits_for
from analysis.modes.iterative.prompts import system
from analysis.modes.iterative.round_report import RoundReport, places, report
from analysis.modes.iterative.rounds import FirstRoundOutput, RoundOutput
from analysis.modes.iterative.search import IterativeSearch
from analysis.modes.job import Job
from analysis.modes.mode_spec import ExpectedCall, ExpectedCalls
from analysis.modes.prompt_budget import prompt_tokens
from analysis.modes.query_profile import profile
from analysis.modes.stop_reasons import StopReason
from analysis.modes.synthesis import SearchEnded, Synthesis, raise_if_ended

if TYPE_CHECKING:
    from analysis.models import Candidate

ROUND_OUTPUT = 1_500
"""Most tokens that the model writes in a round."""
# With the one for the document these are five at most, a repair among them.
MAX_SEARCH_CALLS = 4


async def run(job: Job) -> RunFinished:
    """Answer a question; whatever happens to the search, there is a document in the end."""
    return await IterativeRun(job).run()


def expected(job: Job) -> ExpectedCalls:
    """Return what answering would send, without sending anything; blocking."""
    exact = tokens_with_schema(IterativeRun(job).first_request(), FirstRoundOutput)
    each = f"each further round, at most {MAX_SEARCH_CALLS - 1}"
    later = ExpectedCall(each, prompt_tokens(job.model, ROUND_OUTPUT), ROUND_OUTPUT)
    return ExpectedCalls((ExpectedCall("first round", exact, ROUND_OUTPUT, is_exact=True), later))


class IterativeRun:
    """One question, from ranking to the finished document."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._settings = job.settings.iterative
        self._synthesis = Synthesis(job)
        self._profile = profile(job.request.question, job.request.diagnostic)
        self._limits = limits_for(self._profile.complexity, self._settings)
        self._work = IterativeSearch(job, self._synthesis)
        self._work.limit(self._limits.max_lines)
        self._rounds: list[RoundReport] = []
        self._n_calls = 0
        self._may_repair = True
        self._reason: StopReason | None = None

    async def run(self) -> RunFinished:
        """Look things up round by round, and write the document."""
        return await self._synthesis.run(self._search)

    def first_request(self) -> ModelRequest:
        """Return what the first call would send, without a call; blocking."""
        self._work.start(self._discovered())
        return self._round_request(1)

    async def _search(self) -> None:
        """Go through the rounds.

        Raises:
            SearchEnded: They came to an end of their own.
            Cancelled, ModelError: They were ended.
        """
        self._job.emit(PhaseStarted("discovery"))
        self._job.stop.check()
        candidates = await asyncio.to_thread(self._discovered)
        self._job.emit(CandidatesFound(candidates))
        await asyncio.to_thread(self._work.start, candidates)
        self._show_limits("by the wording of the question")
        try:
            for number in itertools.count(1):
                await self._round(number)
        except _RoundsEnded as ending:
            self._reason = ending.reason
            self._job.emit(Decided(f"stop: {ending.reason}", ending.why))
        finally:
            self._synthesis.evidence.remarks += report(self._rounds, self._reason)
        assert self._reason is not None, "the rounds end with a reason"
        self._synthesis.candidates = self._work.kept_candidates()
        if not self._job.unread.gaps or self._reason == "budget_exhausted":
            raise SearchEnded(self._reason)

    def _discovered(self) -> tuple[Candidate, ...]:
        found = discovered(self._job)
        self._synthesis.candidates = found
        return found

    async def _round(self, number: int) -> None:
        """Ask the model what it knows and wants, and look that up.

        Raises:
            _RoundsEnded: There is no further round.
        """
        self._job.stop.check()
        self._job.emit(PhaseStarted("exploration", f"round {number}"))
        this = RoundReport(number, self._limits.confidence)
        self._rounds.append(this)
        try:
            output = await self._asked(number)
        except BudgetExceededError as spent:
            self._rounds.pop()
            raise _RoundsEnded("budget_exhausted", str(spent)) from spent
        if isinstance(output, FirstRoundOutput):
            self._refine(output, this)
        is_grounded = await self._judge(output, this)
        await self._look_up(output, this, is_grounded=is_grounded)

    async def _asked(self, number: int) -> RoundOutput:
        """Make the call of one round."""
        request = await asyncio.to_thread(self._round_request, number)
        found = await structured(
            self._job.model,
            request,
            FirstRoundOutput if number == 1 else RoundOutput,
            purpose=f"round {number}",
            files=self._job.code.sent_files(),
            may_repair=self._may_repair,
        )
        self._n_calls += 1 + found.n_repairs
        self._may_repair = self._may_repair and not found.n_repairs
        if found.data is None:
            raise_if_ended(found.reply)
            raise _RoundsEnded("no_more_actions", "the model gave no usable answer")
        return found.data

    def _round_request(self, number: int) -> ModelRequest:
        """Return the request of one round."""
        words = system(self._work.specs, self._synthesis.fences.rule)
        prompt = self._work.prompt(number, self._limits, self._profile, ROUND_OUTPUT)
        return ModelRequest(
            (Message("system", words), Message("user", prompt)), max_output_tokens=ROUND_OUTPUT
        )

    def _refine(self, output: FirstRoundOutput, this: RoundReport) -> None:
        """Take over what the model made of the question."""
        before = self._limits
        self._profile = self._profile.refined(output.complexity, output.query_type, output.keywords)
        self._limits = limits_for(self._profile.complexity, self._settings)
        self._work.limit(self._limits.max_lines)
        this.needed = self._limits.confidence
        if before != self._limits:
            self._show_limits("after the first answer")

    async def _judge(self, output: RoundOutput, this: RoundReport) -> bool:
        """Take over what the model makes of the code; return whether it speaks of this code."""
        this.confidence = output.confidence
        needed = self._limits.confidence
        self._job.emit(
            Decided(f"confidence {output.confidence}, {needed} needed", output.reasoning)
        )
        is_grounded = await asyncio.to_thread(self._work.keep, output, this)
        if this.kept or this.dropped:
            kept, dropped = ", ".join(this.kept) or "none", ", ".join(this.dropped) or "none"
            decision = f"keep {len(this.kept)} files, drop {len(this.dropped)}"
            self._job.emit(Decided(decision, f"kept: {kept}; dropped: {dropped}"))
        if this.problems:
            self._job.emit(Decided("ignore what is not there", " ".join(this.problems)))
        if output.confidence >= needed and is_grounded:
            reached = f"{output.confidence} is at least {needed}"
            raise _RoundsEnded("confidence_threshold_reached", reached)
        return is_grounded

    async def _look_up(self, output: RoundOutput, this: RoundReport, *, is_grounded: bool) -> None:
        """Look up what the model asks for."""
        await self._work.look_up(output, this)
        if not this.asked and is_grounded:
            raise _RoundsEnded("no_more_actions", "the model asked for nothing new")
        decision = f"gather {places(this.n_found)}, {this.n_related} by the call graph"
        labels = ", ".join(self._work.new_labels) or "nothing new was found"
        self._job.emit(Decided(decision, labels))
        if self._work.is_full:
            spent = f"{self._limits.max_lines:,} lines of code are the most"
            raise _RoundsEnded("budget_exhausted", spent)
        if this.number >= self._limits.max_rounds or self._n_calls >= MAX_SEARCH_CALLS:
            raise _RoundsEnded("max_rounds", f"{this.number} rounds are the most")

    def _show_limits(self, source: str) -> None:
        """Show the profile of the question and what follows from it."""
        found, limits = self._profile, self._limits
        decision = (
            f"at most {limits.max_rounds} rounds, confidence {limits.confidence}, "
            f"{limits.max_lines:,} lines"
        )
        about = f"complexity {found.complexity} of 100 ({found.level}), type {found.query_type}"
        self._job.emit(Decided(decision, f"{about}, {source}"))


class _RoundsEnded(Exception):
    """Raised when there is no further round, for a reason that the document names."""

    def __init__(self, reason: StopReason, why: str) -> None:
        super().__init__(why)
        self.reason = reason
        self.why = why
