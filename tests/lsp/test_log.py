"""What stands in the log: a line for what was expected, a traceback for a bug."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest

from analysis.workspace.paths import uri_from_path
from lsp_server import document_messages, protocol
from lsp_server.server import ScopeServer
from tests.lsp.in_process import Wire


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("def login():\n    return 1\n", encoding="utf-8")
    return tmp_path


def tracebacks(caplog: pytest.LogCaptureFixture) -> list[str]:
    found = [record for record in caplog.records if record.levelno >= logging.WARNING]
    return [r.getMessage() for r in found if r.exc_info or "Traceback" in r.getMessage()]


async def opened(root: Path) -> Wire:
    wire = Wire()
    folder = {"uri": uri_from_path(root), "name": "code"}
    options = {"index": {"cacheDir": str(root.parent / "cache")}}
    await wire.initialize(workspaceFolders=[folder], initializationOptions=options)
    return wire


def command(name: str, *arguments: Any) -> tuple[str, dict[str, Any]]:
    return "workspace/executeCommand", {"command": name, "arguments": list(arguments)}


@pytest.mark.parametrize(
    ("method", "params"),
    [
        (protocol.ASK.method, {"question": ""}),
        (protocol.ASK.method, {"question": "x", "location": {"uri": "a"}}),
        (protocol.ASK.method, {"question": "How?", "mode": "agent"}),
        (document_messages.VERIFY.method, {"documentUri": "file:///nowhere/a.md"}),
        (protocol.TOOL.method, None),
        (protocol.USES.method, {"uri": "https://x/y"}),
        ("scope/nothing", {}),
        command(protocol.COMMAND_ASK.name, {"question": ""}),
        command(protocol.COMMAND_ASK.name, {"question": "x", "followUp": "https://x/y"}),
    ],
)
async def test_an_expected_error_is_a_line(
    method: str, params: Any, root: Path, caplog: pytest.LogCaptureFixture
):
    wire = await opened(root)
    with caplog.at_level(logging.INFO):
        answer = await wire.request(method, params)
        assert answer["error"]["code"] != -32603
        await asyncio.sleep(0)
    assert tracebacks(caplog) == []
    await wire.request("shutdown", None)


async def test_a_notification_that_makes_no_sense_is_a_line(
    root: Path, caplog: pytest.LogCaptureFixture
):
    wire = await opened(root)
    wire.notify(protocol.USE_MODEL.method, {"contextTokens": "many"})
    await asyncio.sleep(0)
    assert tracebacks(caplog) == []
    assert any("contextTokens" in record.getMessage() for record in caplog.records)
    await wire.request("shutdown", None)


async def test_a_bug_is_shown_whole_and_once(root: Path, caplog: pytest.LogCaptureFixture):
    async def on_bug(server: ScopeServer, raw: Any) -> None:
        raise ZeroDivisionError("a bug")

    wire = Wire()
    wire.server.feature("scope/bug")(on_bug)
    await wire.initialize()
    answer = await wire.request("scope/bug", {})
    assert answer["error"]["code"] == -32603
    await asyncio.sleep(0)
    assert len(tracebacks(caplog)) == 1
    await wire.request("shutdown", None)
