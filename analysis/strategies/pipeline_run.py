"""The steps of a pipeline run, each an event or a few."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

from analysis.documents import CachedCode, OutputTarget
from analysis.documents.render import heading
from analysis.errors import Cancelled, ContextTooLong, ModelError, ModelRefused
from analysis.events import (
    CandidatesFound,
    Decided,
    Event,
    Notice,
    PhaseStarted,
    StopFlag,
    TextDelta,
    UsageReported,
)
from analysis.llm.budget import BudgetExceededError
from analysis.llm.calls import ModelCalls
from analysis.llm.messages import (
    Finished,
    Message,
    ModelReply,
    ModelRequest,
    TextPiece,
    TextTakenBack,
)
from analysis.llm.structured import Structured, structured
from analysis.settings import PipelineSettings
from analysis.strategies import asked
from analysis.strategies.closing import Closing
from analysis.strategies.explored import ScopeExplorationOutput, Wanted, resolved
from analysis.strategies.fences import Fences
from analysis.strategies.first_look import asked_about, first_look
from analysis.strategies.offline_run import Unread
from analysis.strategies.prompt_code import PromptCode
from analysis.strategies.prompts import exploration_system, second_round, synthesis_system
from analysis.strategies.reading import Knowledge, final_parts, read_wanted
from analysis.strategies.room import Room, prompt_tokens
from analysis.strategies.stop_reasons import StopReason
from analysis.strategies.streamed import CheckedStream

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.index.code_index import CodeIndex
    from analysis.models import AskRequest, Candidate, SymbolInfo

_MAX_ROUNDS = 2
EXPLORATION_OUTPUT = 2_000
FINAL_OUTPUT = 4_000
_ROUND_OVERHEAD_TOKENS = 1_500


class PipelineRun:
    """One question, from ranking to the finished document."""

    def __init__(
        self,
        request: AskRequest,
        access: SmartFileAccess,
        index: CodeIndex,
        calls: ModelCalls,
        settings: PipelineSettings,
        target: OutputTarget,
        stop: StopFlag,
        unread: Unread,
    ) -> None:
        self._request = request
        self._index = index
        self._calls = calls
        self._settings = settings
        self._stop = stop
        self._unread = unread
        self._fences = Fences()
        self._view = CachedCode(
            lambda: index.file_table().paths, access.files.read, index.outline, self._named
        )
        self.code = PromptCode(access, index.file_table().paths)
        self._candidates: tuple[Candidate, ...] = ()
        self._knowledge = Knowledge()
        self._may_repair = True
        self._query = request.question
        self._answer = CheckedStream(self._view, target.links())
        self._closing = Closing(request, access, index, calls, self._view, target, unread)

    async def events(self) -> AsyncGenerator[Event]:
        """Yield all events; whatever happens to the work, the last is a finished document."""
        reason: StopReason = "index_incomplete" if self._unread.gaps else "done"
        yield TextDelta(heading(self._request.question))
        try:
            async with aclosing(self._work()) as work:
                async for event in work:
                    yield event
        except Cancelled:
            reason = "cancelled"
        except BudgetExceededError as spent:
            reason = spent.stop_reason
            yield Notice(f"{spent} The answer is made of what was found by then.")
        except ModelError as error:
            refused = isinstance(error, ModelRefused | ContextTooLong)
            reason = "model_refused" if refused else "model_unavailable"
            yield Notice(str(error))
        yield PhaseStarted("verification")
        closing = self._closing.events(
            self._answer, self._knowledge, self._candidates, self.code, reason
        )
        async with aclosing(closing) as last:
            async for event in last:
                yield event

    async def _work(self) -> AsyncGenerator[Event]:
        """Yield the events of the three phases.

        Raises:
            Cancelled, BudgetExceededError, ModelError: The run ends early.
        """
        yield PhaseStarted("discovery")
        self._stop.check()
        self._candidates = await asyncio.to_thread(self._discovered)
        yield CandidatesFound(self._candidates)
        if not self._candidates:
            yield Decided("ask no model", "nothing in the code matches the question")
            return
        for phase in (self._explore(), self._synthesize()):
            async with aclosing(phase) as events:
                async for event in events:
                    yield event

    def _discovered(self) -> tuple[Candidate, ...]:
        """Return the places that ranking proposes, of which a model may see something."""
        from analysis.retrieval.search import SearchOptions, search

        view = asked.read(self._request, self._view)
        self._query = view.query
        location = self._request.location
        options = SearchOptions(
            top_k=self._request.top_k, location=location.path if location else None
        )
        result = search(self._index, view.query, options)
        found = [*result.candidates, *(c for more in result.more.values() for c in more)]
        allowed = frozenset(self.code.allow(candidate.path for candidate in found))
        return tuple(c for c in dict.fromkeys(found) if c.path in allowed)

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
                self._raise_unless_useless(found)
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
            self._request, self._candidates, self.code, self._fences, self._settings, room
        )

    def first_request(self) -> ModelRequest | None:
        """Return what the first call would send, without a call; None if nothing is found."""
        self._candidates = self._discovered()
        return self._exploration_request(self.first_prompt()) if self._candidates else None

    def _exploration_request(self, prompt: str) -> ModelRequest:
        system = Message("system", exploration_system(self._fences.rule))
        return ModelRequest((system, Message("user", prompt)), max_output_tokens=EXPLORATION_OUTPUT)

    async def _asked(
        self, prompt: str, number: int
    ) -> AsyncGenerator[Notice | UsageReported | Structured[ScopeExplorationOutput]]:
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

    def _raise_unless_useless(self, found: Structured[ScopeExplorationOutput]) -> None:
        """Raise what ends the run; an answer in the wrong form does not."""
        if found.reply.finish_reason == "cancelled":
            raise Cancelled("The run was stopped on request.")
        if found.reply.failure is not None:
            raise found.reply.failure

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
        known = "\n".join(f"- {note}" for note in self._knowledge.insights) or "- nothing yet"
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

    async def _synthesize(self) -> AsyncGenerator[Event]:
        """Yield the document's text as it comes, block by block and checked."""
        yield PhaseStarted("synthesis")
        prompt = await asyncio.to_thread(self._final_prompt)
        request = ModelRequest(
            (Message("system", synthesis_system(self._fences.rule)), Message("user", prompt)),
            max_output_tokens=FINAL_OUTPUT,
        )
        calls = self._calls.stream(
            request, purpose="synthesis", files=self.code.sent_files(), final=True
        )
        reply: ModelReply | None = None
        async with aclosing(calls) as pieces:
            async for piece in pieces:
                if isinstance(piece, Finished):
                    reply = piece.reply
                elif isinstance(piece, TextTakenBack):
                    self._answer.take_back()
                elif isinstance(piece, TextPiece):
                    for block in await asyncio.to_thread(self._answer.feed, piece.text):
                        yield TextDelta(block)
                else:
                    yield piece
        for block in await asyncio.to_thread(self._answer.finish):
            yield TextDelta(block)
        assert reply is not None, "the last piece of a call is Finished"
        self._closing.note_end(reply)
        if reply.finish_reason == "cancelled":
            raise Cancelled("The run was stopped on request.")
        if reply.failure is not None:
            raise reply.failure

    def _final_prompt(self) -> str:
        """Return the user's message of the last call."""
        room = prompt_tokens(self._calls, FINAL_OUTPUT, final=True)
        parts = final_parts(
            self._knowledge, self._candidates, self.code, self._fences, self._settings, room
        )
        about = asked_about(self._request, self.code, self._fences)
        return "\n\n".join([f"Question: {self._request.question}", *about, *parts])

    def _named(self, name: str) -> list[tuple[str, SymbolInfo]]:
        return [(row.path, row.info) for row in self._index.symbols_named(name)]
