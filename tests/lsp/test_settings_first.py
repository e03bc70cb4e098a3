"""What is asked before the editor told its settings is answered with them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.workspace.paths import uri_from_path
from lsp_server import protocol
from tests.lsp.in_process import Wire


async def opened(root: Path, *, tells_settings: bool) -> Wire:
    (root / "code").mkdir()
    (root / "code" / "sums.py").write_text("def add_all(items):\n    return sum(items)\n", "utf-8")
    wire = Wire()
    await wire.initialize(
        workspaceFolders=[{"uri": uri_from_path(root / "code"), "name": "code"}],
        capabilities={"workspace": {"configuration": tells_settings}},
        initializationOptions={"index": {"cacheDir": str(root / "early")}},
    )
    return wire


async def asked_for_settings(wire: Wire) -> Any:
    """The id of the server's request for the settings, once it is there."""
    while True:
        for message in wire.sent:
            if message.get("method") == "workspace/configuration":
                return message["id"]
        await asyncio.sleep(0.01)


async def test_a_question_waits_for_the_settings(tmp_path: Path):
    wire = await opened(tmp_path, tells_settings=True)
    wire.notify("initialized", {})
    asking = asyncio.create_task(wire.request(protocol.ASK.method, {"question": "add_all?"}))
    request_id = await asked_for_settings(wire)
    settings: dict[str, Any] = {"index": {"cacheDir": str(tmp_path / "wanted")}}
    assert not asking.done()
    wire.tell(request_id, [settings])
    answer = (await asking)["result"]
    assert "sums.py" in answer["markdown"]
    assert list((tmp_path / "wanted").iterdir())
    assert not (tmp_path / "early").exists()
    await wire.request("shutdown", None)


AT = {"line": 0, "character": 5}


def file_in(root: Path) -> dict[str, str]:
    return {"uri": uri_from_path(root / "code" / "sums.py")}


def item_in(root: Path) -> dict[str, Any]:
    here = {"start": AT, "end": AT}
    item = {"name": "add_all", "kind": 12, "range": here, "selectionRange": here}
    return {"item": {**item, **file_in(root)}}


@pytest.mark.parametrize(
    ("method", "params", "found"),
    [
        (
            "textDocument/references",
            lambda root: {
                "textDocument": file_in(root),
                "position": AT,
                "context": {"includeDeclaration": False},
            },
            [4],
        ),
        (
            "textDocument/prepareCallHierarchy",
            lambda root: {"textDocument": file_in(root), "position": AT},
            [0],
        ),
        ("callHierarchy/incomingCalls", item_in, [3]),
    ],
)
async def test_searches_of_the_editor_wait_for_the_settings(
    tmp_path: Path, method: str, params: Callable[[Path], dict[str, Any]], found: list[int]
):
    wire = await opened(tmp_path, tells_settings=True)
    user = "def add_all(items):\n    return sum(items)\n\ndef both(a):\n    return add_all(a)\n"
    (tmp_path / "code" / "sums.py").write_text(user, "utf-8")
    wire.notify("initialized", {})
    asking = asyncio.create_task(wire.request(method, params(tmp_path)))
    request_id = await asked_for_settings(wire)
    assert not asking.done()
    wanted = {"index": {"cacheDir": str(tmp_path / "wanted")}, "editor": {"references": ["python"]}}
    wire.tell(request_id, [wanted])
    result = (await asking)["result"]
    assert [start_of(item) for item in result] == found
    assert not (tmp_path / "early").exists()
    await wire.request("shutdown", None)


def start_of(item: dict[str, Any]) -> int:
    """The first line of a place, of a function or of a caller."""
    place = item.get("from", item)
    return int(place["range"]["start"]["line"])


async def test_a_client_without_settings_is_answered_at_once(tmp_path: Path):
    wire = await opened(tmp_path, tells_settings=False)
    answer = await wire.request(protocol.ASK.method, {"question": "add_all?"})
    assert "sums.py" in answer["result"]["markdown"]
    await wire.request("shutdown", None)
