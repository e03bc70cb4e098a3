"""What every mode with a model ends with: one document from the evidence, however the search ended.

A mode searches in its own way and fills in ``evidence``; ``Synthesis`` does the rest: it maps each
way to end to a stop reason, lets the model write the document from the evidence (the budget keeps
a reserve for that), checks its citations while it streams, and writes from the code alone where
the model is gone or nothing is left to pay it with.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING

from analysis.documents import indexed_code
from analysis.errors import Cancelled, ContextTooLong, ModelError, ModelRefused, NotApproved
from analysis.events import Event, Notice, PhaseStarted, TextDelta
from analysis.llm.budget import BudgetExceededError
from analysis.llm.messages import (
    Finished,
    Message,
    ModelReply,
    ModelRequest,
    TextPiece,
    TextTakenBack,
)
from analysis.modes.document_assembly import DocumentAssembly
from analysis.modes.earlier import earlier_findings
from analysis.modes.first_look import asked_about
from analysis.modes.job import Job
from analysis.modes.prompt_budget import prompt_tokens
from analysis.modes.prompts import synthesis_system
from analysis.modes.reading import Knowledge, final_parts
from analysis.modes.scoped_request import may_see
from analysis.modes.stop_reasons import StopReason
from analysis.modes.streamed import CheckedStream
from analysis.tools.fences import Fences
from analysis.tools.prompt_code import PromptCode

if TYPE_CHECKING:
    from analysis.models import Candidate

FINAL_OUTPUT = 4_000
"""Most tokens of the document that the model writes."""


class SearchEnded(Exception):
    """Raised by a mode's search to end it early; the document is written from the evidence."""

    def __init__(self, reason: StopReason, message: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        """What the document will say."""


class Synthesis:
    """One run of a mode with a model; the mode's search fills in what the document is made of."""

    def __init__(
        self,
        job: Job,
        *,
        mode: str,
        system: Callable[[str], str] = synthesis_system,
    ) -> None:
        """Make the synthesis of one run.

        Args:
            job: The question, the code base, and the way to the model.
            mode: Whose run it is.
            system: The system's words for the document, from the rule on quoted text.
        """
        index = job.index
        self.fences = Fences()
        """How text of the repository is quoted in all prompts of the run."""
        self.view = indexed_code(index, job.access.files.read)
        """The code as documents see it."""
        self.code = PromptCode(job.access, index.file_table().paths, job.request.scopes)
        """The code as prompts may show it; it remembers what was shown."""
        self.evidence = Knowledge()
        """What the search has found; filled in by the mode while it runs."""
        self.candidates: tuple[Candidate, ...] = ()
        """Ranked places, for a mode that starts with them: they fill up the document's prompt."""
        self._request = job.request
        self._index = index
        self._calls = job.calls
        self._settings = job.settings.pipeline
        self._unread = job.unread
        self._answer = CheckedStream(self.view, job.target.links(), self.code)
        self._is_written = False
        self._system = system
        self._closing = DocumentAssembly(job, mode)

    async def run(self, search: AsyncGenerator[Event]) -> AsyncGenerator[Event]:
        """Yield the title, the events of the search, and those of the document; last is the end.

        Args:
            search: The mode's work, which may end with ``written()``. It may raise
                ``SearchEnded``, ``Cancelled``, ``BudgetExceededError`` or ``ModelError``; after
                the first and the third the document is still written by the model.
        """
        reason: StopReason = "index_incomplete" if self._unread.gaps else "done"
        yield TextDelta(self._closing.title())
        for phase in (search, self.written()):
            try:
                async with aclosing(phase) as events:
                    async for event in events:
                        yield event
            except (SearchEnded, Cancelled, BudgetExceededError, ModelError) as ending:
                reason, notice = _meaning(ending)
                self._closing.note_ending(ending if isinstance(ending, SearchEnded) else None)
                if notice:
                    yield Notice(notice)
                # What is not based on anything found is better written without a model.
                is_written = isinstance(ending, SearchEnded | BudgetExceededError)
                if not is_written or self.evidence.is_empty:
                    break
        yield PhaseStarted("verification")
        closing = self._closing.events(
            self._answer, self.evidence, self.candidates, self.code, reason
        )
        async with aclosing(closing) as last:
            async for event in last:
                yield event

    def asked(self) -> str:
        """Return the question with what the asker looks at, as a prompt's first words."""
        return "\n\n".join([f"Question: {self._request.question}", *self.about()])

    def about(self) -> list[str]:
        """Return what goes along with the question: an earlier answer, what the asker looks at."""
        earlier = earlier_findings(self._request, self.view, self.code, self.fences)
        return [*earlier, *asked_about(self._request, self.code, self.fences)]

    @property
    def text(self) -> str:
        """The answer so far, as the model wrote it."""
        return self._answer.text

    async def written(self, text: str = "") -> AsyncGenerator[Event]:
        """Yield the document's text as it comes, block by block and checked; only once.

        Args:
            text: An answer that was written before, so that no model is asked.
        """
        if self._is_written or not (text or self.candidates or not self.evidence.is_empty):
            return  # There is nothing that a model could write from.
        self._is_written = True
        yield PhaseStarted("synthesis")
        if text:
            for block in await asyncio.to_thread(self._blocks, text):
                yield TextDelta(block)
            return
        prompt = await asyncio.to_thread(self._prompt)
        request = ModelRequest(
            (Message("system", self._system(self.fences.rule)), Message("user", prompt)),
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
        raise_if_ended(reply)

    def _blocks(self, text: str) -> list[str]:
        return [*self._answer.feed(text), *self._answer.finish()]

    def _prompt(self) -> str:
        """Return the user's message: the question, the notes, and the code that matters."""
        room = prompt_tokens(self._calls, FINAL_OUTPUT, final=True)
        passed_on = self.evidence if may_see(self._request, "findings") else self.evidence.bare()
        parts = final_parts(
            passed_on, self.candidates, self.code, self.fences, self._settings, room
        )
        return "\n\n".join([self.asked(), *parts])


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
