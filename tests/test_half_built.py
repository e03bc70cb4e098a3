"""While files are still being read, nothing is said of the whole code base, and the gap is told."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from analysis.documents import OutputTarget
from analysis.engine import Engine
from analysis.engine.runner import RunRequest, run
from analysis.errors import NotFound, ToolRetry
from analysis.events import RunFinished, TextDelta
from analysis.models import AskRequest
from analysis.tools.prompt_code import PromptCode
from analysis.tools.registry import TOOLS
from analysis.tools.tool import ToolContext

READ = {
    "src/queue.py": "def acknowledge(message):\n    return message.ack()\n",
    "src/worker.py": "from src.queue import acknowledge\n\n\ndef work(m):\n    acknowledge(m)\n",
}
UNREAD = {
    "src/retry.py": "from src.queue import acknowledge\n\n\ndef retry(m):\n    acknowledge(m)\n",
    **{f"more/m{n}.py": f"def backoff_{n}():\n    return {n}\n" for n in range(40)},
}
N_UNREAD = len(UNREAD)


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


@contextmanager
def half_built(root: Path, read: dict[str, str] = READ) -> Iterator[Engine]:
    """Open an engine whose index holds some of the files, while another thread reads the others."""
    write(root, read)
    with Engine.open(root) as engine:
        if read:
            engine.refresh()
        write(root, UNREAD)
        held, go = threading.Event(), threading.Event()

        def on_progress(done: int, total: int) -> None:
            held.set()
            go.wait(60)

        reading = threading.Thread(target=engine.refresh, args=(on_progress,))
        reading.start()
        try:
            assert held.wait(60)
            yield engine
        finally:
            go.set()
            reading.join()


def answered(engine: Engine, question: str, mode: str = "offline") -> str:
    """Return the document's text; the pieces that were shown must be its body."""
    target = OutputTarget(root=engine.root)
    request = RunRequest(AskRequest(question, mode=mode), output=target, patience_s=0.2)

    async def ask() -> tuple[str, RunFinished]:
        pieces = []
        async for event in run(engine._code_base, request):
            if isinstance(event, TextDelta):
                pieces.append(event.text)
            if isinstance(event, RunFinished):
                return "".join(pieces), event
        raise AssertionError

    shown, last = asyncio.run(ask())
    assert last.stop_reason == "index_incomplete"
    assert shown.strip() in last.answer.markdown
    return last.answer.markdown.partition("\n# ")[2]


def check_told(text: str, n_unread: int) -> None:
    """The gap stands above the first section, with its size and a way on."""
    top = text.partition("\n## ")[0]
    assert f"{n_unread} files are not read yet" in top
    assert "Ask again" in top or "'scope index' reads them" in top
    assert not re.search(r"Nothing in the code\b", text)
    assert "every file was searched" not in text
    assert "These are all" not in text


@pytest.mark.parametrize(
    "question",
    [
        "How does the worker acknowledge a message?",
        "Where is backoff_7 computed?",
        "How is kafka configured?",
        "Who uses acknowledge?",
        "What is this?",
    ],
)
def test_an_answer_from_a_part_of_the_code_says_so_at_its_top(
    tmp_path: Path, question: str
) -> None:
    with half_built(tmp_path) as engine:
        check_told(answered(engine, question), N_UNREAD)


def test_an_answer_from_no_file_at_all_says_so_at_its_top(tmp_path: Path) -> None:
    with half_built(tmp_path, {}) as engine:
        check_told(answered(engine, "How does the worker acknowledge a message?"), N_UNREAD)


def test_words_are_missing_only_from_what_was_read(tmp_path: Path) -> None:
    with half_built(tmp_path) as engine:
        text = answered(engine, "How does acknowledge use backoff_7?")
    assert "Not in the code:" not in text


def test_a_search_tells_how_much_is_unread(tmp_path: Path) -> None:
    with half_built(tmp_path) as engine:
        found = engine.analyze("backoff_7")
        assert (found.complete, found.unread) == (False, N_UNREAD)
        assert any(f"{N_UNREAD} files are not read yet" in notice for notice in found.notices)
    with Engine.open(tmp_path) as engine:
        found = engine.analyze("backoff_7")
        assert (found.complete, found.unread) == (True, 0)


def test_lists_of_uses_and_calls_are_not_complete(tmp_path: Path) -> None:
    with half_built(tmp_path) as engine:
        answered(engine, "Who uses acknowledge?")  # It goes on without the files.
        uses = engine.access.find_references("acknowledge")
        assert (uses.complete, uses.stopped_by) == (False, "unread files")
        calls = engine.access.find_calls("acknowledge", "callers")
        assert (calls.complete, calls.stopped_by) == (False, "unread files")
        with pytest.raises(NotFound) as error:
            engine.access.find_calls("backoff_7", "callers")
        assert f"{N_UNREAD} files are not read yet" in str(error.value.hint)
    with Engine.open(tmp_path) as engine:
        uses = engine.references("acknowledge")
        assert uses.stopped_by is None
        assert {use.path for use in uses.references} >= {"src/worker.py", "src/retry.py"}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search_for_files", {"query": "backoff_7"}),
        ("search_codebase", {"query": "acknowledge"}),
        ("grep_in_files", {"pattern": "backoff_7"}),
        ("find_references", {"name": "acknowledge"}),
    ],
)
def test_a_model_is_told_that_files_are_unread(
    tmp_path: Path, name: str, arguments: dict[str, str]
) -> None:
    with half_built(tmp_path) as engine:
        answered(engine, "What is this?")  # It goes on without the files.
        access = engine.access
        context = ToolContext(access, engine.index, PromptCode(access))
        result = asyncio.run(TOOLS[name].run(context, arguments))
        assert f"{N_UNREAD} files are not read yet" in result.text
        with pytest.raises(ToolRetry, match=f"{N_UNREAD} files are not read yet"):
            asyncio.run(TOOLS["get_callers"].run(context, {"name": "backoff_7"}))
