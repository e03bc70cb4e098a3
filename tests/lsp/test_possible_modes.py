"""The status says in which modes a question can be answered now."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from analysis.modes.registry import MODES
from analysis.workspace.paths import uri_from_path
from lsp_server import protocol
from tests.lsp.in_process import Wire
from tests.lsp.session import DEADLINE_S

ALL = list(MODES)
MODEL = {"model": {"name": "openai/some-model"}}


async def modes_of(wire: Wire, n_statuses: int = 1) -> list[str]:
    """The modes in the newest status, once the index is ready."""

    async def newest() -> list[str]:
        while True:
            sent = [it["params"] for it in wire.sent if it.get("method") == protocol.STATUS.method]
            ready = [params for params in sent if params["state"] == "ready"]
            if len(ready) >= n_statuses:
                return list(ready[-1]["modes"])
            await asyncio.sleep(0.01)

    return await asyncio.wait_for(newest(), DEADLINE_S)


async def started(root: Path, settings: dict[str, Any]) -> Wire:
    (root / "code").mkdir()
    (root / "code" / "a.py").write_text("a = 1\n", encoding="utf-8")
    wire = Wire()
    options = {"index": {"cacheDir": str(root / "cache")}, **settings}
    folder = {"uri": uri_from_path(root / "code"), "name": "code"}
    await wire.initialize(workspaceFolders=[folder], initializationOptions=options)
    wire.notify("initialized", {})
    return wire


@pytest.mark.parametrize(
    ("settings", "modes"),
    [
        ({}, ["offline"]),
        (MODEL, ALL),
        ({"model": {**MODEL["model"], "neverSend": True}}, ["offline"]),
        ({**MODEL, "allowedScopes": ["input"]}, ["offline"]),
        ({**MODEL, "allowedScopes": ["input", "workspace"]}, ["offline", "pipeline"]),
    ],
)
async def test_by_settings(settings: dict[str, Any], modes: list[str], tmp_path: Path):
    wire = await started(tmp_path, settings)
    assert await modes_of(wire) == modes
    await wire.request("shutdown", None)


async def test_a_model_that_is_chosen_later(tmp_path: Path):
    wire = await started(tmp_path, {"client": {"complete": True}})
    assert await modes_of(wire) == ["offline"]
    wire.notify(protocol.USE_MODEL.method, {"name": "editor/model", "contextTokens": 8_000})
    assert await modes_of(wire, 2) == ALL
    wire.notify(protocol.USE_MODEL.method, {})
    assert await modes_of(wire, 3) == ["offline"]
    await wire.request("shutdown", None)


async def test_a_model_whose_library_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "litellm", None)
    wire = await started(tmp_path, MODEL)
    assert await modes_of(wire) == ["offline"]
    statuses = [it["params"] for it in wire.sent if it.get("method") == protocol.STATUS.method]
    assert statuses[-1]["missing"] == ["model"]
    await wire.request("shutdown", None)
