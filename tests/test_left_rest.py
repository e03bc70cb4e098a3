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
from analysis.events import RunFinished
from analysis.index import workers
from analysis.models import AskRequest, Position
from tests.test_half_built import check_told, write

FIRST = {
    "src/queue.py": "def acknowledge(message):\n    return message.ack()\n",
    "src/worker.py": "from src.queue import acknowledge\n\n\ndef work(m):\n    acknowledge(m)\n",
}
LAST = {
    "tests/test_queue.py": "from src.queue import acknowledge\n\n\ndef test_ack():\n"
    "    acknowledge(Puppet())\n\n\nclass Puppet:\n    def ack(self):\n        return 1\n",
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


def test_an_answer_before_the_rest_is_read_says_so_and_the_next_has_all(root: Path) -> None:
    with Engine.open(root) as engine:
        first = asked(engine, QUESTION)
        assert first.stop_reason == "index_incomplete"
        check_told(first.answer.markdown.partition("\n# ")[2], len(LAST))
    with Engine.open(root) as engine:
        second = asked(engine, QUESTION)
        assert second.stop_reason == "done"
        assert "not read yet" not in second.answer.markdown


def test_a_search_before_the_rest_is_read_says_so_and_the_next_has_all(root: Path) -> None:
    with Engine.open(root) as engine:
        found = engine.analyze("acknowledge")
        assert (found.complete, found.unread) == (False, len(LAST))
        assert any("not read yet" in notice for notice in found.notices)
        found = engine.analyze("acknowledge")
        assert (found.complete, found.unread) == (True, 0)


@pytest.mark.parametrize(
    "query",
    [
        "Puppet",
        "Where is erledigt said?",
        "Which tests acknowledge a message?",
        "Who uses acknowledge?",
        "src/queue.py",
        "How does acknowledge use backoff_7?",
    ],
)
def test_what_needs_the_rest_waits_for_it(root: Path, query: str) -> None:
    with Engine.open(root) as engine:
        found = engine.analyze(query)
        assert (found.complete, found.unread) == (True, 0)


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
        uses = engine.references("acknowledge")
        assert "tests/test_queue.py" in {use.path for use in uses.references}


def test_a_question_does_not_wait_for_the_rest_that_is_being_read(root: Path) -> None:
    held, go = threading.Event(), threading.Event()

    def on_progress(done: int, total: int) -> None:
        if done > len(FIRST):
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
        finally:
            go.set()
            reading.join()
        assert asked(engine, QUESTION).stop_reason == "done"
