"""The questions under way: started, observed and stopped independently of each other."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import uuid
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic.alias_generators import to_camel

from analysis.errors import BadInput, ScopeError
from analysis.events import Event, ModelReplied, PhaseStarted, RunFinished
from analysis.models import Answer, AskRequest, CodeReference
from analysis.stopping import StopFlag
from analysis.workspace.paths import path_from_uri, uri_from_path
from lsp_server.approval import approver_of
from lsp_server.code_base import EditorCodeBase, wire_reference
from lsp_server.locations import position_from, range_from, text_in_range
from lsp_server.protocol import RUN_EVENT, AskParams, AskResult, RunEvent, WireReference, WireStats

if TYPE_CHECKING:
    from analysis.llm.chat_model import ChatModel
    from lsp_server.server import ScopeServer

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Run:
    """One question under way."""

    run_id: str
    question: str
    base_uri: str
    codebase: EditorCodeBase
    stop: StopFlag
    task: asyncio.Future[Answer] = field(default_factory=asyncio.Future)
    on_phase: Callable[[str], None] = lambda _: None
    """Told what the run is doing, for clients that show work-done progress."""
    uri_of: Callable[[CodeReference], str] | None = None
    """Where references lead that are to no file of the code base."""

    async def answered(self) -> AskResult:
        """Return the answer as it goes over the wire, once the run has ended.

        Whoever is cancelled while waiting fails at once; the run stops at its next step and still
        writes what it has.
        """
        try:
            answer = await asyncio.shield(self.task)
        except asyncio.CancelledError:
            self.stop.set()
            raise
        return self.result(answer)

    def result(self, answer: Answer) -> AskResult:
        """Return the run's answer as it goes over the wire."""
        return AskResult(
            run_id=self.run_id,
            document_uri=uri_from_path(answer.document) if answer.document else None,
            markdown=answer.markdown,
            references=self._references(answer),
            stats=WireStats.model_validate(dataclasses.asdict(answer.stats)),
        )

    def _references(self, answer: Answer) -> list[WireReference]:
        uri_of = self.uri_of or (lambda ref: self.codebase.uri_of(ref.path))
        return [wire_reference(ref, uri_of(ref)) for ref in answer.references]


class Runs:
    """Every run of this server by its id."""

    def __init__(self, server: ScopeServer) -> None:
        self._server = server
        self._runs: dict[str, Run] = {}

    def start(self, params: AskParams, codebase: EditorCodeBase) -> Run:
        """Start answering; the run's events go to the client as they happen.

        Raises:
            BadInput: The run's id is in use.
        """
        request = request_from(self._server, codebase, params)
        model = self._server.model_for(params.use_model) if params.use_model else None
        return self.follow(
            params.run_id, params.question, codebase, lambda run: self._events(run, request, model)
        )

    def follow(
        self,
        run_id: str | None,
        question: str,
        codebase: EditorCodeBase,
        events_of: Callable[[Run], AsyncGenerator[Event]],
    ) -> Run:
        """Start a run; its events go to the client as they happen, the last is ``RunFinished``.

        Raises:
            BadInput: The run's id is in use.
        """
        run_id = run_id or uuid.uuid4().hex
        if run_id in self._runs:
            raise BadInput(
                f"The question was not asked: run {run_id!r} is still under way.",
                "Use another runId, or cancel that run first.",
            )
        run = Run(run_id, question, codebase.base_uri(), codebase, StopFlag())
        self._runs[run_id] = run
        run.task = self._server.start_task(self._drive(run, events_of(run)), f"run {run_id}")
        return run

    def cancel(self, run_id: str | None) -> int:
        """Ask one run, or every run, to stop; returns how many there were."""
        runs = [run for run in self._runs.values() if run_id in (None, run.run_id)]
        for run in runs:
            run.stop.set()
        return len(runs)

    async def _events(
        self, run: Run, request: AskRequest, model: ChatModel | None
    ) -> AsyncGenerator[Event]:
        """Yield what happens while a question about the code base is answered."""
        approver = approver_of(self._server, run.run_id)
        home = await self._home(run, request)
        async for event in run.codebase.ask(request, run.stop, approver, home, model):
            yield event

    async def _drive(self, run: Run, events: AsyncGenerator[Event]) -> Answer:
        """Forward the run's events until it ends, however it ends."""
        try:
            async for event in events:
                self._send(run, event)
                if isinstance(event, RunFinished):
                    if event.answer.document is not None:
                        self._server.documents.note(uri_from_path(event.answer.document))
                    _log_end(run, event)
                    return event.answer
        except ScopeError as error:
            self._send_failure(run, error)
            raise
        finally:
            self._runs.pop(run.run_id, None)
        raise RuntimeError(f"run {run.run_id} ended without an answer")

    async def _home(self, run: Run, request: AskRequest) -> str | None:
        """Return the folder to which the answer belongs, and make its links relative to it."""
        if len(run.codebase.folders) == 1:
            return None
        self._send(run, PhaseStarted("indexing"))
        home = await asyncio.to_thread(run.codebase.home_of, request, run.stop)
        run.base_uri = run.codebase.base_uri(home)
        return home

    def _send(self, run: Run, event: Event) -> None:
        if isinstance(event, ModelReplied):
            return  # It is for traces: the editor gets what came of it.
        if isinstance(event, RunFinished):
            result = run.result(event.answer)
            data: dict[str, Any] = {
                "type": event.type,
                "documentUri": result.document_uri,
                "stopReason": event.stop_reason,
                "stats": result.stats.dump(),
            }
        else:
            data = _wire_data(event)
            if isinstance(event, PhaseStarted):
                run.on_phase(" ".join((event.phase, event.detail)).strip())
        self._notify(run, data)

    def _send_failure(self, run: Run, error: ScopeError) -> None:
        data = {"type": "failed", "kind": error.kind, "message": error.message, "hint": error.hint}
        self._notify(run, data)

    def _notify(self, run: Run, data: dict[str, Any]) -> None:
        message = RunEvent(run_id=run.run_id, base_uri=run.base_uri, event=data)
        self._server.notify(RUN_EVENT, message)


def request_from(server: ScopeServer, codebase: EditorCodeBase, params: AskParams) -> AskRequest:
    """Return the question in the engine's terms."""
    location, selection = None, None
    if params.location is not None:
        wanted = range_from(params.location.range)
        uri = params.location.uri
        path = codebase.path_of(uri)
        if path is None:
            raise BadInput(
                f"The question was not asked: {uri!r} is in no open folder.",
                "Open its folder, or ask without a location.",
            )
        text = server.texts[uri] if uri in server.texts else codebase.engine.files.read(path).text
        location = position_from(
            path, text, wanted.start.line, wanted.start.character, server.codec
        )
        selection = text_in_range(text, wanted, server.codec) or None
    return AskRequest(
        question=params.question,
        mode=params.mode or server.settings.answer.mode,
        location=location,
        selection=selection,
        symbol=params.symbol,
        diagnostic=params.diagnostic,
        follow_up=str(path_from_uri(params.follow_up)) if params.follow_up else None,
        within=_within(codebase, params.within),
        changes=params.changes,
        top_k=server.settings.answer.top_k,
    )


def _within(codebase: EditorCodeBase, uris: list[str]) -> tuple[str, ...]:
    """Return the paths that a question is limited to; none if a root is among them.

    Raises:
        BadInput: A file or folder lies in no open folder.
    """
    paths: list[str] = []
    for uri in uris:
        path = codebase.path_of(uri)
        if path is None:
            raise BadInput(
                f"The question was not asked: {uri!r} is in no open folder.",
                "Open its folder, or ask without it.",
            )
        paths.append(path.rstrip("/"))
    return () if "" in paths else tuple(dict.fromkeys(paths))


def _wire_data(value: Any) -> Any:
    """Return dataclasses and containers as plain data under camelCase names, without None."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = ((f.name, getattr(value, f.name)) for f in dataclasses.fields(value))
        return {to_camel(name): _wire_data(item) for name, item in fields if item is not None}
    if isinstance(value, dict):
        return {str(key): _wire_data(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_wire_data(item) for item in value]
    return value


def _log_end(run: Run, event: RunFinished) -> None:
    stats = event.answer.stats
    logger.info(
        "Run %s ended: %s, %.2f s, %d model calls, %d tokens, cost %s",
        run.run_id,
        event.stop_reason,
        stats.elapsed_s,
        stats.llm_calls,
        stats.tokens_in + stats.tokens_out,
        stats.cost_usd,
    )
