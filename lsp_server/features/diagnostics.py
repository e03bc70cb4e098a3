"""Diagnostics in context documents for all references that are not what was cited.

A client that pulls is told when to pull again, any other gets them pushed. Documents that are not
open are pushed too, until the client asks for those of the whole workspace.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.workspace import PositionCodec

from analysis.models import RefState
from analysis.workspace.paths import uri_from_path
from lsp_server.documents.cited import document_lines
from lsp_server.documents.report import DocumentReport
from lsp_server.documents.watch import Reports
from lsp_server.server import ScopeServer

logger = logging.getLogger(__name__)

SOURCE = "scope"
_ID = "scope-diagnostics"
_PULLS = "text_document.diagnostic"
_REFRESHES = "workspace.diagnostics.refresh_support"
_REGISTERS = "text_document.diagnostic.dynamic_registration"
_RELATED = "text_document.publish_diagnostics.related_information"

_SEVERITIES = {
    RefState.IN_RANGE: types.DiagnosticSeverity.Hint,
    RefState.MOVED: types.DiagnosticSeverity.Information,
}
_SILENT = frozenset({RefState.OK, RefState.CORRECTED})

_Full = types.WorkspaceFullDocumentDiagnosticReport
_Unchanged = types.WorkspaceUnchangedDocumentDiagnosticReport


def register(server: ScopeServer) -> None:
    """Push diagnostics to clients that do not pull; see ``offer`` for the others."""
    server.documents.follow(lambda news: _push(server, news))


def offer(server: ScopeServer, *, at_start: bool) -> None:
    """Register the handlers that the client learns of at its start, or those that it learns later.

    A client that can be told later is told that only documents are meant (see ``announce``).
    """
    if pulls(server) and server.client_can(_REGISTERS) is not at_start:
        options = types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=True, identifier=SOURCE
        )
        server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)(on_document_diagnostic)
        server.feature(types.WORKSPACE_DIAGNOSTIC)(on_workspace_diagnostic)


async def announce(server: ScopeServer) -> None:
    """Tell a client that is told after its start where it may ask for diagnostics."""
    if not pulls(server) or not server.client_can(_REGISTERS):
        return
    options = types.DiagnosticRegistrationOptions(
        document_selector=[types.TextDocumentFilterPattern("**/*.{md,markdown}", scheme="file")],
        inter_file_dependencies=True,
        workspace_diagnostics=True,
        identifier=SOURCE,
    )
    wanted = types.Registration(_ID, types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    try:
        await asyncio.shield(
            server.client_register_capability_async(types.RegistrationParams([wanted]))
        )
    except JsonRpcException as error:
        logger.warning("The editor was not told where diagnostics are: %s", error)


def pulls(server: ScopeServer) -> bool:
    """Return whether the client asks for diagnostics, and can be told to ask again."""
    return server.client_can(_PULLS) and server.client_can(_REFRESHES)


async def on_document_diagnostic(
    server: ScopeServer, params: types.DocumentDiagnosticParams
) -> types.DocumentDiagnosticReport:
    """Return the diagnostics of one document, as of now."""
    uri = params.text_document.uri
    report = await server.documents.report(uri) if document_lines(server, uri) else None
    items = _items(server, report)
    version = result_id(items)
    if version == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(version)
    return types.RelatedFullDocumentDiagnosticReport(items, result_id=version)


async def on_workspace_diagnostic(
    server: ScopeServer, params: types.WorkspaceDiagnosticParams
) -> types.WorkspaceDiagnosticReport:
    """Return the diagnostics of all documents; waits while the client knows all of them."""
    told = server.client_diagnostics
    told.pulls_all = True
    for uri in sorted(told.pushed):
        _push_items(server, uri, [])
    known = {item.uri: item.value for item in params.previous_result_ids}
    while True:
        changed = told.changed
        await server.documents.settle()
        found = _workspace_items(server, known)
        if not known or any(isinstance(item, _Full) for item in found):
            return types.WorkspaceDiagnosticReport(found)
        await changed.wait()


def _workspace_items(server: ScopeServer, known: dict[str, str]) -> list[_Full | _Unchanged]:
    reports = {report.uri: report for report in server.documents.reports.values()}
    found: list[_Full | _Unchanged] = []
    for uri in sorted(reports.keys() | known.keys()):
        items = _items(server, reports.get(uri))
        version = result_id(items)
        if known.get(uri) == version:
            found.append(_Unchanged(uri, version))
        elif items or uri in known:
            found.append(_Full(uri, items, result_id=version))
    return found


def _push(server: ScopeServer, news: Reports) -> None:
    """Push what is new to a client that does not ask for it, and have others ask."""
    server.client_diagnostics.change()
    is_pulling = pulls(server)
    if is_pulling:
        server.start_task(_have_pulled(server), "have diagnostics pulled")
    for path, report in news.items():
        uri = report.uri if report is not None else uri_from_path(path)
        is_asked = is_pulling and (
            server.client_diagnostics.pulls_all or (report is not None and report.is_open)
        )
        _push_items(server, uri, [] if is_asked else _items(server, report))


async def _have_pulled(server: ScopeServer) -> None:
    try:
        await asyncio.shield(server.workspace_diagnostic_refresh_async(None))
    except JsonRpcException as error:
        logger.info("The editor did not ask for diagnostics again: %s", error)


def _push_items(server: ScopeServer, uri: str, items: list[types.Diagnostic]) -> None:
    pushed = server.client_diagnostics.pushed
    if items:
        pushed.add(uri)
    elif uri in pushed:
        pushed.discard(uri)
    else:
        return
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, items))


def _items(server: ScopeServer, report: DocumentReport | None) -> list[types.Diagnostic]:
    codebase = server.codebase
    if report is None or codebase is None:
        return []
    uri_of = codebase.uri_of if server.client_can(_RELATED) else None
    return diagnostics_of(report, server.codec, uri_of)


def diagnostics_of(
    report: DocumentReport, codec: PositionCodec, uri_of: Callable[[str], str] | None = None
) -> list[types.Diagnostic]:
    """Return a diagnostic for each link whose code is not what was cited, in their order.

    Args:
        report: What became of the document.
        codec: The client's positions.
        uri_of: Gives the URI of a path, to tell where code is now; None to leave that out.
    """
    top = types.Range(types.Position(0, 0), types.Position(0, 3))
    found = []
    if report.check.problem:
        found.append(_diagnostic(top, report.check.problem, "unverifiable"))
    linked = set()
    for link, item in report.check.places:
        linked.add(id(item))
        state = item.reference.state
        if state in _SILENT:
            continue
        where = report.lines.range(link.start, link.end, codec)
        diagnostic = _diagnostic(where, report.sentence(item), str(state))
        diagnostic.severity = _severity(state, is_open=report.is_open)
        place = report.place(item)
        if uri_of is not None and place is not None and item.new_line_start is not None:
            lines = types.Range(
                types.Position(place.line_start - 1, 0), types.Position(place.line_end, 0)
            )
            there = types.Location(uri_of(place.path), lines)
            diagnostic.related_information = [
                types.DiagnosticRelatedInformation(there, "The cited code is here now.")
            ]
        found.append(diagnostic)
    for item in report.stale:
        if id(item) not in linked and not report.check.problem:
            found.append(_diagnostic(top, report.sentence(item), str(item.reference.state)))
    return found


def _severity(state: RefState, *, is_open: bool) -> types.DiagnosticSeverity:
    """Return how much a state matters.

    One edit touches what dozens of documents cite. Only the open ones count it among the problems;
    the panel and the list of answers tell it of all.
    """
    if not is_open:
        return types.DiagnosticSeverity.Hint
    return _SEVERITIES.get(state, types.DiagnosticSeverity.Warning)


def _diagnostic(where: types.Range, message: str, code: str) -> types.Diagnostic:
    warning = types.DiagnosticSeverity.Warning
    return types.Diagnostic(where, message, severity=warning, code=code, source=SOURCE)


def result_id(items: list[types.Diagnostic]) -> str:
    """Return a name for a list of diagnostics that is another one for other diagnostics."""
    return hashlib.blake2b(repr(items).encode(), digest_size=8).hexdigest()
