"""Messages of any kind, in any order, at any time of a session: each request gets one answer."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lsp_server.refusals import is_id
from tests.lsp.session import DEADLINE_S, server_command, server_environment

EXAMPLES = int(os.environ.get("SCOPE_SESSIONS", "5"))
"""A process of its own for each."""
INVALID_REQUEST, NOT_INITIALIZED, PARSE_ERROR = -32600, -32002, -32700
_DONE = "done"
_HOVER = {"textDocument": {"uri": "file:///nowhere/a.py"}, "position": {"line": 0, "character": 0}}
_INITIALIZE: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}
_PARAMS: dict[str, list[Any]] = {
    "initialize": [_INITIALIZE, {"capabilities": 1}, "x"],
    "shutdown": [None],
    "textDocument/hover": [_HOVER, "x", {}, [_HOVER], {"textDocument": None, "position": 3}],
    "textDocument/documentSymbol": [{"textDocument": {"uri": "file://%00/\u0000"}}, 7],
    "workspace/symbol": [{"query": "x" * 9000}, {"query": ["x"]}],
    "workspace/executeCommand": [{"command": "nope"}, {"command": 1, "arguments": 2}],
    "scope/ask": [{"question": "x"}, {"question": ""}, [1], {"question": {"a": 1}}, None],
    "scope/verify": [{"documentUri": "file:///dev/zero"}, {"documentUri": 5}],
    "scope/nope": [{}],
    "": [None],
}
_NOTICES: list[dict[str, Any]] = [
    {"method": "initialized", "params": {}},
    {"method": "$/cancelRequest", "params": {"id": "r0"}},
    {"method": "$/cancelRequest", "params": "r0"},
    {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "x"}}},
    {"method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///n/a.py",
     "version": 2}, "contentChanges": [{"text": "x"}]}},
    {"method": "workspace/didChangeConfiguration", "params": {"settings": {"scope": 1}}},
    {"method": "workspace/didChangeWorkspaceFolders", "params": {"event": {"added": 1}}},
    {"method": "no/such"},
    {"method": 5},
    {"id": "unknown", "result": [1]},
    {"id": 99, "error": {"code": "x"}},
]  # fmt: skip


def framed(body: bytes, header: bytes = b"Content-Length: %d\r\n") -> bytes:
    return header % len(body) + b"\r\n" + body


@dataclass
class Session:
    """What was sent, and what the protocol says must come back."""

    pieces: list[bytes] = field(default_factory=list)
    expected: dict[str, int | None] = field(default_factory=dict)
    """By id: a code, or None for any answer."""
    n_without_id: int = 0
    is_initialized: bool = False
    is_over: bool = False

    def request(self, method: str, params: Any, header: bytes) -> None:
        msg_id = f"r{len(self.expected)}"
        message = {"jsonrpc": "2.0", "id": msg_id, "method": method, "params": params}
        self.pieces.append(framed(json.dumps(message).encode(), header))
        code = None
        if self.is_over:
            code = INVALID_REQUEST
        elif method == "initialize":
            code = INVALID_REQUEST if self.is_initialized else None
            self.is_initialized = self.is_initialized or params == _INITIALIZE
        elif not self.is_initialized:
            code = NOT_INITIALIZED
        self.is_over = self.is_over or (method == "shutdown" and code is None)
        self.expected[msg_id] = code

    def other(self, body: bytes) -> None:
        """Send what has no id that could be answered."""
        self.pieces.append(framed(body))
        self.n_without_id += 1


_HEADERS = st.sampled_from(
    [b"Content-Length: %d\r\n", b"content-length:%d\r\n", b"Content-Length: %d\r\nX-Y: z\r\n",
     b"Content-Length: abc\r\nContent-Length: %d\r\n", b"\r\n\r\nContent-Length: %d\r\n",
     b"Content-Length: -4\r\n\r\n{}Content-Length: %d\r\n"]
)  # fmt: skip
_REQUESTS = st.sampled_from(sorted(_PARAMS)).flatmap(
    lambda method: st.tuples(st.just(method), st.sampled_from(_PARAMS[method]), _HEADERS)
)
_JUNK = st.sampled_from(
    [b"[]", b"1", b'"x"', b"null", b"{", b"\xff\xfe", b"[" * 50_000, b"[{}, {}]",
     b'{"jsonrpc": "2.0", "id": true, "method": "shutdown"}', b'{"jsonrpc": "2.0", "id": []}',
     b'{"jsonrpc": "2.0", "id": 1e999, "method": "shutdown"}']
)  # fmt: skip
_STEPS = st.lists(_REQUESTS | st.sampled_from(_NOTICES) | _JUNK, max_size=60)


def played(steps: list[Any]) -> Session:
    session = Session()
    for step in steps:
        if isinstance(step, tuple):
            session.request(*step)
        elif isinstance(step, bytes):
            session.other(step)
        else:
            session.pieces.append(framed(json.dumps({"jsonrpc": "2.0", **step}).encode()))
    return session


class Server:
    """A real server, and all that it said."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(
            server_command(), cwd=home, env=server_environment(home),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.answers: list[dict[str, Any]] = []
        self.news = threading.Condition()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        """Take every message apart; whatever is none of the protocol ends it with an error."""
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            assert line.startswith(b"Content-Length: "), line
            while self.process.stdout.readline().strip():
                pass
            message = json.loads(self.process.stdout.read(int(line.split(b":")[1])))
            with self.news:
                self.answers += [message] if "method" not in message else []
                self.news.notify_all()

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def until_answered(self, n: int) -> None:
        with self.news:
            assert self.news.wait_for(lambda: len(self.answers) >= n, DEADLINE_S), self.answers

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        code = self.process.wait(DEADLINE_S)
        self.reader.join(DEADLINE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


_INIT = ("initialize", _INITIALIZE, b"Content-Length: %d\r\n")
_SHUT = ("shutdown", None, b"Content-Length: %d\r\n")
_ASK = ("scope/ask", {"question": "x"}, b"content-length:%d\r\n")


@pytest.mark.timeout(300 + 60 * EXAMPLES)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=_STEPS, is_cut=st.booleans())
@example(steps=[_ASK, _INIT, _INIT, _ASK, b"{", _SHUT, _SHUT, _ASK, *_NOTICES], is_cut=True)
def test_each_request_is_answered_once_and_as_its_time_says(
    home: Path, steps: list[Any], is_cut: bool
):
    session = played(steps)
    server = Server(home)
    for piece in session.pieces:
        server.send(piece)
    server.until_answered(len(session.expected) + session.n_without_id)
    if is_cut:
        server.send(b'Content-Length: 1000\r\n\r\n{"jsonrpc": "2.0", "id": "half"')
    assert server.end() == 0
    counted = Counter(answer["id"] for answer in server.answers if is_id(answer["id"]))
    assert counted == Counter(session.expected.keys())
    for answer in server.answers:
        code = answer.get("error", {}).get("code")
        if answer["id"] is None:
            assert code in (INVALID_REQUEST, PARSE_ERROR)
        elif (wanted := session.expected[answer["id"]]) is not None:
            assert code == wanted
        else:
            assert code not in (NOT_INITIALIZED, -32603), answer


def test_a_flood_is_answered_and_a_client_that_vanishes_leaves_no_process(home: Path):
    server = Server(home)
    session = played([_INIT, *[("textDocument/hover", _HOVER, b"Content-Length: %d\r\n")] * 2000])
    for piece in session.pieces:
        server.send(piece)
    server.until_answered(len(session.expected))
    assert server.end() == 0


def test_a_client_that_never_reads_and_vanishes_leaves_no_process(home: Path):
    process = subprocess.Popen(
        server_command(), cwd=home, env=server_environment(home),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    hovers = [("textDocument/hover", "x", b"Content-Length: %d\r\n")] * 400
    for piece in played([_INIT, *hovers]).pieces:
        process.stdin.write(piece)  # 50 kB, and 80 kB of answers: more than its pipe holds.
    process.stdin.flush()
    os.set_blocking(process.stdout.fileno(), False)
    process.stdout.close()
    process.stdin.close()
    assert process.wait(DEADLINE_S) in (0, 1)


def test_a_client_that_no_longer_reads_leaves_no_process_though_it_keeps_writing_open(home: Path):
    process = subprocess.Popen(
        server_command(), cwd=home, env=server_environment(home),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    first, second = played([_INIT, ("textDocument/hover", "x", b"Content-Length: %d\r\n")]).pieces
    process.stdin.write(first)
    process.stdin.flush()
    assert process.stdout.read(1) == b"C"
    process.stdout.close()
    process.stdin.write(second)
    process.stdin.flush()
    assert process.wait(DEADLINE_S) == 0
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    process.stdin.close()
