"""Runs a strategy over an index that is up to date, and always ends with a document.

The strategy runs in a task of its own and knows only the stop flag. So whoever waits for its events
may be cancelled at any moment: the strategy is then told to stop, what it has found is written, and
the cancellation goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import TYPE_CHECKING

from analysis.errors import Cancelled, OutputUnwritable
from analysis.events import (
    Decided,
    Event,
    IndexProgress,
    Notice,
    PhaseStarted,
    RunFinished,
)
from analysis.stopping import StopFlag

if TYPE_CHECKING:
    from analysis.calls import Approver
    from analysis.documents import OutputTarget
    from analysis.engine import Engine
    from analysis.llm.chat_model import ChatModel
    from analysis.models import Answer, AskRequest
    from analysis.modes.preview import Preview
    from analysis.modes.scoped_request import ScopedRequest

logger = logging.getLogger(__name__)

_UNFINISHED = "The code was not read to its end; the answer covers the files that were read so far."

# After a cancel the strategy has this long to hand over what it has; somebody is waiting.
_GRACE_S = 3.0

# An editor indexes in the background. An answer from half of the code is a poor one, so a question
# waits for it, with progress and a way to stop; but not for ever: a huge code base takes minutes.
_PATIENCE_S = 45.0


async def run(
    engine: Engine,
    request: AskRequest,
    output: OutputTarget | None,
    stop: StopFlag | None,
    approver: Approver | None = None,
) -> AsyncGenerator[Event]:
    """Yield the events of one question; the last one is ``RunFinished``."""
    job = _Run(engine, request, output, stop or StopFlag(), approver)
    task = asyncio.create_task(job.work())
    try:
        while (event := await job.events.get()) is not None:
            yield event
        await task
    finally:
        if not task.done():
            job.stop.set()
            await asyncio.wait([task], timeout=_GRACE_S)
            task.cancel()


def with_mode(engine: Engine, request: AskRequest) -> tuple[AskRequest, ChatModel | None]:
    """Return a question with the mode that answers it, and why, and with the model for it.

    Raises:
        ModelNotConfigured: The mode needs a model, and none is set.
    """
    from analysis.modes import choice
    from analysis.modes.query_profile import profile
    from analysis.modes.scoped_request import NEEDED

    model = engine.model
    if request.mode == "offline":
        return request, None
    if engine.settings.model.never_send:
        chosen, model = choice.NEVER_SEND, None
    elif not set(NEEDED) <= set(engine.settings.allowed_scopes):
        chosen, model = choice.WITHHELD, None
    elif model is None:
        if request.mode != "auto":
            from analysis.llm.configured import no_model

            raise no_model(request.mode)
        chosen = choice.NO_MODEL
    elif "findings" not in engine.settings.allowed_scopes and request.mode != "pipeline":
        chosen = choice.NO_FINDINGS
    elif request.mode != "auto":
        return request, model
    else:
        found = profile(request.question, request.diagnostic)
        chosen = choice.choose(found)
    return dataclasses.replace(request, mode=chosen.mode, mode_reason=chosen.sentence), model


def preview(engine: Engine, request: AskRequest, stop: StopFlag | None) -> Preview:
    """Return what a question would send, after bringing the index up to date."""
    from analysis.llm.configured import model_calls
    from analysis.modes import preview as previews
    from analysis.modes.job import Job

    request, model = with_mode(engine, request)
    if model is None:
        why = f"Nothing is sent: the answer is made offline. {request.mode_reason}".rstrip()
        return previews.nothing_sent(request.mode, why)
    engine.prepare(stop=stop)
    stop = stop or StopFlag()
    calls = model_calls(model, engine.settings, request.mode, root=None, stop=stop)
    scoped = scoped_by_settings(engine, request)
    job = Job(scoped.request, engine.access, engine.index, calls, engine.settings)
    return previews.preview(scoped, job)


def scoped_by_settings(engine: Engine, request: AskRequest) -> ScopedRequest:
    """Return a question with nothing in it that the settings keep from a model."""
    from analysis.modes.scoped_request import scoped_request

    return scoped_request(request, engine.settings.allowed_scopes, engine.files.unsaved())


class _Run:
    """One question on its way to a document."""

    def __init__(
        self,
        engine: Engine,
        request: AskRequest,
        output: OutputTarget | None,
        stop: StopFlag,
        approver: Approver | None,
    ) -> None:
        self.stop = stop
        self.events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._engine = engine
        self._request = request
        self._output = output
        self._approver = approver
        self._started = time.perf_counter()
        self._notices: list[str] = []
        self._n_parsed = 0
        self._skipped: Mapping[str, int] = {}
        self._gaps: tuple[str, ...] = ()

    async def work(self) -> None:
        """Do all of it; a None after the last event tells that there will be no more."""
        try:
            model = self._chosen()
            if model is not None:
                _warm_up(model)
            await self._refresh()
            if self._request.mode_reason:
                decision = f"answer in mode {self._request.mode}"
                self.events.put_nowait(Decided(decision, self._request.mode_reason))
            async for event in self._strategy(model):
                if isinstance(event, RunFinished):
                    event = await self._finished(event)
                self.events.put_nowait(event)
        finally:
            self.events.put_nowait(None)

    def _chosen(self) -> ChatModel | None:
        """Settle the mode and return the model for it."""
        asked = self._request.mode
        self._request, model = with_mode(self._engine, self._request)
        if self._request.mode != asked != "auto":
            self._notice(self._request.mode_reason)
        return model

    async def _refresh(self) -> None:
        """Bring the index up to date; whatever is incomplete is a notice, not a failure."""
        self.events.put_nowait(PhaseStarted("indexing"))
        loop = asyncio.get_running_loop()

        def on_progress(done: int, total: int) -> None:
            loop.call_soon_threadsafe(self.events.put_nowait, IndexProgress(done, total))

        try:
            report = await asyncio.to_thread(
                self._engine.prepare, on_progress, self.stop, _PATIENCE_S
            )
        except Cancelled:
            self._gaps = (_UNFINISHED,)
        else:
            self._n_parsed = report.parsed
            self._skipped = report.skipped
            self._gaps = () if report.complete else (_UNFINISHED,)
            for notice in dict.fromkeys((*self._engine.index.notices, *report.notes)):
                self._notice(notice)
        for gap in self._gaps:
            self._notice(gap)

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
        if self._output is not None and self._output.folder is not None:
            answer = await self._written(answer, self._output)
        logger.info(
            "Answered in %.2f s: %s, %d files parsed", stats.elapsed_s, event.stop_reason,
            self._n_parsed,
        )  # fmt: skip
        notices = (*self._notices, *answer.notices)
        return dataclasses.replace(event, answer=dataclasses.replace(answer, notices=notices))

    async def _written(self, answer: Answer, output: OutputTarget) -> Answer:
        """Return the answer with its document's path; an answer is never lost to a full disk."""
        from analysis.documents import write_document

        self.events.put_nowait(PhaseStarted("writing"))
        try:
            path = await asyncio.to_thread(
                write_document, answer.markdown, self._request.question, output
            )
        except OutputUnwritable as error:
            self._notice(str(error))
            return answer
        return dataclasses.replace(answer, document=str(path))

    def _strategy(self, model: ChatModel | None) -> AsyncIterator[Event]:
        """Return the run of the strategy that fits the mode."""
        if model is not None:
            return self._asking(model)
        from analysis.modes.offline import run as offline

        return offline.run(
            self._request,
            self._engine.access,
            self._engine.index,
            output=self._output,
            stop=self.stop,
            skipped=self._skipped,
            gaps=self._gaps,
        )

    async def _asking(self, model: ChatModel) -> AsyncGenerator[Event]:
        """Yield the events of a strategy that asks a model, of a question cut to its scopes."""
        from analysis.engine.approval import RunApproval, unknown_names
        from analysis.llm.configured import model_calls
        from analysis.modes.job import Job
        from analysis.modes.offline.steps import Unread
        from analysis.modes.registry import strategy

        engine, mode = self._engine, self._request.mode
        scoped = await asyncio.to_thread(scoped_by_settings, engine, self._request)
        if scoped.withheld:
            self._notice(f"Not shown to the model: {', '.join(scoped.withheld)}.")
        for name in unknown_names(engine.settings):
            self._notice(f"'approval_for' names {name!r}, which is no scope and no tool.")
        # A clone is thrown away, and its audit log and runs would be with it.
        is_clone = self._output is not None and self._output.url is not None
        root = None if is_clone else engine.root
        approval = RunApproval(
            engine.settings, self._approver, scopes=scoped.sent, session=engine.session_grants,
            code_base=engine.files.identity, stop=self.stop,
        )  # fmt: skip
        calls = model_calls(
            model, engine.settings, mode, root=root, stop=self.stop, gate=approval.outgoing
        )
        job = Job(
            scoped.request, engine.access, engine.index, calls, engine.settings, self.stop,
            self._output, Unread(self._skipped, self._gaps), root, approval.tool,
        )  # fmt: skip
        async for event in strategy(mode)(job):
            yield event

    def _notice(self, message: str) -> None:
        """Say something now, once, and keep it for the answer."""
        if message in self._notices:
            return
        self._notices.append(message)
        self.events.put_nowait(Notice(message))


def _warm_up(model: ChatModel) -> None:
    """Load the model's library while the code is read; a failure is met by the first call."""

    def load() -> None:
        with contextlib.suppress(Exception):
            model.warm_up()

    threading.Thread(target=load, name="scope-warm-up", daemon=True).start()
