"""``scope/tool``: the tools that ``scope mcp`` serves, for the agents of the editor itself."""

from __future__ import annotations

from typing import Any

from analysis.errors import ScopeError
from lsp_server.errors import answering_errors
from lsp_server.protocol import TOOL, ToolCallParams, ToolCallResult
from lsp_server.server import ScopeServer

_NEVER_SENT = (
    "The user's setting 'model.neverSend' keeps code from models, so this tool gives none. "
    "Do not call it again."
)


def register(server: ScopeServer) -> None:
    """Register the request."""
    server.feature(TOOL.method)(on_tool)


async def on_tool(server: ScopeServer, raw: Any) -> dict[str, Any]:
    """Return what a tool says; what an agent can mend is told as the tool's text."""
    from analysis.mcp.tool_calls import ToolCalls
    from analysis.tools.fitting import text_of

    params = ToolCallParams.parse(raw)
    if server.settings.model.never_send:
        return ToolCallResult(text=_NEVER_SENT, ok=False).dump()
    with answering_errors():
        engine = (await server.require_codebase()).engine
    try:
        calls = ToolCalls(engine, server.organisation)
        shape = await calls.call(params.name, params.arguments, _ignored)
    except ScopeError as error:
        return ToolCallResult(text=str(error), ok=False).dump()
    return ToolCallResult(text=text_of(shape), ok=True).dump()


async def _ignored(done: int, total: int, doing: str) -> None:
    """Take no note of progress: the status item shows it."""
