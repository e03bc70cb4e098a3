"""``scope/verify``, its commands, and ``scope/documentState``: what became of documents."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from analysis.workspace.paths import uri_from_path
from lsp_server import document_messages
from lsp_server.code_base import EditorCodeBase, wire_reference
from lsp_server.document_messages import DocumentStateParams, VerifyParams, VerifyResult, WireLink
from lsp_server.documents.report import DocumentReport, summary_of
from lsp_server.documents.watch import Reports
from lsp_server.errors import answering_errors
from lsp_server.server import ScopeServer


def register(server: ScopeServer) -> None:
    """Register the request and the commands, and tell clients that want to know of each change."""
    server.feature(document_messages.VERIFY.method)(on_verify)
    server.command(document_messages.COMMAND_VERIFY_DOCUMENT.name)(on_verify_command)
    server.command(document_messages.COMMAND_VERIFY_ALL.name)(on_verify_all_command)
    server.documents.follow(lambda news: _tell(server, news))


async def on_verify(server: ScopeServer, raw: Any) -> dict[str, Any]:
    """Return the state of every reference of a context document."""
    params = VerifyParams.parse(raw)
    with answering_errors():
        codebase = await server.require_codebase()
        report = await server.documents.look_at(params.document_uri)
    return verify_result(codebase, report).dump()


async def on_verify_command(server: ScopeServer, *arguments: Any) -> dict[str, Any]:
    """Verify one document, say in a sentence what became of it, and return the details."""
    params = VerifyParams.parse(arguments[0] if arguments else None)
    with answering_errors():
        codebase = await server.require_codebase()
        report = await server.documents.look_at(params.document_uri)
    _show(server, summary_of([report]), is_good=not report.summary)
    return verify_result(codebase, report).dump()


async def on_verify_all_command(server: ScopeServer, *arguments: Any) -> str:
    """Verify every document of the workspace, say what became of them, and return the sentence."""
    with answering_errors():
        reports = await server.documents.look_at_all()
    said = summary_of(reports) if reports else "There is no answer in this workspace yet."
    _show(server, said, is_good=not any(report.summary for report in reports))
    return said


def _show(server: ScopeServer, said: str, *, is_good: bool) -> None:
    level = types.MessageType.Info if is_good else types.MessageType.Warning
    server.window_show_message(types.ShowMessageParams(level, f"Scope: {said}"))


def _tell(server: ScopeServer, news: Reports) -> None:
    codebase = server.codebase
    if not server.abilities.document_states or codebase is None:
        return
    for path, report in news.items():
        uri = uri_from_path(path) if report is None else report.uri
        state = None if report is None else verify_result(codebase, report)
        server.notify(
            document_messages.DOCUMENT_STATE, DocumentStateParams(document_uri=uri, state=state)
        )


def verify_result(codebase: EditorCodeBase, report: DocumentReport) -> VerifyResult:
    """Return what became of a document as it goes over the wire."""
    references = []
    for item in report.check.references:
        now = item.new_path or item.reference.path
        wire = wire_reference(item.reference, codebase.uri_of(report.prefix + now))
        wire.new_path = item.new_path
        wire.new_line_start = item.new_line_start
        wire.new_line_end = item.new_line_end
        references.append(wire)
    return VerifyResult(
        references=references,
        counts=dict(report.counts),
        links=_links(codebase, report),
        summary=report.summary,
        moved=report.n_moved,
    )


def _links(codebase: EditorCodeBase, report: DocumentReport) -> list[WireLink]:
    found = []
    for link, item in report.check.places:
        place = report.link_place(link, item)
        path = place.path if place is not None else report.prefix + item.reference.path
        found.append(
            WireLink(
                target=link.target,
                uri=codebase.uri_of(path),
                line_start=place.line_start if place is not None else link.line_start,
                line_end=place.line_end if place is not None else link.line_end,
                state=str(item.reference.state),
                is_lost=place is None,
                sentence=report.sentence(item),
            )
        )
    return found
