"""The server's commands, for clients that know no custom requests."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from lsprotocol import types

from analysis.errors import ScopeError
from analysis.models import Answer
from analysis.workspace.paths import uri_from_path
from lsp_server import indexing, protocol
from lsp_server.errors import answering_errors
from lsp_server.protocol import AskParams, RunParams
from lsp_server.runs import Run
from lsp_server.server import ScopeServer

logger = logging.getLogger(__name__)


def register(server: ScopeServer) -> None:
    """Register the commands."""
    server.command(protocol.COMMAND_ASK.name)(on_ask_command)
    server.command(protocol.COMMAND_CANCEL.name)(on_cancel_command)
    server.command(protocol.COMMAND_REINDEX.name)(on_reindex_command)
    server.command(protocol.COMMAND_STATUS.name)(on_status_command)


async def on_ask_command(server: ScopeServer, *arguments: Any) -> str:
    """Start a run and return its id at once; the document opens by itself at the end."""
    params = AskParams.parse(arguments[0] if arguments else None)
    with answering_errors():
        run = server.runs.start(params, await server.require_codebase())
    server.start_task(_follow(server, run), f"follow run {run.run_id}")
    return run.run_id


async def on_cancel_command(server: ScopeServer, *arguments: Any) -> int:
    """Cancel one run or all of them, and return how many."""
    params = RunParams.parse(arguments[0] if arguments else None)
    return server.runs.cancel(params.run_id)


async def on_reindex_command(server: ScopeServer, *arguments: Any) -> int:
    """Build the index anew and return how many files it holds."""
    with answering_errors():
        codebase = await server.require_codebase()
    return await indexing.index_codebase(server, codebase, rebuild=True)


async def on_status_command(server: ScopeServer, *arguments: Any) -> dict[str, Any]:
    """Return the last status."""
    return server.status.dump()


async def _follow(server: ScopeServer, run: Run) -> None:
    """Show a run's progress and, at its end, its document."""
    token = await _begin_progress(server, run)
    try:
        answer = await run.task
    except ScopeError as error:
        _show(server, types.MessageType.Error, str(error))
        return
    finally:
        _end_progress(server, token)
    await _open(server, answer)


async def _begin_progress(server: ScopeServer, run: Run) -> str | None:
    """Begin work-done progress whose cancel stops the run; None if the client has none."""
    if not server.client_can("window.work_done_progress"):
        return None
    token = f"scope-{run.run_id}"
    await asyncio.shield(server.work_done_progress.create_async(token))
    server.work_done_progress.begin(
        token, types.WorkDoneProgressBegin("Scope", message=run.question, cancellable=True)
    )
    server.work_done_progress.tokens[token].add_done_callback(lambda _: run.stop.set())
    run.on_phase = lambda text: server.work_done_progress.report(
        token, types.WorkDoneProgressReport(message=text)
    )
    return token


def _end_progress(server: ScopeServer, token: str | None) -> None:
    if token is not None and not server.shutting_down:
        server.work_done_progress.end(token, types.WorkDoneProgressEnd())
        server.work_done_progress.tokens.pop(token, None)


async def _open(server: ScopeServer, answer: Answer) -> None:
    """Open the document, or say where it is."""
    if answer.document is None:
        _show(server, types.MessageType.Warning, "The answer could not be written to a file.")
        return
    if server.client_can("window.show_document.support"):
        shown = await server.window_show_document_async(
            types.ShowDocumentParams(uri=uri_from_path(answer.document), take_focus=True)
        )
        if shown.success:
            return
    _show(server, types.MessageType.Info, f"Scope wrote the answer to {answer.document}")


def _show(server: ScopeServer, level: types.MessageType, text: str) -> None:
    if not server.shutting_down:
        server.window_show_message(types.ShowMessageParams(level, text))
