"""Code lenses: on a document what is not true any more, on code which answers cite it."""

from __future__ import annotations

import asyncio
import logging

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lsp_server import document_messages
from lsp_server.code_base import EditorCodeBase
from lsp_server.document_messages import CitingParams, VerifyParams
from lsp_server.documents.cited import document_lines
from lsp_server.documents.citing import by_definition, citing_links, one_per_document
from lsp_server.documents.report import DocumentReport
from lsp_server.features.citing import definitions_in
from lsp_server.features.document_fixes import ask_again_command
from lsp_server.protocol import WirePosition
from lsp_server.server import ScopeServer

logger = logging.getLogger(__name__)

_REFRESHES = "workspace.code_lens.refresh_support"
_TOP = types.Range(types.Position(0, 0), types.Position(0, 3))


def register(server: ScopeServer) -> None:
    """Register code lenses, and have them asked for again when a document's state changes."""
    options = types.CodeLensOptions(resolve_provider=False)
    server.feature(types.TEXT_DOCUMENT_CODE_LENS, options)(on_code_lens)
    server.documents.follow(lambda _: _have_asked(server))
    server.when_engine_changes(lambda: _have_asked(server))


def _have_asked(server: ScopeServer) -> None:
    # Without a document there is no lens, and at the start nothing may be sent.
    if server.documents.reports and server.client_can(_REFRESHES):
        server.start_task(_refresh(server), "have code lenses asked for")


async def _refresh(server: ScopeServer) -> None:
    try:
        await asyncio.shield(server.workspace_code_lens_refresh_async(None))
    except JsonRpcException as error:
        logger.info("The editor did not ask for code lenses again: %s", error)


async def on_code_lens(server: ScopeServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Return the lenses of a file."""
    uri = params.text_document.uri
    if document_lines(server, uri):
        report = await server.documents.report(uri)
        return [] if report is None else document_lenses(report)
    codebase = await server.settled_codebase()
    path = codebase.path_of(uri) if codebase is not None else None
    if codebase is None or path is None or not server.settings.editor.answer_lens:
        return []
    await server.documents.settle()
    reports = list(server.documents.reports.values())
    return await asyncio.to_thread(_code_lenses, codebase, reports, path, uri)


def document_lenses(report: DocumentReport) -> list[types.CodeLens]:
    """Return what is not true any more of a document, and what can be done, over its first line."""
    if not report.summary:
        return []
    params = [VerifyParams(document_uri=report.uri).dump()]
    verify, update = (
        document_messages.COMMAND_VERIFY_DOCUMENT.name,
        document_messages.COMMAND_UPDATE_REFERENCES.name,
    )
    commands = [types.Command(report.summary, verify, None, params)]
    if report.n_moved:
        commands.append(types.Command(f"Update {report.n_moved} moved", update, None, params))
    if report.question:
        commands.append(ask_again_command(report, "Ask again"))
    return [types.CodeLens(_TOP, command) for command in commands]


def _code_lenses(
    codebase: EditorCodeBase, reports: list[DocumentReport], path: str, uri: str
) -> list[types.CodeLens]:
    links = list(citing_links(reports, path))
    if not links:
        return []  # Nothing is read of a file that no document cites.
    lenses = []
    for info, cited in by_definition(links, definitions_in(codebase, path)).items():
        count = len(one_per_document(cited))
        at = types.Position(info.name_line - 1, info.name_column)
        position = WirePosition(line=at.line, character=at.character)
        command = types.Command(
            "1 answer" if count == 1 else f"{count} answers",
            document_messages.COMMAND_CITING.name,
            None,
            [CitingParams(uri=uri, position=position).dump()],
        )
        where = types.Position(info.decorated_line - 1, 0)
        lenses.append(types.CodeLens(types.Range(where, where), command))
    return sorted(lenses, key=lambda lens: lens.range.start.line)
