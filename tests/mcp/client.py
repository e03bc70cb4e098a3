"""The real ``scope mcp`` process, driven by the official client."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult, TextContent

from tests.cli.program import COMMAND, environment

DEADLINE_S = 60


@asynccontextmanager
async def serving(repo: Path, *options: str, mode: str = "auto") -> AsyncIterator[Client]:
    """Start the server in a code base and connect to it."""
    program, *rest = COMMAND
    server = StdioServerParameters(
        command=program,
        args=[*rest, "mcp", *options],
        env=environment(repo.parent / "home"),
        cwd=repo,
    )
    async with Client(
        stdio_client(server, errlog=sys.stderr), mode=mode, read_timeout_seconds=DEADLINE_S
    ) as client:
        yield client


async def ask(client: Client, name: str, /, **arguments: Any) -> Any:
    """Call a tool that is to succeed, and return its data."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, text_of(result)
    assert result.structured_content is None  # It would be read twice.
    return json.loads(text_of(result))


async def refused(client: Client, name: str, /, **arguments: Any) -> dict[str, Any]:
    """Call a tool that is to fail, and return the error object."""
    result = await client.call_tool(name, arguments)
    assert result.is_error, text_of(result)
    text = text_of(result)
    assert "Traceback" not in text
    error: dict[str, Any] = result.structured_content["error"]
    assert error["message"] in text
    return error


def text_of(result: CallToolResult) -> str:
    """Return what the model reads."""
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text
