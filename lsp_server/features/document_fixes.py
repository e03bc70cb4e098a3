"""Quick fixes in documents: lead references to their code, take it as reviewed, ask again.

They are edits of the document, so that every editor can show and undo them.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from lsprotocol import types

from analysis.documents import Reanchored
from analysis.models import MODE_NAMES, RefState
from lsp_server import document_messages
from lsp_server.code_base import EditorCodeBase
from lsp_server.document_messages import AskAgainParams, VerifyParams
from lsp_server.documents.edits import Fix, fixed_text, fixing_edit
from lsp_server.documents.report import GOOD, DocumentReport, label, lines_label
from lsp_server.errors import answering_errors
from lsp_server.features.commands import on_ask_command
from lsp_server.features.diagnostics import SOURCE
from lsp_server.protocol import AskParams
from lsp_server.server import ScopeServer

logger = logging.getLogger(__name__)

_REVIEWED = frozenset({RefState.CHANGED, RefState.EDITED})
_RESOLVES = "text_document.code_action.resolve_support"


def register(server: ScopeServer) -> None:
    """Register the commands; the code actions are offered by ``code_actions``."""
    server.command(document_messages.COMMAND_UPDATE_REFERENCES.name)(on_update_command)
    server.command(document_messages.COMMAND_ASK_AGAIN.name)(on_ask_again_command)


async def document_actions(
    server: ScopeServer, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """Return what can be done about the references in a range of a document."""
    report = await server.documents.report(params.text_document.uri)
    if report is None or not report.summary:
        return []
    given = [d for d in params.context.diagnostics if d.source == SOURCE]
    actions = []
    for item in _items_in(server, report, params.range):
        state = item.reference.state
        place = report.place(item)
        if state is RefState.MOVED and place is not None and not report.check.problem:
            same = place.path == report.prefix + item.reference.path
            to = lines_label(place) if same else label(place)
            actions.append(_fix(f"Update reference to {to}", report, "update", item, given))
        elif state in _REVIEWED and not report.check.problem:
            actions.append(_fix("Mark as reviewed", report, "review", item, given))
    if report.n_moved:
        actions.append(_fix("Update all moved references", report, "updateAll", None, given))
    if report.check.problem:
        actions.append(_fix("Mark as reviewed", report, "review", None, given))
    if report.question:
        actions.append(_ask_again(report, given))
    if not server.client_can(_RESOLVES):
        for action in actions:
            await resolve_fix(server, action)
    return actions


async def resolve_fix(server: ScopeServer, action: types.CodeAction) -> types.CodeAction:
    """Fill in the edit of a fix, for the document as it is now."""
    data: dict[str, Any] = action.data if isinstance(action.data, dict) else {}
    codebase = server.codebase
    if "fix" not in data or codebase is None:
        return action
    report = await server.documents.report(data["uri"])
    if report is None:
        return action
    if data["fix"] == "askAgain":
        action.command = ask_again_command(report, action.title)
        return action
    wanted = data.get("item")
    item = next((i for i in report.check.references if key_of(i) == wanted), None)
    if wanted is None or item is not None:
        action.edit = await fixing_edit(codebase, report, data["fix"], item, server.codec)
    return action


async def on_update_command(server: ScopeServer, *arguments: Any) -> int:
    """Lead all moved references of a document to where their code is; return how many."""
    params = VerifyParams.parse(arguments[0] if arguments else None)
    with answering_errors():
        codebase = await server.require_codebase()
        report = await server.documents.look_at(params.document_uri)
        n_moved = report.n_moved
        if not n_moved or not await _apply(server, codebase, report):
            _show(server, "Scope: No reference of this document has moved.")
            return 0
    words = "1 reference was" if n_moved == 1 else f"{n_moved} references were"
    _show(server, f"Scope: {words} updated.")
    return n_moved


async def on_ask_again_command(server: ScopeServer, *arguments: Any) -> str:
    """Ask the question of a document once more, in the same mode; return the run's id."""
    params = AskAgainParams.parse(arguments[0] if arguments else None)
    mode = params.mode if params.mode in MODE_NAMES else None
    return await on_ask_command(server, AskParams(question=params.question, mode=mode).dump())


async def _apply(server: ScopeServer, codebase: EditorCodeBase, report: DocumentReport) -> bool:
    """Change a document in the editor if it is open there, on the disk otherwise."""
    if not report.is_open:
        written = await asyncio.to_thread(_write, codebase, report)
        server.documents.note(report.uri)
        return written
    edit = await fixing_edit(codebase, report, "updateAll", None, server.codec)
    if edit is None:
        return False
    params = types.ApplyWorkspaceEditParams(edit, label="Update moved references")
    result = await asyncio.shield(server.workspace_apply_edit_async(params))
    return bool(result.applied)


def _write(codebase: EditorCodeBase, report: DocumentReport) -> bool:
    from analysis.documents.parse import with_line_ends_of
    from analysis.workspace.atomic import write_atomically

    text = fixed_text(codebase, report, "updateAll")
    if text is None:
        return False
    write_atomically(report.path, with_line_ends_of(report.path, text))
    return True


def _items_in(server: ScopeServer, report: DocumentReport, where: types.Range) -> list[Reanchored]:
    """Return what is not as it was of the links in a range, and what the first line tells of."""
    found: dict[tuple[Any, ...], Reanchored] = {}
    for link, item in report.check.places:
        if item.reference.state not in GOOD:
            linked = report.lines.range(link.start, link.end, server.codec)
            if linked.start <= where.end and where.start <= linked.end:
                found[tuple(key_of(item))] = item
    if where.start.line == 0:
        removed = [item for item in report.stale if item.change == "removed"]
        found |= {tuple(key_of(item)): item for item in removed}
    return list(found.values())


def key_of(item: Reanchored) -> list[Any]:
    """Return what names a reference of a document while that stays as it is."""
    reference = item.reference
    place = [reference.path, reference.line_start, reference.line_end]
    return [*place, str(reference.state), item.new_path, item.new_line_start, item.new_line_end]


def _fix(
    title: str,
    report: DocumentReport,
    fix: Fix,
    item: Reanchored | None,
    given: list[types.Diagnostic],
) -> types.CodeAction:
    data: dict[str, Any] = {"uri": report.uri, "fix": fix}
    state = None
    if item is not None:
        data["item"] = key_of(item)
        state = str(item.reference.state)
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[d for d in given if state is None or d.code == state],
        is_preferred=True if fix == "update" else None,
        data=data,
    )


def _ask_again(report: DocumentReport, given: list[types.Diagnostic]) -> types.CodeAction:
    return types.CodeAction(
        title="Ask again",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=given,
        data={"uri": report.uri, "fix": "askAgain"},
    )


def ask_again_command(report: DocumentReport, title: str) -> types.Command:
    """Return what asks the question of a document once more."""
    params = AskAgainParams(document_uri=report.uri, question=report.question, mode=report.mode)
    return types.Command(title, document_messages.COMMAND_ASK_AGAIN.name, None, [params.dump()])


def _show(server: ScopeServer, text: str) -> None:
    server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
