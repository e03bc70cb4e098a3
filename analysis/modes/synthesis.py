"""What every mode with a model ends with: one document from the evidence, however the search ended.

A mode searches in its own way and fills in ``evidence``; ``Synthesis`` does the rest: it maps each
way to end to a stop reason, lets the model write the document from the evidence (the budget keeps
a reserve for that), checks its citations while it streams, and writes from the code alone where
the model is gone or nothing is left to pay it with.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis.errors import Cancelled, ContextTooLong, ModelError, ModelRefused, NotApproved
from analysis.events import Notice, PhaseStarted, RunFinished, TextDelta
from analysis.llm.budget import BudgetExceededError
from analysis.llm.configured import FINAL_OUTPUT
from analysis.llm.messages import Message, ModelReply, ModelRequest, TextPiece, Words
from analysis.llm.tokens import request_tokens
from analysis.modes.document_assembly import DocumentAssembly
from analysis.modes.earlier import earlier_findings
from analysis.modes.final_code import SeenCode, final_parts
from analysis.modes.first_look import asked_about
from analysis.modes.job import Job
from analysis.modes.prompt_budget import prompt_tokens
from analysis.modes.reading import SearchEvidence
from analysis.modes.scoped_request import may_see
from analysis.modes.stop_reasons import StopReason
from analysis.modes.streamed import CheckedStream
from analysis.tools.fences import Fences

if TYPE_CHECKING:
    from analysis.models import Candidate

SYSTEM = """\
You answer a developer's question about a repository in markdown, from the code below and nothing
else. If the code does not show it, say so.

- Begin with a section "## Summary" of at most 150 words that answers the question.
- Go on with sections of your own that show how it works, then "## Key Files".
- Give a usage example only if the question asks how to use something.
- Cite code as `path:start-end`, with the name of the definition around the lines directly before
  each citation, as in: `login()` at `src/auth.py:10-24`. Use only paths and line numbers that you
  see. Whether that name stands on those lines is checked, and shown to the reader.
- No front matter, no list of references at the end: both are added.

{rule}"""
"""The system's words for the document; ``rule`` says how text of the repository is quoted."""


_NOW_WRITE = (
    "The search is over: call no tool any more, and write the document now, from the code above "
    "and below."
)
# Less beside a conversation holds no code.
_LEAST_ROOM = 2_000
_GO_ON = (
    "Your answer was cut here, at the most that you may write at once. Write the rest of it, from "
    "the next paragraph on; repeat nothing, and come to an end."
)
"""Said after an answer that was cut."""
_GOES_ON = "The answer was cut at the most that the model may write at once; it is asked to go on."
_MORE_ROOM = "Raise 'model.output_tokens', or ask for less at once."


class SearchEnded(Exception):
    """Raised by a mode's search to end it; the document is written from the evidence."""

    def __init__(self, reason: StopReason = "done", message: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        """What the document will say; ``done`` if the search simply has what it needs."""


class Synthesis:
    """One run of a mode with a model; the mode's search fills in what the document is made of."""

    def __init__(self, job: Job, system: str = SYSTEM) -> None:
        """Make the synthesis of one run.

        Args:
            job: The question, the code base, and the way to the model.
            system: The system's words for the document.
        """
        self.fences = Fences()
        """How text of the repository is quoted in all prompts of the run."""
        self.evidence = SearchEvidence()
        """What the search has found; filled in by the mode while it runs."""
        self.candidates: tuple[Candidate, ...] = ()
        """Ranked places, for a mode that starts with them: they fill up the document's prompt."""
        self.conversation: Callable[[], ModelRequest | None] | None = None
        """The search as a conversation that the model still sees whole, for a mode that has one;
        the request for the document then goes on from it."""
        self._job = job
        self._answer = CheckedStream(job.view, job.target.links(), job.code)
        self._is_written = False
        self._system = system
        self._assembly = DocumentAssembly(job, self._answer, self.evidence)

    async def run(self, search: Callable[[], Awaitable[None]]) -> RunFinished:
        """Search, write, and return the document with how the run ended.

        Args:
            search: The mode's work, which may end with ``write()``. It may raise
                ``SearchEnded``, ``Cancelled``, ``BudgetExceededError`` or ``ModelError``; after
                the first and the third the document is still written by the model.
        """
        emit = self._job.emit
        reason: StopReason = "index_incomplete" if self._job.unread.gaps else "done"
        emit(TextDelta(self._assembly.title()))
        for phase in (search, self.write):
            try:
                await phase()
            except (SearchEnded, Cancelled, BudgetExceededError, ModelError) as ending:
                ended_as, notice = _meaning(ending)
                reason = reason if ended_as == "done" else ended_as
                self._assembly.note_ending(ending if isinstance(ending, SearchEnded) else None)
                if notice:
                    emit(Notice(notice))
                # What is not based on anything found is better written without a model.
                is_written = isinstance(ending, SearchEnded | BudgetExceededError)
                if not is_written or self.evidence.is_empty:
                    break
        emit(PhaseStarted("verification"))
        return await asyncio.to_thread(self._assembly.finished, self.candidates, reason)

    def asked(self) -> str:
        """Return the question with what the asker looks at, as a prompt's first words."""
        return "\n\n".join([f"Question: {self._job.request.question}", *self.about()])

    def about(self) -> list[str]:
        """Return what goes along with the question: an earlier answer, what the asker looks at."""
        earlier = earlier_findings(self._job, self.fences)
        return [*earlier, *asked_about(self._job, self.fences)]

    @property
    def text(self) -> str:
        """The answer so far, as the model wrote it."""
        return self._answer.text

    async def write(self, text: str = "") -> None:
        """Let the model write the document, shown block by block and checked; only once.

        Args:
            text: An answer that was written before, so that no model is asked.
        """
        if self._is_written or not (text or self.candidates or not self.evidence.is_empty):
            return  # There is nothing that a model could write from.
        self._is_written = True
        self._job.emit(PhaseStarted("synthesis"))
        if text:
            await self._show(TextPiece(text))
            await asyncio.to_thread(self._show_rest)
            return
        request = await asyncio.to_thread(self._last_request)
        reply = await self._written(request, "synthesis")
        if reply.tool_calls and not reply.text.strip():
            request = await asyncio.to_thread(self._fresh_request)  # It cannot be kept from calls.
            reply = await self._written(request, "synthesis, again")
        whole = await asyncio.to_thread(self._answer.cut_to_blocks) if reply.is_cut else ""
        if whole and not reply.is_endless:
            self._job.emit(Notice(_GOES_ON))
            turns = (Message("assistant", whole), Message("user", _GO_ON))
            rest = replace(request, messages=(*request.messages, *turns))
            reply = await self._written(rest, "synthesis, rest")
        await asyncio.to_thread(self._show_rest)
        raise_if_ended(reply)
        if reply.is_cut:
            raise SearchEnded("answer_cut", _MORE_ROOM)

    async def _written(self, request: ModelRequest, purpose: str) -> ModelReply:
        """Let the model write, shown as it comes."""
        return await self._job.model.complete(
            request,
            purpose=purpose,
            files=self._job.code.sent_files(),
            final=True,
            on_words=self._show,
        )

    async def _show(self, words: Words) -> None:
        """Take words of the answer and show the blocks that they complete."""
        if isinstance(words, TextPiece):
            for block in await asyncio.to_thread(self._answer.feed, words.text):
                self._job.emit(TextDelta(block))
        else:
            self._answer.take_back()

    def _show_rest(self) -> None:
        for block in self._answer.finish():
            self._job.emit(TextDelta(block))

    def _last_request(self) -> ModelRequest:
        """Return the request for the document; it goes on from the search where it can."""
        before = self.conversation() if self.conversation is not None else None
        if before is None:
            return self._fresh_request()
        room = prompt_tokens(self._job.model, FINAL_OUTPUT, final=True) - request_tokens(before)
        if room < _LEAST_ROOM:
            return self._fresh_request()
        words = [_NOW_WRITE, self._system.format(rule="").strip()]  # The rule stands above.
        parts = self._parts(room, SeenCode(self._job.code, self.evidence.read))
        last = Message("user", "\n\n".join([*words, *parts]))
        return replace(
            before,
            messages=with_last_words(before.messages, last),
            max_output_tokens=FINAL_OUTPUT,
            tool_choice="none",
        )

    def _fresh_request(self) -> ModelRequest:
        """Return a request for the document that stands for itself: question, notes, code."""
        room = prompt_tokens(self._job.model, FINAL_OUTPUT, final=True)
        # The question comes last: it is what the model is to have in mind when it writes.
        prompt = "\n\n".join([*self._parts(room), self.asked()])
        system = Message("system", self._system.format(rule=self.fences.rule))
        messages = (system, Message("user", prompt))
        return ModelRequest(messages, max_output_tokens=FINAL_OUTPUT)

    def _parts(self, room: int, seen: SeenCode | None = None) -> list[str]:
        """Return notes and code for the document, without what was seen."""
        job = self._job
        passed_on = self.evidence if may_see(job.request, "findings") else self.evidence.bare()
        return final_parts(passed_on, self.candidates, job, self.fences, room, seen)


def with_last_words(messages: tuple[Message, ...], last: Message) -> tuple[Message, ...]:
    """Return a conversation with a further message of the user, joined to one that is open."""
    if messages[-1].role != "user":
        return (*messages, last)
    joined = f"{messages[-1].content}\n\n{last.content}"
    return (*messages[:-1], replace(messages[-1], content=joined))


def raise_if_ended(reply: ModelReply) -> None:
    """Raise what a call came to, if it came to an end that ends the run.

    Raises:
        Cancelled: The run was stopped on request.
        ModelError: The model failed.
    """
    if reply.finish_reason == "cancelled":
        raise Cancelled("The run was stopped on request.")
    if reply.failure is not None:
        raise reply.failure


def _meaning(ending: Exception) -> tuple[StopReason, str]:
    """Return the word for how a phase ended, and what to tell the asker at once."""
    if isinstance(ending, SearchEnded):
        return ending.reason, str(ending)
    if isinstance(ending, BudgetExceededError):
        notice = f"{ending} The answer is made of what was found by then."
        return ending.stop_reason, notice
    if isinstance(ending, Cancelled):
        return "cancelled", ""
    if isinstance(ending, NotApproved):
        return "not_approved", str(ending)
    refused = isinstance(ending, ModelRefused | ContextTooLong)
    return "model_refused" if refused else "model_unavailable", str(ending)
