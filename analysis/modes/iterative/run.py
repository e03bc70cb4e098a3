"""The rounds of iterative mode, each an event or a few."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

from analysis.events import CandidatesFound, Decided, Event, PhaseStarted
from analysis.llm.budget import BudgetExceededError
from analysis.llm.messages import Message, ModelRequest
from analysis.llm.structured import Structured, structured
from analysis.modes.discovery import discovered
from analysis.modes.iterative.adaptive import limits_for
from analysis.modes.iterative.prompts import system
from analysis.modes.iterative.round_report import RoundReport, places, report
from analysis.modes.iterative.rounds import FirstRoundOutput, RoundOutput
from analysis.modes.iterative.search import IterativeSearch
from analysis.modes.job import Job
from analysis.modes.query_profile import profile
from analysis.modes.stop_reasons import StopReason
from analysis.modes.synthesis import SearchEnded, Synthesis, raise_if_ended

if TYPE_CHECKING:
    from analysis.models import Candidate

ROUND_OUTPUT = 1_500
"""Most tokens that the model writes in a round."""
# With the one for the document these are five at most, a repair among them.
MAX_SEARCH_CALLS = 4


def run(job: Job) -> AsyncGenerator[Event]:
    """Yield the events of one question; the last one is ``RunFinished`` with a document."""
    return IterativeRun(job).events()


class IterativeRun:
    """One question, from ranking to the finished document."""

    def __init__(self, job: Job) -> None:
        self._request = job.request
        self._index = job.index
        self._calls = job.calls
        self._settings = job.settings.iterative
        self._stop = job.stop
        self._has_gaps = bool(job.unread.gaps)
        self._synthesis = Synthesis(job, mode="iterative")
        self.code = self._synthesis.code
        self._profile = profile(job.request.question, job.request.diagnostic)
        self._limits = limits_for(self._profile.complexity, self._settings)
        self._work = IterativeSearch(job, self._synthesis)
        self._work.limit(self._limits.max_lines)
        self._rounds: list[RoundReport] = []
        self._n_calls = 0
        self._may_repair = True
        self._reason: StopReason | None = None

    async def events(self) -> AsyncGenerator[Event]:
        """Yield all events; whatever happens to the work, the last is a finished document."""
        async with aclosing(self._synthesis.run(self._search())) as events:
            async for event in events:
                yield event

    def first_request(self) -> ModelRequest:
        """Return what the first call would send, without a call; blocking."""
        self._work.start(self._discovered())
        return self._round_request(1)

    async def _search(self) -> AsyncGenerator[Event]:
        """Yield the events of the rounds.

        Raises:
            SearchEnded: They came to an end of their own.
            Cancelled, ModelError: They were ended.
        """
        yield PhaseStarted("discovery")
        self._stop.check()
        candidates = await asyncio.to_thread(self._discovered)
        yield CandidatesFound(candidates)
        await asyncio.to_thread(self._work.start, candidates)
        yield self._limits_event("by the wording of the question")
        try:
            async with aclosing(self._all_rounds()) as events:
                async for event in events:
                    yield event
        finally:
            self._synthesis.evidence.remarks += report(self._rounds, self._reason)
        assert self._reason is not None, "the rounds end with a reason"
        self._synthesis.candidates = self._work.kept_candidates()
        if not self._has_gaps or self._reason == "budget_exhausted":
            raise SearchEnded(self._reason)

    def _discovered(self) -> tuple[Candidate, ...]:
        found = discovered(self._request, self._index, self._synthesis.view, self.code)
        self._synthesis.candidates = found
        return found

    async def _all_rounds(self) -> AsyncGenerator[Event]:
        """Yield the events of each round, until there is a reason to stop."""
        for number in itertools.count(1):
            self._stop.check()
            yield PhaseStarted("exploration", f"round {number}")
            this = RoundReport(number, self._limits.confidence)
            self._rounds.append(this)
            output: RoundOutput | None = None
            try:
                async with aclosing(self._asked(number)) as pieces:
                    async for piece in pieces:
                        if isinstance(piece, RoundOutput):
                            output = piece
                        else:
                            yield piece
            except BudgetExceededError as spent:
                self._rounds.pop()
                yield self._stopped("budget_exhausted", str(spent))
                return
            if output is None:
                yield self._stopped("no_more_actions", "the model gave no usable answer")
                return
            if isinstance(output, FirstRoundOutput):
                for event in self._refined(output, this):
                    yield event
            async with aclosing(self._one_round(output, this)) as events:
                async for event in events:
                    yield event
            if self._reason is not None:
                return

    async def _asked(self, number: int) -> AsyncGenerator[Event | RoundOutput]:
        """Make the call of one round; the last piece is its data, if it gave any."""
        request = await asyncio.to_thread(self._round_request, number)
        pieces = structured(
            self._calls, request, FirstRoundOutput if number == 1 else RoundOutput,
            purpose=f"round {number}", files=self.code.sent_files(), may_repair=self._may_repair,
        )  # fmt: skip
        async with aclosing(pieces):
            async for piece in pieces:
                if not isinstance(piece, Structured):
                    yield piece
                    continue
                self._n_calls += 1 + piece.n_repairs
                self._may_repair = self._may_repair and not piece.n_repairs
                if piece.data is not None:
                    yield piece.data
                else:
                    raise_if_ended(piece.reply)

    def _round_request(self, number: int) -> ModelRequest:
        """Return the request of one round."""
        words = system(self._work.specs, self._synthesis.fences.rule, is_first=number == 1)
        prompt = self._work.prompt(number, self._limits, self._profile, self._calls, ROUND_OUTPUT)
        return ModelRequest(
            (Message("system", words), Message("user", prompt)), max_output_tokens=ROUND_OUTPUT
        )

    def _refined(self, output: FirstRoundOutput, this: RoundReport) -> list[Event]:
        """Take over what the model made of the question; return what changes."""
        before = self._limits
        self._profile = self._profile.refined(output.complexity, output.query_type, output.keywords)
        self._limits = limits_for(self._profile.complexity, self._settings)
        self._work.limit(self._limits.max_lines)
        this.needed = self._limits.confidence
        return [] if before == self._limits else [self._limits_event("after the first answer")]

    async def _one_round(self, output: RoundOutput, this: RoundReport) -> AsyncGenerator[Event]:
        """Judge what the model said, and look up what it asks for; a reason ends the rounds."""
        this.confidence = output.confidence
        yield Decided(
            f"confidence {output.confidence}, {self._limits.confidence} needed", output.reasoning
        )
        is_grounded = await asyncio.to_thread(self._work.keep, output, this)
        if this.kept or this.dropped:
            yield Decided(
                f"keep {len(this.kept)} files, drop {len(this.dropped)}",
                f"kept: {', '.join(this.kept) or 'none'}; "
                f"dropped: {', '.join(this.dropped) or 'none'}",
            )
        if this.problems:
            yield Decided("ignore what is not there", " ".join(this.problems))
        if output.confidence >= self._limits.confidence and is_grounded:
            reached = f"{output.confidence} is at least {self._limits.confidence}"
            yield self._stopped("confidence_threshold_reached", reached)
            return
        async with aclosing(self._work.look_up(output, this)) as events:
            async for event in events:
                yield event
        if not this.asked and is_grounded:
            yield self._stopped("no_more_actions", "the model asked for nothing new")
            return
        yield Decided(
            f"gather {places(this.n_found)}, {this.n_related} by the call graph",
            ", ".join(self._work.new_labels) or "nothing new was found",
        )
        if self._work.is_full:
            spent = f"{self._limits.max_lines:,} lines of code are the most"
            yield self._stopped("budget_exhausted", spent)
        elif this.number >= self._limits.max_rounds or self._n_calls >= MAX_SEARCH_CALLS:
            yield self._stopped("max_rounds", f"{this.number} rounds are the most")

    def _stopped(self, reason: StopReason, why: str) -> Decided:
        self._reason = reason
        return Decided(f"stop: {reason}", why)

    def _limits_event(self, source: str) -> Decided:
        """Return the profile of the question and what follows from it."""
        found, limits = self._profile, self._limits
        return Decided(
            f"at most {limits.max_rounds} rounds, confidence {limits.confidence}, "
            f"{limits.max_lines:,} lines",
            f"complexity {found.complexity} of 100 ({found.level}), type {found.query_type}, "
            f"{source}",
        )
