"""A large folder is ready for questions when its code is read; the editor is told of the rest."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from analysis.index import reader, refresh, workers
from analysis.models import AskRequest
from analysis.settings import Settings
from analysis.stopping import StopFlag
from analysis.workspace.paths import uri_from_path
from lsp_server import protocol
from lsp_server.code_base import EditorCodeBase
from tests.lsp.in_process import Wire
from tests.test_half_built import write
from tests.test_left_rest import FIRST, LAST, QUESTION


def statuses(wire: Wire) -> list[dict[str, Any]]:
    return [m["params"] for m in wire.sent if m.get("method") == protocol.STATUS.method]


async def until(happened: Any) -> None:
    while not happened():  # noqa: ASYNC110  # what is waited for comes from another thread
        await asyncio.sleep(0.02)


async def test_the_editor_reads_on_and_answers_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, go = threading.Event(), threading.Event()
    read = reader.read_into

    def read_into(batch: Any, job: Any, *rest: Any, **options: Any) -> None:
        if job.path in LAST:
            held.set()
            go.wait(60)
        read(batch, job, *rest, **options)

    monkeypatch.setattr(workers, "_MIN_BYTES", 1)
    monkeypatch.setattr(refresh, "choose_workers", lambda *_: 0)
    monkeypatch.setattr(refresh, "read_into", read_into)
    write(tmp_path / "code", {**FIRST, **LAST})
    wire = Wire()
    await wire.initialize(
        workspaceFolders=[{"uri": uri_from_path(tmp_path / "code"), "name": "code"}],
        initializationOptions={"index": {"cacheDir": str(tmp_path / "index")}},
    )
    wire.notify("initialized", {})
    try:
        await until(held.is_set)
        answer = (await wire.request(protocol.ASK.method, {"question": QUESTION}))["result"]
        assert answer["stats"]["stopReason"] == "index_incomplete"
        assert "2 files are not read yet" in answer["markdown"]
        told = statuses(wire)[-1]
        assert told["state"] == "indexing"
        assert told["message"].startswith("Reading the other 2 files of code")
    finally:
        go.set()
    await until(lambda: statuses(wire)[-1]["state"] == "ready")
    answer = (await wire.request(protocol.ASK.method, {"question": QUESTION}))["result"]
    assert answer["stats"]["stopReason"] == "done"
    await wire.request("shutdown", None)
    assert wire.server.codebase is not None
    wire.server.codebase.engine.close()  # as the end of a process does


def test_where_an_answer_belongs_is_found_without_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_MIN_BYTES", 1)
    write(tmp_path / "a", {**FIRST, **LAST})
    write(tmp_path / "z", {"cart.py": "def total(cart):\n    return sum(cart)\n"})
    folders = {"a": tmp_path / "a", "z": tmp_path / "z"}
    codebase = EditorCodeBase.open(folders, Settings(), {})
    try:
        assert codebase.home_of(AskRequest("Where is the total of a cart?"), StopFlag()) == "z"
        assert codebase.engine.status().files == len(FIRST) + 1
    finally:
        codebase.engine.close()
