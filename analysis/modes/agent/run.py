"""Answers with a model that chooses by itself what to look at, with tools and within limits."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from analysis.events import Decided, PhaseStarted, RunFinished, ToolCalled, ToolReturned
from analysis.llm.arguments import preview, prompted_calls, why_no_call, words_before_call
from analysis.llm.messages import ModelReply, ModelRequest, ToolCall
from analysis.llm.tokens import request_tokens
from analysis.llm.window import Result, Window
from analysis.modes.agent import prompts as agent_prompts
from analysis.modes.agent.repeats import Repeats
from analysis.modes.discovery import ranked_places
from analysis.modes.explored import KeyLocation
from analysis.modes.job import Job
from analysis.modes.mode_spec import ExpectedCall, ExpectedCalls
from analysis.modes.prompt_budget import prompt_tokens, request_limit
from analysis.modes.synthesis import SearchEnded, Synthesis, raise_if_ended
from analysis.stopping import Deadline
from analysis.tools.registry import AGENT_TOOLS, READING_TOOLS
from analysis.tools.tool import ScopedContextInput, Shown, ToolResult
from analysis.tools.toolbox import Toolbox

_Result = TypeVar("_Result")

TURN_OUTPUT = 2_000
"""Most tokens that the model writes in one turn."""
_MOST_CALLS = 8
# The model is told when so few turns are left.
_LAST_TURNS = 3
# What the model said on the way, for a document that it did not end the search for itself.
_MAX_THOUGHTS = 8
_MAX_THOUGHT = 1_500
_MAX_SUMMARY = 120


async def run(job: Job) -> RunFinished:
    """Answer a question; whatever happens to the search, there is a document in the end."""
    agent = await asyncio.to_thread(AgentRun, job)
    return await agent.run()


def expected(job: Job) -> ExpectedCalls:
    """Return what answering would send, without sending anything."""
    exact = request_tokens(AgentRun(job).next_request())
    each = f"each further turn, at most {job.settings.agent.turns - 1}"
    later = ExpectedCall(each, prompt_tokens(job.model, TURN_OUTPUT), TURN_OUTPUT)
    return ExpectedCalls((ExpectedCall("first turn", exact, TURN_OUTPUT, is_exact=True), later))


class AgentRun:
    """One question: think, call tools, read their results, until the model has enough.

    Making one ranks places for the question, which blocks.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._settings = job.settings.agent
        self._synthesis = Synthesis(job)
        self._toolbox = Toolbox(job.tool_context(), AGENT_TOOLS)
        self._names = [spec.name for spec in self._toolbox.specs]
        self._window = Window(
            agent_prompts.SYSTEM.format(rule=self._synthesis.fences.rule),
            "\n\n".join([self._synthesis.asked(), *ranked_places(job, self._synthesis.fences)]),
            full_turns=self._settings.full_turns,
        )
        self._synthesis.conversation = self._conversation
        self._repeats = Repeats(self._window)
        self._read_by: dict[str, tuple[Shown, ...]] = {}
        self._deadline = Deadline(self._settings.time_s)

    async def run(self) -> RunFinished:
        """Take turns until one of them ends the search, then write the document."""
        return await self._synthesis.run(self._search)

    async def _search(self) -> None:
        while True:
            await self.step()

    async def step(self) -> None:
        """Take one turn: ask the model, run what it calls, remember both.

        Raises:
            SearchEnded: The model knows enough, goes in circles, or a limit is reached.
            Cancelled, BudgetExceededError, ModelError: The run was ended.
        """
        self._check_limits()
        self._job.emit(PhaseStarted("exploration", f"turn {self._window.n_turns + 1}"))
        reply = await self._query()
        text, calls = self._said(reply)
        if not calls:
            self._note_words_alone(text)
            return
        self._job.emit(Decided(_decision(calls), text))
        results = await self._execute(calls)
        self._observe(replace(reply, text=text, tool_calls=calls), results)

    def next_request(self) -> ModelRequest:
        """Return what the next turn sends, within the limits.

        Raises:
            ContextTooLong: Not even the last turns fit.
        """
        limit = request_limit(self._job.model, TURN_OUTPUT)
        return self._window.request(
            self._toolbox.specs, max_output_tokens=TURN_OUTPUT, max_tokens=limit
        )

    def _conversation(self) -> ModelRequest | None:
        """Return the search so far, if the model still sees all of it."""
        if self._window.n_left_out or not self._window.n_turns:
            return None
        return self.next_request()

    def _check_limits(self) -> None:
        self._job.stop.check()
        if self._deadline.is_over:
            raise self._out_of_time()
        if self._window.n_turns >= self._settings.turns:
            raise SearchEnded("turns", f"The most are {self._settings.turns} turns.")

    async def _in_time(self, work: Awaitable[_Result]) -> _Result:
        """Return what the work comes to; when the time is over, it is cancelled."""
        try:
            async with asyncio.timeout(self._deadline.seconds_left()) as limit:
                return await work
        except TimeoutError as error:
            if limit.expired():
                raise self._out_of_time() from error
            raise

    def _out_of_time(self) -> SearchEnded:
        most = f"{self._settings.time_s:g} s"
        return SearchEnded("time", f"The search took {most}, which is the most.")

    async def _query(self) -> ModelReply:
        """Return what the model says in this turn."""
        n_before = self._window.n_left_out
        request = self.next_request()
        if self._window.ends_without_call():
            request = replace(request, tool_choice="required")
        if self._window.n_left_out > n_before:
            self._job.emit(Decided("shorten the conversation", self._left_out()))
        call = self._job.model.complete(
            request,
            purpose=f"agent {self._window.n_turns + 1}",
            files=self._job.code.sent_files(),
        )
        reply = await self._in_time(call)
        raise_if_ended(reply)
        return reply

    def _left_out(self) -> str:
        limit = request_limit(self._job.model, TURN_OUTPUT)
        return f"{self._window.n_left_out} older results do not fit into {limit:,} tokens"

    def _said(self, reply: ModelReply) -> tuple[str, tuple[ToolCall, ...]]:
        """Return the model's words and its calls, also of a model that writes calls as text."""
        calls = reply.tool_calls
        text = reply.text.strip()
        if not calls and (calls := prompted_calls(reply, self._names)):
            text = words_before_call(text)
        return text, self._window.with_own_ids(calls)

    def _note_words_alone(self, text: str) -> None:
        """Take note of a turn without a call: of words alone the second one is an answer."""
        had_no_call = self._window.ends_without_call()
        self._window.add_turn(text)
        self._note_thought(text)
        if text and had_no_call:
            if self._synthesis.evidence.is_empty:
                raise SearchEnded("no_progress", "The model answered without a look at the code.")
            reason = "the model answers without a further look"
            self._job.emit(Decided("write the answer", reason))
            raise SearchEnded
        self._repeats.note_malformed(is_malformed=True)
        wrong = why_no_call(text, self._names)
        self._window.say(
            f"No tool ran: {wrong}. {agent_prompts.NO_CALL}" if wrong else agent_prompts.NO_CALL
        )
        self._job.emit(Decided("ask for a call", "the model made none"))

    async def _execute(self, calls: Sequence[ToolCall]) -> list[ToolResult]:
        """Return the results of the calls of one turn, which run side by side."""
        self._repeats.start_turn()
        self._note_in_sight()
        known = [n < _MOST_CALLS and self._repeats.is_known(c) for n, c in enumerate(calls)]
        for call in calls:
            self._job.emit(ToolCalled(call.id, call.name, _shown_arguments(call)))
        pending = [
            self._answered(number, call, is_known=is_known)
            for number, (call, is_known) in enumerate(zip(calls, known, strict=True))
        ]
        done = await self._in_time(asyncio.gather(*pending))
        for call, (result, elapsed_s) in zip(calls, done, strict=True):
            elapsed_s = round(elapsed_s, 3)
            summary = _first_line(result)
            self._job.emit(
                ToolReturned(call.id, call.name, len(result.text), elapsed_s, result.ok, summary)
            )
        return [result for result, _ in done]

    def _note_in_sight(self) -> None:
        """Tell the tools which lines the conversation still shows, so that they bring new ones."""
        in_sight = self._toolbox.context.in_sight
        in_sight.clear()
        for call_id, places in self._read_by.items():
            if self._window.shows(call_id):
                for place in places:
                    lines = (place.line_start, place.line_end)
                    in_sight.setdefault(place.path, []).append(lines)

    def _observe(self, reply: ModelReply, results: Sequence[ToolResult]) -> None:
        """Remember a turn, keep as evidence what was read, and end the search if that is said."""
        text, calls = reply.text, reply.tool_calls
        found = [Result(r.text, r.priority, r.summary) for r in results]
        self._window.add_turn(text, calls, found, reply.thinking)
        self._read_by |= {
            call.id: result.shown
            for call, result in zip(calls, results, strict=True)
            if call.name in READING_TOOLS
        }
        evidence = self._synthesis.evidence
        for result in results:
            evidence.found += result.found
            evidence.read += [(s.path, s.line_start, s.line_end) for s in result.shown]
        self._note_thought(text)
        final = next((result.final for result in results if result.final is not None), None)
        if final is not None:
            self._conclude(final)
        left = self._settings.turns - self._window.n_turns
        if final is None and 0 < left <= _LAST_TURNS:
            self._window.say(agent_prompts.TURNS_LEFT.format(n=left))
        for call, result in list(zip(calls, results, strict=True))[:_MOST_CALLS]:
            self._repeats.note(call, result.problem)
        if final is not None:
            raise SearchEnded

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

    def _conclude(self, final: ScopedContextInput) -> None:
        """Keep what the model holds for the answer."""
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
