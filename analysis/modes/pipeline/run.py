"""The steps of a pipeline run, each an event or a few."""

from __future__ import annotations

import asyncio

from analysis.documents.code import definitions
from analysis.events import CandidatesFound, Decided, PhaseStarted, RunFinished
from analysis.llm.messages import Message, ModelRequest
from analysis.llm.structured import Structured, structured, tokens_with_schema
from analysis.modes.discovery import discovered, places_named
from analysis.modes.explored import ScopeExplorationOutput, Wanted, resolved
from analysis.modes.first_look import first_look
from analysis.modes.job import Job
from analysis.modes.mode_spec import ExpectedCall, ExpectedCalls
from analysis.modes.prompt_budget import Room, prompt_tokens
from analysis.modes.reading import read_wanted
from analysis.modes.scoped_request import may_see
from analysis.modes.synthesis import Synthesis, raise_if_ended

_MAX_ROUNDS = 2
# Of what the model's own words lead to, so many definitions are read without being asked for.
_READ_BY_WORDS = 4
EXPLORATION_OUTPUT = 2_000
_ROUND_OVERHEAD_TOKENS = 1_500
_EXPLORE = """\
You find the code that answers a developer's question about a repository. You see outlines of the
files that fit best and parts of them; lines are numbered. Note what you know so far
(preliminary_insights) and the places that matter (key_locations), with the line numbers that you
see. Say in a sentence what is missing (reasoning), and set sufficient_context when what you have
seen is enough. Else name what you have to read to answer truthfully: single definitions
(symbols_to_read) rather than whole files (additional_files_needed). Unless you see the very
place, name 4 to 8 words that its identifiers may have (search_words): what code of this kind calls
the thing, which the question may say in other words. They are searched for.

{rule}"""
_SECOND_ROUND = """\
The code above is what you asked for. Now follow what is still open: imports, related tests,
configuration. It is the last round of reading: ask only for what the answer cannot do without."""


async def run(job: Job) -> RunFinished:
    """Answer a question; whatever happens to the search, there is a document in the end."""
    return await PipelineRun(job).run()


def expected(job: Job) -> ExpectedCalls:
    """Return what answering would send, without sending anything; blocking."""
    first = PipelineRun(job).first_request()
    if first is None:
        return ExpectedCalls((), "Nothing in the code matches: no model is asked.")
    exact = tokens_with_schema(first, ScopeExplorationOutput)
    later = prompt_tokens(job.model, EXPLORATION_OUTPUT)
    calls = (
        ExpectedCall("exploration, first round", exact, EXPLORATION_OUTPUT, is_exact=True),
        ExpectedCall("exploration, second round", later, EXPLORATION_OUTPUT),
    )
    return ExpectedCalls(calls, "")


class PipelineRun:
    """One question, from ranking to the finished document."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._settings = job.settings.pipeline
        self._synthesis = Synthesis(job)
        self._fences = self._synthesis.fences
        self._evidence = self._synthesis.evidence
        self._may_repair = True

    async def run(self) -> RunFinished:
        """Find places, read what the model asks for, and write the document."""
        return await self._synthesis.run(self._search)

    async def _search(self) -> None:
        """Discover and explore.

        Raises:
            Cancelled, BudgetExceededError, ModelError: The run ends early.
        """
        self._job.emit(PhaseStarted("discovery"))
        self._job.stop.check()
        self._synthesis.candidates = await asyncio.to_thread(discovered, self._job)
        self._job.emit(CandidatesFound(self._synthesis.candidates))
        if not self._synthesis.candidates:
            self._job.emit(Decided("ask no model", "nothing in the code matches the question"))
            return
        prompt: str | None = await asyncio.to_thread(self._first_prompt)
        for number in range(1, _MAX_ROUNDS + 1):
            if prompt is not None:
                prompt = await self._round(prompt, number)

    async def _round(self, prompt: str, number: int) -> str | None:
        """Let the model choose what to read, and read it.

        Returns:
            The prompt of the next round; None if there is none.
        """
        self._job.emit(PhaseStarted("exploration", f"round {number}"))
        found = await self._asked(prompt, number)
        if found.data is None:
            raise_if_ended(found.reply)
            reason = "the model gave no usable list of what to read"
            self._job.emit(Decided("write the answer", reason))
            return None
        wanted = await asyncio.to_thread(self._learned, found.data)
        parts, reason = await asyncio.to_thread(self._read, wanted, found.data, number)
        decision = "write the answer" if reason else "read on"
        self._job.emit(Decided(decision, reason or found.data.reasoning))
        return None if reason else await asyncio.to_thread(self._next_prompt, parts, wanted)

    def _first_prompt(self) -> str:
        """Return the user's message of the first round."""
        return first_look(
            self._job,
            self._synthesis.candidates,
            self._fences,
            prompt_tokens(self._job.model, EXPLORATION_OUTPUT),
            self._synthesis.about(),
        )

    def first_request(self) -> ModelRequest | None:
        """Return what the first call would send, without a call; None if nothing is found."""
        self._synthesis.candidates = discovered(self._job)
        if not self._synthesis.candidates:
            return None
        return self._exploration_request(self._first_prompt())

    def _exploration_request(self, prompt: str) -> ModelRequest:
        system = Message("system", _EXPLORE.format(rule=self._fences.rule))
        return ModelRequest((system, Message("user", prompt)), max_output_tokens=EXPLORATION_OUTPUT)

    async def _asked(self, prompt: str, number: int) -> Structured[ScopeExplorationOutput]:
        """Make the call of one round."""
        found = await structured(
            self._job.model,
            self._exploration_request(prompt),
            ScopeExplorationOutput,
            purpose=f"exploration {number}",
            files=self._job.code.sent_files(),
            may_repair=self._may_repair,
        )
        self._may_repair = self._may_repair and not found.n_repairs
        return found

    def _learned(self, output: ScopeExplorationOutput) -> Wanted:
        """Keep what a round found out, and return what it wants to read."""
        if output.preliminary_insights.strip():
            self._evidence.insights.append(output.preliminary_insights.strip())
        self._evidence.locations += output.key_locations
        return resolved(output, self._job.code, self._job.view)

    def _read(
        self, wanted: Wanted, output: ScopeExplorationOutput, number: int
    ) -> tuple[list[str], str]:
        """Read what is wanted; return it, and why there is no further round if there is none."""
        tokens = prompt_tokens(self._job.model, EXPLORATION_OUTPUT) - _ROUND_OVERHEAD_TOKENS
        room = Room(tokens, self._settings.exploration_chars)
        found: list[str] = []
        if output.search_words and not output.sufficient_context and number < _MAX_ROUNDS:
            found = [p for p in self._found_by(output.search_words, wanted) if room.take(p)]
        parts, places = read_wanted(wanted, self._job, self._fences, room)
        self._evidence.read += places
        parts += found
        if output.sufficient_context:
            return parts, "the model has seen enough"
        if not parts and not wanted.problems:
            return parts, "the model asked for nothing new"
        if number == _MAX_ROUNDS:
            return parts, f"{_MAX_ROUNDS} rounds of reading are the most"
        return parts, ""

    def _found_by(self, words: list[str], wanted: Wanted) -> list[str]:
        """Search with the model's words too; what is found best is read next, and all is named."""
        job = self._job
        known = frozenset(self._synthesis.candidates)
        new = [place for place in discovered(job, words) if place not in known]
        job.emit(Decided(f"search for {', '.join(words)} too", "the code may call it so"))
        for place in new[:_READ_BY_WORDS]:
            named = definitions(job.view, place.path, place.symbol) if place.symbol else ()
            wanted.symbols += [(place.path, info) for info in named[:1]]
        wanted.symbols = list(dict.fromkeys(wanted.symbols))
        self._synthesis.candidates = (*new, *self._synthesis.candidates)
        return places_named(new, job, self._fences, "places that fit these words too")

    def _next_prompt(self, parts: list[str], wanted: Wanted) -> str:
        """Return the user's message of the second round."""
        notes = self._evidence.insights if may_see(self._job.request, "findings") else []
        known = "\n".join(f"- {note}" for note in notes) or "- nothing yet"
        seen = ", ".join(self._job.code.sent_files())
        pieces = [
            *parts,
            f"Files that you have seen something of: {seen}",
            f"What you know so far:\n{known}",
        ]
        if wanted.problems:
            pieces.append("Not found:\n" + "\n".join(f"- {p}" for p in wanted.problems))
        asked = f"Question: {self._job.request.question}"
        return "\n\n".join([*pieces, _SECOND_ROUND, asked])
