"""Short talks with `scope mcp` and with the language server, to which odd things are done.

Each starts the program, says hello, asks, says goodbye, and returns how it ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from analysis.workspace.paths import uri_from_path
from tests.cli.program import COMMAND
from tests.lsp.session import server_command

DEADLINE_S = 120
QUESTION = "How does authentication work?"
Ended = tuple[int | None, str, str]
"""The exit code, None for a hang, standard output and standard error."""


def mcp_talk(prefix: tuple[str, ...], root: Path, env: Mapping[str, str]) -> Ended:
    """Call the tools of `scope mcp` as an agent does."""
    calls = [
        ("analyze", {"query": QUESTION}),
        ("read_lines", {"path": "shop/auth.py", "line_start": 1, "line_end": 20}),
        ("find_references", {"name": "load_user"}),
    ]
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
         "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        *({"id": 3 + n, "method": "tools/call", "params": {"name": name, "arguments": given}}
          for n, (name, given) in enumerate(calls)),
    ]  # fmt: skip
    data = [json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n" for message in messages]
    command = [*prefix, *COMMAND, "mcp", "--repo", str(root)]
    return _talked(command, root, env, data, n_answers=5, goodbye=b"")


def server_talk(prefix: tuple[str, ...], root: Path, env: Mapping[str, str]) -> Ended:
    """Ask the language server, look around in a file, and shut it down."""
    uri = uri_from_path(str(root))
    file = uri_from_path(str(root / "shop" / "auth.py"))
    at = {"textDocument": {"uri": file}, "position": {"line": 9, "character": 18}}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": uri,
         "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "scope/ask", "params": {"question": QUESTION, "mode": "offline"}},
        {"id": 3, "method": "textDocument/hover", "params": at},
        {"id": 4, "method": "textDocument/references",
         "params": {**at, "context": {"includeDeclaration": True}}},
    ]  # fmt: skip
    goodbye = _framed({"id": 9, "method": "shutdown"}) + _framed({"method": "exit"})
    data = [_framed(message) for message in messages]
    return _talked([*prefix, *server_command()], root, env, data, n_answers=4, goodbye=goodbye)


TALKS: dict[str, Callable[[tuple[str, ...], Path, Mapping[str, str]], Ended]] = {
    "mcp": mcp_talk,
    "lsp": server_talk,
}


def _framed(message: dict[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def _talked(
    command: list[str], cwd: Path, env: Mapping[str, str], data: list[bytes], *, n_answers: int,
    goodbye: bytes,
) -> Ended:  # fmt: skip
    """Write what is said, wait for so many answers, say goodbye and wait for the end."""
    process = subprocess.Popen(
        command, cwd=cwd, env=dict(env), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert process.stdin is not None
    kept: dict[str, bytes] = {"out": b"", "err": b""}
    answered, ended = threading.Event(), threading.Event()

    def read(name: str, stream: Any) -> None:
        while piece := os.read(stream.fileno(), 65536):
            kept[name] += piece
            if kept["out"].count(b'"id":') >= n_answers:
                answered.set()
        if name == "out":
            ended.set()
            answered.set()

    readers = [
        threading.Thread(target=read, args=("out", process.stdout), daemon=True),
        threading.Thread(target=read, args=("err", process.stderr), daemon=True),
    ]
    for reader in readers:
        reader.start()
    code: int | None = None
    try:
        try:
            process.stdin.write(b"".join(data))
            process.stdin.flush()
            answered.wait(DEADLINE_S)
            process.stdin.write(goodbye)
            process.stdin.close()
        except OSError:
            pass  # It has ended: its code says how.
        code = process.wait(DEADLINE_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for reader in readers:
        reader.join(10)
    for stream in (process.stdin, process.stdout, process.stderr):
        with contextlib.suppress(OSError):
            assert stream is not None
            stream.close()
    return code, kept["out"].decode("utf-8", "replace"), kept["err"].decode("utf-8", "replace")
