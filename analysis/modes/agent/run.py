"""Answers with a model that chooses by itself what to look at, with tools and within limits."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from analysis.events import Decided, Event, PhaseStarted, ToolCalled, ToolReturned
from analysis.llm.arguments import preview, prompted_calls, words_before_call
from analysis.llm.messages import (
    Finished,
    ModelReply,
    ModelRequest,
    TextPiece,
    TextTakenBack,
    ToolCall,
)
from analysis.llm.window import Result, Window
from analysis.modes.agent import prompts as agent_prompts
from analysis.modes.agent.deadline import Deadline
from analysis.modes.agent.repeats import Repeats
from analysis.modes.explored import KeyLocation
from analysis.modes.job import Job
from analysis.modes.prompt_budget import request_limit
from analysis.modes.synthesis import SearchEnded, Synthesis, raise_if_ended
from analysis.tools.registry import AGENT_TOOLS
from analysis.tools.tool import ScopedContextInput, ToolResult
from analysis.tools.toolbox import Toolbox

if TYPE_CHECKING:
    pass

TURN_OUTPUT = 2_000
"""Most tokens that the model writes in one turn."""
_MOST_CALLS = 8
# The model is told when so few turns are left.
_LAST_TURNS = 3
# What the model said on the way, for a document that it did not end the search for itself.
_MAX_THOUGHTS = 8
_MAX_THOUGHT = 1_500
_MAX_SUMMARY = 120


def run(job: Job) -> AsyncGenerator[Event]:
    """Yield the events of one question; the last one is ``RunFinished`` with a document."""
    return AgentRun(job).events()


class AgentRun:
    """One question: think, call tools, read their results, until the model has enough."""

    def __init__(self, job: Job) -> None:
        self._calls = job.calls
        self._settings = job.settings.agent
        self._stop = job.stop
        self._synthesis = Synthesis(job, mode="agent")
        self.code = self._synthesis.code
        self._toolbox = Toolbox(job.tool_context(self.code), AGENT_TOOLS)
        self._names = [spec.name for spec in self._toolbox.specs]
        self._window = Window(
            agent_prompts.agent_system(self._synthesis.fences.rule),
            self._synthesis.asked(),
            full_turns=self._settings.full_turns,
        )
        self._repeats = Repeats(self._window)
        self._deadline = Deadline(self._settings.time_s)
        self._is_over = False

    async def events(self) -> AsyncGenerator[Event]:
        """Yield all events; whatever happens to the search, the last is a finished document."""
        async with aclosing(self._synthesis.run(self._search())) as events:
            async for event in events:
                yield event

    def next_request(self) -> ModelRequest:
        """Return what the next turn sends, within the limits.

        Raises:
            ContextTooLong: Not even the last turns fit.
        """
        limit = request_limit(self._calls, TURN_OUTPUT)
        return self._window.request(
            self._toolbox.specs, max_output_tokens=TURN_OUTPUT, max_tokens=limit
        )

    async def _search(self) -> AsyncGenerator[Event]:
        """Yield the events of all turns.

        Raises:
            SearchEnded, Cancelled, BudgetExceededError, ModelError: The search ends early.
        """
        while not self._is_over:
            self._stop.check()
            self._deadline.check()
            if self._window.n_turns >= self._settings.turns:
                raise SearchEnded("turns", f"The most are {self._settings.turns} turns.")
            yield PhaseStarted("exploration", f"turn {self._window.n_turns + 1}")
            async with aclosing(self._turn()) as events:
                async for event in events:
                    yield event

    async def _turn(self) -> AsyncGenerator[Event]:
        """Yield the events of one turn: the model's call, then those of the tools."""
        reply = ModelReply("")
        n_before = self._window.n_left_out
        request = self.next_request()
        if self._window.n_left_out > n_before:
            yield Decided("shorten the conversation", self._left_out())
        stream = self._calls.stream(
            request,
            purpose=f"agent {self._window.n_turns + 1}",
            files=self.code.sent_files(),
        )
        async with aclosing(stream), aclosing(self._deadline.pieces(stream)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Finished):
                    reply = piece.reply
                elif not isinstance(piece, TextPiece | TextTakenBack):
                    yield piece
        raise_if_ended(reply)
        text, calls = self._said(reply)
        if not calls:
            yield self._without_call(text)
            return
        yield Decided(_decision(calls), text)
        async with aclosing(self._called(text, calls)) as events:
            async for event in events:
                yield event

    def _left_out(self) -> str:
        limit = request_limit(self._calls, TURN_OUTPUT)
        return f"{self._window.n_left_out} older results do not fit into {limit:,} tokens"

    def _said(self, reply: ModelReply) -> tuple[str, tuple[ToolCall, ...]]:
        """Return the model's words and its calls, also of a model that writes calls as text."""
        calls = reply.tool_calls
        text = reply.text.strip()
        if not calls and (calls := prompted_calls(reply, self._names)):
            text = words_before_call(text)
        return text, self._window.with_own_ids(calls)

    def _without_call(self, text: str) -> Decided:
        """Take note of a turn without a call: of words alone the second one is an answer."""
        had_no_call = self._window.ends_without_call()
        self._window.add_turn(text)
        self._note_thought(text)
        if text and had_no_call:
            if self._synthesis.evidence.is_empty:
                raise SearchEnded("no_progress", "The model answered without a look at the code.")
            self._is_over = True
            return Decided("write the answer", "the model answers without a further look")
        self._repeats.note_malformed(is_malformed=True)
        self._window.say(agent_prompts.NO_CALL)
        return Decided("ask for a call", "the model made none")

    async def _called(self, text: str, calls: Sequence[ToolCall]) -> AsyncGenerator[Event]:
        """Yield the events of the calls of one turn, which run side by side."""
        self._repeats.start_turn()
        known = [n < _MOST_CALLS and self._repeats.is_known(c) for n, c in enumerate(calls)]
        for call in calls:
            yield ToolCalled(call.id, call.name, _shown_arguments(call))
        pending = [
            self._answered(number, call, is_known=is_known)
            for number, (call, is_known) in enumerate(zip(calls, known, strict=True))
        ]
        done = await self._deadline.result(asyncio.gather(*pending))
        for call, (result, elapsed_s) in zip(calls, done, strict=True):
            yield ToolReturned(
                call.id, call.name, len(result.text), round(elapsed_s, 3), result.ok,
                _first_line(result),
            )  # fmt: skip
        results = [result for result, _ in done]
        self._window.add_turn(text, calls, [Result(r.text, r.priority, r.summary) for r in results])
        self._learn(text, results)
        left = self._settings.turns - self._window.n_turns
        if not self._is_over and 0 < left <= _LAST_TURNS:
            self._window.say(agent_prompts.hurry(left))
        for call, result in list(zip(calls, results, strict=True))[:_MOST_CALLS]:
            self._repeats.note(call, result.problem)

    async def _answered(
        self, number: int, call: ToolCall, *, is_known: bool
    ) -> tuple[ToolResult, float]:
        """Return what a call comes to, and the seconds that it took."""
        if number >= _MOST_CALLS:
            words = agent_prompts.TOO_MANY.format(n=_MOST_CALLS)
            return ToolResult(words, "high", ok=False), 0.0
        if is_known:
            words = agent_prompts.REPEATED
            return ToolResult(words, "high", "The same call as before.", ok=False), 0.0
        started = time.perf_counter()
        result = await self._toolbox.run(call)
        return result, time.perf_counter() - started

    def _learn(self, text: str, results: Sequence[ToolResult]) -> None:
        """Keep as evidence what the model has read, and take its conclusion if it gave one."""
        evidence = self._synthesis.evidence
        for result in results:
            evidence.found += result.found
            evidence.read += [(s.path, s.line_start, s.line_end) for s in result.shown]
        self._note_thought(text)
        final = next((result.final for result in results if result.final is not None), None)
        if final is not None:
            self._conclude(final)

    def _conclude(self, final: ScopedContextInput) -> None:
        """End the search with what the model holds for the answer."""
        evidence = self._synthesis.evidence
        evidence.files = list(final.relevant_file_paths)
        if final.insights.strip():
            evidence.insights = [final.insights.strip()]
        evidence.locations = [
            KeyLocation(
                path=item.path,
                line_start=item.line_start,
                line_end=item.line_end,
                symbol=item.symbol,
                description=item.description or "",
            )
            for item in final.code_references
        ]
        self._is_over = True

    def _note_thought(self, text: str) -> None:
        """Keep what the model says; before it has read anything it knows nothing."""
        evidence = self._synthesis.evidence
        if text and evidence.read:
            evidence.insights.append(text[:_MAX_THOUGHT])
            del evidence.insights[:-_MAX_THOUGHTS]


def _decision(calls: Sequence[ToolCall]) -> str:
    """Return what the model does now, in a few words."""
    names = dict.fromkeys(preview(call.name) for call in calls)
    return f"call {', '.join(names)}"


def _first_line(result: ToolResult) -> str:
    """Return in a few words what a call came to, for those who watch."""
    text = result.text if result.ok else result.summary or result.text
    return (text.strip().splitlines() or [""])[0][:_MAX_SUMMARY]


def _shown_arguments(call: ToolCall) -> dict[str, Any]:
    """Return a call's arguments for those who watch, also where they are no JSON."""
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return {"": preview(call.arguments)}
    return arguments if isinstance(arguments, dict) else {"": preview(call.arguments)}
