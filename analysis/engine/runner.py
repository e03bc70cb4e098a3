"""Runs a mode over an index that is up to date, and always ends with a document.

The mode runs in a task of its own, shows its events through ``emit``, and knows only the stop flag.
So whoever waits for its events may be cancelled at any moment: the mode is then told to stop, what
it has found is written, and the cancellation goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
import threading
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analysis.errors import Cancelled, OutputUnwritable
from analysis.events import Decided, Event, Notice, PhaseStarted, RunFinished
from analysis.stopping import StopFlag

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.calls import Approver, Grants
    from analysis.changes.change_set import ChangeSet
    from analysis.documents import OutputTarget
    from analysis.engine.approval import RunApproval
    from analysis.engine.code_base import CodeBase
    from analysis.llm.calls import ModelCalls
    from analysis.llm.chat_model import ChatModel
    from analysis.models import Answer, AskRequest
    from analysis.modes.job import Unread
    from analysis.modes.preview import Preview
    from analysis.modes.scoped_request import ScopedRequest

logger = logging.getLogger(__name__)

_UNFINISHED = (
    "The code was not read to its end; the answer covers the files that were read so far. "
    "Ask again to have the others read."
)

# After a cancel the mode has this long to hand over what it has; somebody is waiting.
_GRACE_S = 3.0

# An editor indexes in the background. An answer from half of the code is a poor one, so a question
# waits for it, with progress and a way to stop; but not for ever: a huge code base takes minutes.
QUESTION_PATIENCE_S = 45.0


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A question with whom it may be shown to."""

    request: AskRequest
    model: ChatModel | None = None
    """The one that may be asked; None if there is none."""
    output: OutputTarget | None = None
    """Where the document goes; None does not write it."""
    stop: StopFlag = field(default_factory=StopFlag)
    """Ends the run early when set."""
    approver: Approver | None = None
    """Asks somebody before code leaves or a tool runs; without one the answer is no."""
    session: Callable[[], Grants] | None = None
    """Returns what was approved for as long as the program runs."""
    patience_s: float = QUESTION_PATIENCE_S
    """How long to wait for files that are being read (seconds)."""


async def run(code_base: CodeBase, question: RunRequest) -> AsyncGenerator[Event]:
    """Yield the events of one question; the last one is ``RunFinished``."""
    question_run = _QuestionRun(code_base, question)
    task = asyncio.create_task(question_run.work())
    try:
        while (event := await question_run.events.get()) is not None:
            yield event
        await task
    finally:
        if not task.done():
            question.stop.set()
            await asyncio.wait([task], timeout=_GRACE_S)
            task.cancel()


def preview(
    code_base: CodeBase, request: AskRequest, model: ChatModel | None, stop: StopFlag | None
) -> Preview:
    """Return what a question would send, after bringing the index up to date."""
    from analysis.llm.configured import model_calls
    from analysis.modes import preview as previews
    from analysis.modes.job import Job
    from analysis.modes.mode_choice import with_mode
    from analysis.modes.registry import MODES

    settings = code_base.settings
    request, model = with_mode(request, model, settings)
    if model is None:
        why = f"Nothing is sent: no model is asked in mode {request.mode}. {request.mode_reason}"
        return previews.nothing_sent(request.mode, why.rstrip())
    code_base.prepare(stop=stop)
    tokens = MODES[request.mode].default_tokens
    calls = model_calls(model, settings, tokens, root=None, stop=stop or StopFlag())
    scoped = scoped_by_settings(code_base, request)
    job = Job(
        scoped.request, code_base.access, code_base.index, calls, settings=settings,
        changes=attached_changes(code_base, scoped.request, stop),
    )  # fmt: skip
    return previews.preview(scoped, job)


def scoped_by_settings(code_base: CodeBase, request: AskRequest) -> ScopedRequest:
    """Return a question with nothing in it that the settings keep from a model."""
    from analysis.modes.scoped_request import scoped_request

    allowed = code_base.settings.allowed_scopes
    return scoped_request(request, allowed, code_base.files.unsaved())


def attached_changes(
    code_base: CodeBase, request: AskRequest, stop: StopFlag | None = None
) -> ChangeSet | None:
    """Return the changes that are attached to a question, None without any; blocking.

    Raises:
        BadInput: There is no such commit.
        Cancelled: The flag was set.
    """
    if request.changes is None:
        return None
    from analysis.changes.change_set import changes_of

    searched = frozenset(code_base.index.file_table().paths)
    found = changes_of(code_base.files, request.changes, searched, stop)
    return found.within(request.within) if request.within else found


class _QuestionRun:
    """One question on its way to a document."""

    def __init__(self, code_base: CodeBase, question: RunRequest) -> None:
        self.events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._code_base = code_base
        self._question = question
        self._request = question.request
        self._stop = question.stop
        self._started = time.perf_counter()
        self._notices: list[str] = []
        self._n_parsed = 0

    def emit(self, event: Event | None) -> None:
        """Show an event, from any thread; what comes when nobody listens any more is dropped."""
        with contextlib.suppress(RuntimeError):  # The loop is closed.
            self._loop.call_soon_threadsafe(self.events.put_nowait, event)

    async def work(self) -> None:
        """Do all of it; a None after the last event tells that there will be no more."""
        try:
            model = self._chosen()
            if model is not None:
                _warm_up(model)
            unread = await self._ready()
            if self._request.mode_reason:
                decision = f"answer in mode {self._request.mode}"
                self.emit(Decided(decision, self._request.mode_reason))
            await self._answer(model, unread)
        finally:
            self.emit(None)

    async def _ready(self) -> Unread:
        """Bring the index up to date, and load the mode while git and the disk are waited for."""
        from analysis.modes.registry import MODES

        mode = MODES[self._request.mode]
        unread, _ = await asyncio.gather(self._refresh(), asyncio.to_thread(mode.load))
        return unread

    def _chosen(self) -> ChatModel | None:
        """Settle the mode and return the model for it."""
        from analysis.modes.mode_choice import with_mode

        asked = self._request.mode
        self._request, model = with_mode(
            self._request, self._question.model, self._code_base.settings
        )
        if self._request.mode != asked != "auto":
            self._notice(self._request.mode_reason)
        return model

    async def _refresh(self) -> Unread:
        """Bring the index up to date; whatever is incomplete is a notice, not a failure."""
        from analysis.modes.job import Unread

        self.emit(PhaseStarted("indexing"))
        try:
            report = await asyncio.to_thread(
                self._code_base.prepare,
                self.emit,
                self._stop,
                self._question.patience_s,
                self._question_alone(),
                self._request.location.path if self._request.location else None,
            )
        except Cancelled:
            unread = Unread(gaps=(_UNFINISHED,))
        else:
            self._n_parsed = report.parsed
            unread = Unread(report.skipped, () if report.complete else (report.gap,))
            for notice in (*self._code_base.index.notices, *report.notes):
                self._notice(notice)
        for gap in unread.gaps:
            self._notice(gap)
        return unread

    def _question_alone(self) -> str | None:
        """Return the question if it, and where it is asked, says which files are needed."""
        asked = self._request
        beside = (asked.selection, asked.diagnostic, asked.follow_up, asked.changes)
        if asked.mode != "offline" or asked.within or any(beside):
            return None
        return asked.question

    async def _answer(self, model: ChatModel | None, unread: Unread) -> None:
        """Let the mode answer, write the document, and show the end."""
        from analysis.modes.job import Job
        from analysis.modes.registry import MODES

        code_base, question = self._code_base, self._question
        # A clone is thrown away, and its audit log and runs would be with it.
        is_clone = question.output is not None and question.output.url is not None
        root = None if is_clone else code_base.root
        request, calls, approval = self._request, None, None
        if model is not None:
            scoped = await asyncio.to_thread(scoped_by_settings, code_base, request)
            request, approval = scoped.request, self._approval(scoped)
            calls = self._calls(model, root, approval)
        changes = await asyncio.to_thread(attached_changes, code_base, request)
        with contextlib.ExitStack() as at_end:
            job = Job(
                request,
                code_base.access,
                code_base.index,
                calls,
                self.emit,
                code_base.settings,
                self._stop,
                question.output,
                unread,
                root,
                approval.tool if approval else None,
                at_end,
                changes,
            )
            self.emit(await self._finished(await MODES[request.mode].run(job)))

    def _approval(self, scoped: ScopedRequest) -> RunApproval:
        """Return who has to agree in the run; what is not shown or not known is said."""
        from analysis.calls import SessionGrants
        from analysis.engine.approval import RunApproval, unknown_names

        settings = self._code_base.settings
        if scoped.withheld:
            self._notice(f"Not shown to the model: {', '.join(scoped.withheld)}.")
        for name in unknown_names(settings):
            self._notice(f"'approval_for' names {name!r}, which is no scope and no tool.")
        return RunApproval(
            settings,
            self._question.approver,
            scopes=scoped.sent,
            session=self._question.session() if self._question.session else SessionGrants(),
            code_base=self._code_base.files.identity,
            stop=self._stop,
        )

    def _calls(self, model: ChatModel, root: Path | None, approval: RunApproval) -> ModelCalls:
        """Return the way to the model, with the limits of the question."""
        from analysis.llm.configured import model_calls
        from analysis.modes.registry import MODES

        return model_calls(
            model,
            self._code_base.settings,
            MODES[self._request.mode].default_tokens,
            root=root,
            stop=self._stop,
            gate=approval.outgoing,
            emit=self.emit,
        )

    async def _finished(self, event: RunFinished) -> RunFinished:
        """Write the document and complete what only the run knows."""
        answer = event.answer
        stats = dataclasses.replace(
            answer.stats,
            files_parsed=self._n_parsed,
            elapsed_s=round(time.perf_counter() - self._started, 3),
            stop_reason=event.stop_reason,
        )
        answer = dataclasses.replace(answer, stats=stats)
        output = self._question.output
        if output is not None and output.folder is not None:
            answer = await self._written(answer, output)
        logger.info(
            "Answered in %.2f s: %s, %d files parsed", stats.elapsed_s, event.stop_reason,
            self._n_parsed,
        )  # fmt: skip
        notices = (*self._notices, *answer.notices)
        return dataclasses.replace(event, answer=dataclasses.replace(answer, notices=notices))

    async def _written(self, answer: Answer, output: OutputTarget) -> Answer:
        """Return the answer with its document's path; an answer is never lost to a full disk."""
        from analysis.documents import write_document

        self.emit(PhaseStarted("writing"))
        try:
            path = await asyncio.to_thread(
                write_document, answer.markdown, self._request.question, output
            )
        except OutputUnwritable as error:
            self._notice(str(error))
            return answer
        return dataclasses.replace(answer, document=str(path))

    def _notice(self, message: str) -> None:
        """Say something now, once, and keep it for the answer."""
        if message in self._notices:
            return
        self._notices.append(message)
        self.emit(Notice(message))


def _warm_up(model: ChatModel) -> None:
    """Load the model's library while the code is read; a failure is met by the first call.

    The process ends no sooner than that: a thread that still loads compiled code while Python is
    taken down can crash it.
    """

    def load() -> None:
        with contextlib.suppress(Exception):
            model.warm_up()

    threading.Thread(target=load, name="scope-warm-up").start()
