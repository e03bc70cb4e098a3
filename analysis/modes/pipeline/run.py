"""The steps of a pipeline run, each an event or a few."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

from analysis.events import (
    CandidatesFound,
    Decided,
    Event,
    ModelReplied,
    Notice,
    PhaseStarted,
    UsageReported,
)
from analysis.llm.messages import Message, ModelRequest
from analysis.llm.structured import Structured, structured
from analysis.modes.discovery import discovered
from analysis.modes.explored import ScopeExplorationOutput, Wanted, resolved
from analysis.modes.first_look import first_look
from analysis.modes.job import Job
from analysis.modes.prompt_budget import Room, prompt_tokens
from analysis.modes.prompts import exploration_system, second_round
from analysis.modes.reading import read_wanted
from analysis.modes.scoped_request import may_see
from analysis.modes.synthesis import Synthesis, raise_if_ended

if TYPE_CHECKING:
    from analysis.models import Candidate

_MAX_ROUNDS = 2
EXPLORATION_OUTPUT = 2_000
_ROUND_OVERHEAD_TOKENS = 1_500


def run(job: Job) -> AsyncGenerator[Event]:
    """Yield the events of one question; the last one is ``RunFinished`` with a document."""
    return PipelineRun(job).events()


class PipelineRun:
    """One question, from ranking to the finished document."""

    def __init__(self, job: Job) -> None:
        self._request = job.request
        self._index = job.index
        self._calls = job.calls
        self._settings = job.settings.pipeline
        self._stop = job.stop
        self._synthesis = Synthesis(job, mode="pipeline")
        self.code = self._synthesis.code
        self._fences = self._synthesis.fences
        self._view = self._synthesis.view
        self._knowledge = self._synthesis.evidence
        self._may_repair = True

    async def events(self) -> AsyncGenerator[Event]:
        """Yield all events; whatever happens to the work, the last is a finished document."""
        async with aclosing(self._synthesis.run(self._search())) as events:
            async for event in events:
                yield event

    async def _search(self) -> AsyncGenerator[Event]:
        """Yield the events of discovery and exploration.

        Raises:
            Cancelled, BudgetExceededError, ModelError: The run ends early.
        """
        yield PhaseStarted("discovery")
        self._stop.check()
        self._synthesis.candidates = await asyncio.to_thread(self._discovered)
        yield CandidatesFound(self._synthesis.candidates)
        if not self._synthesis.candidates:
            yield Decided("ask no model", "nothing in the code matches the question")
            return
        async with aclosing(self._explore()) as events:
            async for event in events:
                yield event

    def _discovered(self) -> tuple[Candidate, ...]:
        return discovered(self._request, self._index, self._view, self.code)

    async def _explore(self) -> AsyncGenerator[Event]:
        """Yield the events of at most two rounds of reading."""
        prompt = await asyncio.to_thread(self.first_prompt)
        for number in range(1, _MAX_ROUNDS + 1):
            yield PhaseStarted("exploration", f"round {number}")
            found: Structured[ScopeExplorationOutput] | None = None
            async with aclosing(self._asked(prompt, number)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Structured):
                        found = piece
                    else:
                        yield piece
            assert found is not None, "the last piece is Structured"
            if found.data is None:
                raise_if_ended(found.reply)
                yield Decided("write the answer", "the model gave no usable list of what to read")
                return
            wanted = await asyncio.to_thread(self._learned, found.data)
            parts, reason = await asyncio.to_thread(self._read, wanted, found.data, number)
            yield Decided(
                "write the answer" if reason else "read on", reason or found.data.reasoning
            )
            if reason:
                return
            prompt = await asyncio.to_thread(self._next_prompt, parts, wanted)

    def first_prompt(self) -> str:
        """Return the user's message of the first round."""
        room = prompt_tokens(self._calls, EXPLORATION_OUTPUT)
        return first_look(
            self._request,
            self._synthesis.candidates,
            self.code,
            self._fences,
            self._settings,
            room,
            self._synthesis.about(),
        )

    def first_request(self) -> ModelRequest | None:
        """Return what the first call would send, without a call; None if nothing is found."""
        self._synthesis.candidates = self._discovered()
        if not self._synthesis.candidates:
            return None
        return self._exploration_request(self.first_prompt())

    def _exploration_request(self, prompt: str) -> ModelRequest:
        system = Message("system", exploration_system(self._fences.rule))
        return ModelRequest((system, Message("user", prompt)), max_output_tokens=EXPLORATION_OUTPUT)

    async def _asked(
        self, prompt: str, number: int
    ) -> AsyncGenerator[Notice | UsageReported | ModelReplied | Structured[ScopeExplorationOutput]]:
        """Make the call of one round."""
        request = self._exploration_request(prompt)
        pieces = structured(
            self._calls, request, ScopeExplorationOutput, purpose=f"exploration {number}",
            files=self.code.sent_files(), may_repair=self._may_repair,
        )  # fmt: skip
        async with aclosing(pieces):
            async for piece in pieces:
                if isinstance(piece, Structured):
                    self._may_repair = self._may_repair and not piece.n_repairs
                yield piece

    def _learned(self, output: ScopeExplorationOutput) -> Wanted:
        """Keep what a round found out, and return what it wants to read."""
        if output.preliminary_insights.strip():
            self._knowledge.insights.append(output.preliminary_insights.strip())
        self._knowledge.locations += output.key_locations
        return resolved(output, self.code, self._view)

    def _read(
        self, wanted: Wanted, output: ScopeExplorationOutput, number: int
    ) -> tuple[list[str], str]:
        """Read what is wanted; return it, and why there is no further round if there is none."""
        tokens = prompt_tokens(self._calls, EXPLORATION_OUTPUT) - _ROUND_OVERHEAD_TOKENS
        room = Room(tokens, self._settings.exploration_chars)
        parts, places = read_wanted(wanted, self.code, self._fences, self._settings, room)
        self._knowledge.read += places
        if output.sufficient_context:
            return parts, "the model has seen enough"
        if not parts and not wanted.problems:
            return parts, "the model asked for nothing new"
        if number == _MAX_ROUNDS:
            return parts, f"{_MAX_ROUNDS} rounds of reading are the most"
        return parts, ""

    def _next_prompt(self, parts: list[str], wanted: Wanted) -> str:
        """Return the user's message of the second round."""
        notes = self._knowledge.insights if may_see(self._request, "findings") else []
        known = "\n".join(f"- {note}" for note in notes) or "- nothing yet"
        seen = ", ".join(self.code.sent_files())
        pieces = [
            f"Question: {self._request.question}",
            f"What you know so far:\n{known}",
            f"Files that you have seen something of: {seen}",
            second_round(),
            *parts,
        ]
        if wanted.problems:
            pieces.append("Not found:\n" + "\n".join(f"- {p}" for p in wanted.problems))
        return "\n\n".join(pieces)
