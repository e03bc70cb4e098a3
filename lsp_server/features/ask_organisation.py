"""``scope/askOrganisation``: a question to all repositories of the user's organisation."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from analysis.errors import BadInput
from analysis.events import Decided, Event, Notice, PhaseStarted, RunFinished
from analysis.workspace.paths import uri_from_path
from lsp_server import protocol
from lsp_server.errors import answering_errors
from lsp_server.protocol import AskOrganisationParams
from lsp_server.runs import Run
from lsp_server.server import ScopeServer

if TYPE_CHECKING:
    from analysis.models import CodeReference
    from analysis.org.answer_document import WrittenAnswer
    from analysis.org.session import OrganisationSession


def register(server: ScopeServer) -> None:
    """Register the request."""
    server.feature(protocol.ASK_ORGANISATION.method)(on_ask_organisation)


async def on_ask_organisation(server: ScopeServer, raw: Any) -> dict[str, Any]:
    """Ask the server that the settings name, and no other, and return the document.

    A cancelled request fails at once; what was asked by then still becomes a document.
    """
    params = AskOrganisationParams.parse(raw)
    with answering_errors():
        codebase = await server.require_codebase()
        session = server.organisation
        if session is None:
            raise BadInput(
                "No organisation is asked: the setting 'organisation.service' names none.",
                "Set it to a service of libpq's service file.",
            )
        run = server.runs.follow(
            params.run_id, params.question, codebase, lambda run: _events(run, session, params)
        )
        return (await run.answered()).dump()


async def _events(
    run: Run, session: OrganisationSession, params: AskOrganisationParams
) -> AsyncGenerator[Event]:
    """Yield what happens while the organisation is asked."""
    from analysis.org.answer_document import MODE, written_answer

    settings = run.codebase.engine.settings
    yield PhaseStarted("discovery", f"asking {session.address}")
    started = time.perf_counter()
    found = await asyncio.to_thread(
        session.ask, params.question, settings.answer.top_k, params.repository
    )
    for note in found.notes:
        yield Notice(note)
    reason = f"Asked the organisation's index at {found.server} (service {session.address})."
    yield Decided(f"answer in mode {MODE}", reason)
    yield PhaseStarted("verification")
    elapsed = time.perf_counter() - started
    written = await asyncio.to_thread(
        written_answer,
        found,
        session.address,
        run.codebase.target(),
        settings.organisation.clones,
        elapsed,
    )
    run.uri_of = lambda reference: _uri_of(written, reference)
    yield RunFinished(written.answer, "done")


def _uri_of(written: WrittenAnswer, reference: CodeReference) -> str:
    """Return the file in a clone, else the page of the commit; empty if neither is known."""
    file = written.file_of(reference)
    return uri_from_path(file) if file is not None else written.target_of(reference) or ""
