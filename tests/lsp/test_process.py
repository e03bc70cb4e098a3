"""The server as a process: quiet, obedient, and gone when it should be."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.workspace.paths import uri_from_path
from lsp_server import protocol
from tests.lsp.session import DEADLINE_S, editing, server_command, server_environment

NOISE = """
import builtins, socket, sys
real_import, real_connect = builtins.__import__, socket.socket.connect
def noisy(name, *args, **kwargs):
    module = real_import(name, *args, **kwargs)
    if name in ("pygls.lsp.server", "analysis.retrieval", "numpy"):
        sys.stdout.write("a dependency prints this\\n"); sys.stdout.flush()
        import os; os.write(1, b"and this\\n")
    return module
def connect(self, address):
    with open(%r, "a") as log:
        log.write(repr(address) + "\\n")
    return real_connect(self, address)
builtins.__import__ = noisy
socket.socket.connect = connect
"""


def project(folder: Path, n_files: int = 3) -> Path:
    root = folder / "code"
    root.mkdir()
    for number in range(n_files):
        body = "\n".join(f"    x{i} = {i}" for i in range(50))
        (root / f"m{number}.py").write_text(f"def f{number}():\n{body}\n")
    return root


async def test_stdout_is_the_protocol_and_nothing_connects(tmp_path: Path):
    connections = tmp_path / "connections.log"
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(NOISE % str(connections))
    root = project(tmp_path)
    repository = str(Path(__file__).resolve().parents[2])  # noqa: ASYNC240
    env = {"PYTHONPATH": f"{site}{os.pathsep}{repository}"}
    async with editing(tmp_path, root, env=env) as editor:
        await editor.ready()
        result = await editor.ask("Where is f1?")
        assert result["references"]
        assert editor.error is None
    assert not connections.exists()


def framed(message: dict[str, object]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def test_the_first_byte_is_protocol(tmp_path: Path):
    process = subprocess.Popen(
        server_command(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=server_environment(tmp_path),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    params: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}
    with process:
        process.stdin.write(framed({"id": 1, "method": "initialize", "params": params}))
        process.stdin.flush()
        assert process.stdout.read(16) == b"Content-Length: "
        process.stdin.close()
        assert process.wait(timeout=DEADLINE_S) is not None


async def test_shutdown_during_a_run_ends_it(tmp_path: Path):
    root = project(tmp_path, 800)
    async with asyncio.timeout(DEADLINE_S), editing(tmp_path, root) as editor:
        request = asyncio.ensure_future(editor.ask("Where is f77?", runId="r"))
        request.add_done_callback(lambda done: done.cancelled() or done.exception())
        await editor.until(lambda: editor.run_events["r"], "first event")
    assert request.done()


async def test_a_restarted_server_answers_from_the_index(tmp_path: Path):
    root = project(tmp_path, 30)
    async with editing(tmp_path, root) as editor:
        await editor.ready()
    async with editing(tmp_path, root) as editor:
        result = await editor.ask("Where is f7?")
        assert result["stats"]["filesParsed"] == 0
        assert result["references"][0]["path"] == "m7.py"


async def test_the_server_ends_with_the_editors_process(tmp_path: Path):
    root = project(tmp_path)
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "input()", stdin=subprocess.PIPE
    )
    async with editing(tmp_path, root, process_id=parent.pid) as editor:
        await editor.ready()
        server = editor._server
        assert server is not None
        assert server.returncode is None
        parent.kill()
        await parent.wait()
        await editor.until(lambda: server.returncode is not None, "the server ends")
        editor.protocol.notify = lambda *args: None  # type: ignore[method-assign]  # nobody listens
        editor.shutdown_session = ended  # type: ignore[method-assign]


async def ended() -> None:
    """There is no server left to shut down."""


async def test_no_folder_open_is_said(tmp_path: Path):
    async with editing(tmp_path) as editor:
        with pytest.raises(Exception, match="no folder is open"):
            await editor.request(protocol.ASK.method, {"question": "What is this?"})


async def test_a_removed_folder_does_not_hurt(tmp_path: Path):
    missing = tmp_path / "missing"
    async with editing(tmp_path, missing) as editor:
        with pytest.raises(Exception, match="no folder is open"):
            await editor.ask("What is this?")


async def test_requests_are_answered_while_a_folder_is_indexed(tmp_path: Path):
    root = project(tmp_path, 1500)
    async with editing(tmp_path, root) as editor:
        await editor.until(
            lambda: any(status.get("total") for status in editor.statuses), "indexing goes on"
        )
        status = await editor.command(protocol.COMMAND_STATUS.name)
        assert status["state"] in {"indexing", "ready"}
        found = await editor.request(protocol.ANALYZE.method, {"query": "f1"})
        assert found["searched"]["files"] <= 1500
        uri = editor.open(root / "m1.py")
        assert uri == uri_from_path(str(root / "m1.py"))
        await editor.ready()
        assert (await editor.command(protocol.COMMAND_STATUS.name))["state"] == "ready"
        assert await editor.command(protocol.COMMAND_REINDEX.name) == 1500
