"""Ctrl-C: what was found is kept, temporary files go, and the exit code says so."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.program import DEADLINE_S, Finished, interrupt, run, start

N_FILES = 600


@pytest.fixture
def large_repo(tmp_path: Path) -> Path:
    """A code base that takes seconds to read."""
    root = tmp_path / "large"
    body = "\n\n".join(
        f"def step_{number}(value):\n    return value + {number}" for number in range(12)
    )
    for number in range(N_FILES):
        path = root / f"part_{number % 20}" / f"module_{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"LIMIT_{number} = 1\n\n\n{body}\n", "utf-8")
    return root


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something has happened, and fail if it never does."""
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def interrupt_while_indexing(repo: Path, *args: str) -> Finished:
    cache = repo.parent / "home" / ".cache"
    process = start(*args, cwd=repo)
    wait_for(lambda: process.poll() is not None or any(cache.rglob("*.sqlite")))
    done = interrupt(process)
    assert "Traceback" not in done.err
    return done


def test_an_index_that_was_stopped_goes_on_where_it_was(large_repo: Path):
    done = interrupt_while_indexing(large_repo, "index", "--format", "json")
    assert done.code == 3
    first = json.loads(done.out)["refresh"]
    assert not first["complete"]
    assert first["parsed"] < N_FILES
    again = run("index", "--format", "json", cwd=large_repo).json
    assert again["refresh"]["complete"]
    assert again["status"]["files"] == N_FILES


def test_a_question_that_was_stopped_leaves_its_document(large_repo: Path):
    done = interrupt_while_indexing(
        large_repo, "ask", ".", "-q", "Where is LIMIT_7 set?", "--format", "json"
    )
    assert done.code == 3
    answer = json.loads(done.out)
    assert answer["stats"]["stop_reason"] == "cancelled"
    assert Path(answer["document"]).read_text("utf-8") == answer["markdown"]
    assert "stop_reason: cancelled" in answer["markdown"]
    assert "Ask again when all are read." in answer["markdown"]


def test_a_clone_that_was_stopped_leaves_nothing(tmp_path: Path):
    work, temporary = tmp_path / "work", tmp_path / "temporary"
    work.mkdir()
    temporary.mkdir()
    connected = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            connection, _ = server.accept()
            connected.set()
            connection.recv(1)
            while connection.recv(4096):
                pass
            connection.close()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/owner/silent.git"
        process = start("ask", url, "-q", "What is it?", cwd=work, TMPDIR=str(temporary))
        assert connected.wait(DEADLINE_S)
        done = interrupt(process)
        thread.join(DEADLINE_S)
    assert done.code == 3
    assert "Traceback" not in done.err
    assert list(temporary.iterdir()) == []
    assert list(work.iterdir()) == []
