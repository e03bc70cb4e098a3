"""Asks the user in the editor: with ``scope/approve``, or with the choices of a plain message."""

from __future__ import annotations

import asyncio
import logging
import uuid
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from lsp_server.protocol import APPROVE, ApproveParams, ApproveResult

if TYPE_CHECKING:
    from analysis.calls import ApprovalRequest, Approver, Decision
    from lsp_server.server import ScopeServer

logger = logging.getLogger(__name__)

_CHOICES: dict[str, Decision] = {
    "Once": "once",
    "This Session": "session",
    "Always": "always",
    "Deny": "deny",
}
_FILES_SHOWN = 3


def approver_of(server: ScopeServer, run_id: str) -> Approver:
    """Return who is asked in a run; whatever goes wrong with the asking is a no."""

    async def ask(request: ApprovalRequest) -> Decision:
        if server.abilities.approve:
            return await _by_request(server, run_id, request)
        return await _by_message(server, request)

    return ask


async def _by_request(server: ScopeServer, run_id: str, request: ApprovalRequest) -> Decision:
    """Ask a client that has a dialog for it."""
    params = ApproveParams(
        run_id=run_id,
        tool=request.tool,
        scopes=list(request.scopes),
        tokens=request.tokens,
        files=list(request.files),
        host=request.host,
        model=request.model,
    )
    try:
        return ApproveResult.parse(await _answer(server, APPROVE.method, params.dump())).decision
    except (JsonRpcException, JsonRpcInvalidParams) as error:
        logger.warning("Nothing was approved, the editor could not ask: %s", error)
        return "deny"


async def _by_message(server: ScopeServer, request: ApprovalRequest) -> Decision:
    """Ask any other client by a message with buttons; one that is closed is a no."""
    params = types.ShowMessageRequestParams(
        types.MessageType.Warning,
        question(request),
        [types.MessageActionItem(title) for title in _CHOICES],
    )
    try:
        chosen = await _answer(server, types.WINDOW_SHOW_MESSAGE_REQUEST, params)
    except JsonRpcException as error:
        logger.warning("Nothing was approved, the editor could not ask: %s", error)
        return "deny"
    return _CHOICES.get(getattr(chosen, "title", ""), "deny")


async def _answer(server: ScopeServer, method: str, params: Any) -> Any:
    """Return the client's answer; a run that ends takes its question back."""
    request_id = uuid.uuid4().hex
    answer = server.protocol.send_request_async(method, params, request_id)
    try:
        return await asyncio.shield(answer)
    finally:
        if not answer.done() and not server.shutting_down:
            # Not answer.cancel(): pygls reports the late reply to a cancelled future.
            server.protocol.notify(types.CANCEL_REQUEST, types.CancelParams(request_id))
            answer.add_done_callback(asyncio.Future.exception)


def question(request: ApprovalRequest) -> str:
    """Return the question in one line: what, how much, whose, and where it goes."""
    if not request.model:
        return f"Scope: may the model call the tool '{request.tool}'?"
    files = ", ".join(request.files[:_FILES_SHOWN])
    if len(request.files) > _FILES_SHOWN:
        files += f" and {len(request.files) - _FILES_SHOWN} more"
    return (
        f"Scope: send about {request.tokens:,} tokens ({', '.join(request.scopes)}"
        f"{f'; {files}' if files else ''}) to {request.model} at {request.host}?"
    )
