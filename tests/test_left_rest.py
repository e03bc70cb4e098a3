"""A question is answered before tests and bulk of a large code base are read, and says so."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest

from analysis.documents import OutputTarget
from analysis.engine import Engine
from analysis.engine.runner import RunRequest, run
from analysis.events import Event, IndexProgress, PhaseStarted, RunFinished
from analysis.index import workers
from analysis.models import AskRequest, Position
from analysis.workspace.buffers import OpenBuffers
from tests.test_half_built import check_told, write

FIRST = {
    "src/queue.py": "def acknowledge(message):\n    return message.ack()\n",
    "src/worker.py": "from src.queue import acknowledge\n\n\n"
    "# As is_acked says.\ndef work(m):\n    acknowledge(m)\n",
}
LAST = {
    "tests/test_queue.py": "from src.queue import acknowledge\n\n\ndef test_ack():\n"
    "    acknowledge(Puppet())\n\n\nclass Puppet:\n    def ack(self):\n        return 1\n"
    "\n\ndef is_acked(m):\n    return m.ack()\n",
    "locale/de/app.po": 'msgid "acknowledged"\nmsgstr "erledigt"\n',
}
QUESTION = "How does the worker acknowledge a message?"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(workers, "_MIN_BYTES", 1)
    write(tmp_path, {**FIRST, **LAST})
    return tmp_path


def asked(engine: Engine, question: str, **beside: object) -> RunFinished:
    async def ask() -> RunFinished:
        request = AskRequest(question, mode="offline", **beside)  # type: ignore[arg-type]
        target = OutputTarget(root=engine.root)
        async for event in run(engine._code_base, RunRequest(request, output=target)):
            if isinstance(event, RunFinished):
                return event
        raise AssertionError

    return asyncio.run(ask())


def test_an_answer_before_the_rest_is_read_says_so_and_so_does_the_next(root: Path) -> None:
    for _ in range(2):
        with Engine.open(root) as engine:
            answer = asked(engine, QUESTION)
            assert answer.stop_reason == "index_incomplete"
            check_told(answer.answer.markdown.partition("\n# ")[2], len(LAST))
    with Engine.open(root) as engine:
        engine.refresh()
        answer = asked(engine, QUESTION)
        assert answer.stop_reason == "done"
        assert "not read yet" not in answer.answer.markdown


def test_a_search_before_the_rest_is_read_says_so_and_so_does_the_next(root: Path) -> None:
    with Engine.open(root) as engine:
        for _ in range(2):
            found = engine.analyze("acknowledge")
            assert (found.complete, found.unread) == (False, len(LAST))
            assert any("not read yet" in notice for notice in found.notices)
        engine.refresh()
        found = engine.analyze("acknowledge")
        assert (found.complete, found.unread) == (True, 0)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("Puppet", "'puppet' is not in what was read"),
        ("Where is erledigt said?", "'erledigt' is not in what was read"),
        ("Which tests acknowledge a message?", "the question is about tests"),
        ("Who uses acknowledge?", "a list of uses must lack none"),
        ("tests/test_queue.py", "'tests/test_queue.py' can be one of them"),
        ("How does is_acked work?", "'is_acked' is not defined in what was read"),
        ("How does acknowledge use backoff_7?", "'backoff_7' is not in what was read"),
    ],
)
def test_what_needs_the_rest_waits_for_it_and_tells_why(root: Path, query: str, why: str) -> None:
    told: list[Event] = []
    with Engine.open(root) as engine:
        found = engine.analyze(query, emit=told.append)
        assert (found.complete, found.unread) == (True, 0)
    at = told.index(PhaseStarted("indexing", f"the other {len(LAST)} files, because {why}"))
    n_all = len(FIRST) + len(LAST)
    assert told[at - 1] == IndexProgress(len(FIRST), len(FIRST))
    assert told[at + 1] == IndexProgress(len(FIRST), n_all)
    assert told[-1] == IndexProgress(n_all, n_all)


@pytest.mark.parametrize("query", ["src/queue.py", "What does queue.py do?", "How does it work?"])
def test_what_can_be_answered_without_the_rest_does_not_wait(root: Path, query: str) -> None:
    with Engine.open(root) as engine:
        found = engine.analyze(query)
        assert (found.complete, found.unread) == (False, len(LAST))


def test_whoever_looks_at_a_test_waits_for_the_rest(root: Path) -> None:
    with Engine.open(root) as engine:
        at = Position("src/worker.py", 1, 0)
        assert asked(engine, QUESTION, location=at).stop_reason == "index_incomplete"
    with Engine.open(root) as engine:
        engine.rebuild()
    with Engine.open(root) as engine:
        at = Position("tests/test_queue.py", 1, 0)
        assert asked(engine, QUESTION, location=at).stop_reason == "done"


def test_lists_of_uses_have_all(root: Path) -> None:
    with Engine.open(root) as engine:
        engine.analyze("acknowledge")
        told: list[Event] = []
        uses = engine.references("acknowledge", emit=told.append)
        assert "tests/test_queue.py" in {use.path for use in uses.references}
        why = "what is asked for can be in any of them"
        assert PhaseStarted("indexing", f"the other {len(LAST)} files, because {why}") in told
    with Engine.open(root) as engine:
        told.clear()
        engine.calls("acknowledge", "callers", emit=told.append)
        assert not told


def test_a_question_about_one_folder_does_not_wait_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_MIN_BYTES", 1)
    write(tmp_path / "a", FIRST)
    write(tmp_path / "z", {"cart.py": "def total(cart):\n    return sum(cart)\n"})
    held, go = threading.Event(), threading.Event()

    buffers = OpenBuffers()
    buffers.open("z/cart.py", "def total(cart):\n    return sum(cart)\n", 1)
    folders = {"a": tmp_path / "a", "z": tmp_path / "z"}
    with Engine.open_several(folders, buffers=buffers) as engine:
        reading = threading.Thread(target=engine.refresh)
        is_ready = engine._code_base._is_ready

        def told(label: str) -> None:
            is_ready(label)
            held.set()
            go.wait(60)

        monkeypatch.setattr(engine._code_base, "_is_ready", told)
        reading.start()
        try:
            assert held.wait(60)
            answer = asked(engine, "How is a total made?", location=Position("z/cart.py", 1, 0))
            assert answer.stop_reason == "index_incomplete"
            assert "2 files are not read yet" in answer.answer.markdown
            assert "`total`" in answer.answer.markdown
        finally:
            go.set()
            reading.join()


def test_a_question_does_not_wait_for_the_rest_that_is_being_read(root: Path) -> None:
    held, go, held_at = threading.Event(), threading.Event(), list[int]()

    def on_progress(done: int, total: int) -> None:
        if done > len(FIRST):
            held_at.append(done)
            held.set()
            go.wait(60)

    with Engine.open(root) as engine:
        reading = threading.Thread(target=engine.refresh, args=(on_progress,))
        reading.start()
        try:
            assert held.wait(60)
            started = time.monotonic()
            answer = asked(engine, QUESTION)
            assert time.monotonic() - started < 20  # It is patient for 45 seconds.
            assert answer.stop_reason == "index_incomplete"
            assert "Ask again when all are read" in answer.answer.markdown
            told: list[Event] = []
            engine._code_base.prepare(told.append, patience_s=0.5)
            assert IndexProgress(held_at[0], len(FIRST) + len(LAST)) in told
        finally:
            go.set()
            reading.join()
        assert asked(engine, QUESTION).stop_reason == "done"
