"""Runs that lie in a repository and that nobody ran: refused with a sentence, or harmless."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import call
from tests.cli.test_resume import answer, options, resumed
from tests.fakes.chat_server import ChatServer

NAME = "20260101-000000-000000"
REQUEST: dict[str, Any] = {"question": "How does authenticate work?", "mode": "plan"}
RUN: dict[str, Any] = {"version": 1, "request": REQUEST}
STEP: dict[str, Any] = {
    "node": "planner", "next": "setup_executor", "reason": "x",
    "usage": {"llm_calls": 1, "tokens_in": 5, "tokens_out": 5},
    "state": {"input": "How?", "plan": [{"description": "Find authenticate"}]},
}  # fmt: skip
SHOWN = {"path": "../outside/zebra.py", "line_start": -5, "line_end": 10**12}
FINDING = {"text": "zebra", "summary": "zebra", "shown": [SHOWN], "n_results": 1}
DEEP = "[" * 100_000


def prepare(root: Path, run: Any, step: Any) -> None:
    folder = root / ".scope" / "runs" / NAME
    folder.mkdir(parents=True)
    for name, data in (("run.json", run), ("0001.json", step)):
        text = data if isinstance(data, str) else json.dumps(data)
        (folder / name).write_text(text, "utf-8")


def changed(data: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    data = copy.deepcopy(data)
    *folders, last = path.split("/")
    inner = data
    for folder in folders:
        inner = inner[folder]
    inner[last] = value
    return data


@pytest.mark.parametrize(
    ("run", "step"),
    [
        (DEEP, STEP),
        (changed(RUN, "request", [1]), STEP),
        (changed(RUN, "request/location", [1]), STEP),
        (changed(RUN, "request/location", {"path": 5, "line": "x", "column": {}}), STEP),
        (changed(RUN, "request/scopes", 5), STEP),
        (changed(RUN, "request/within", 5), STEP),
        (changed(RUN, "request/selection", {"a": 1}), STEP),
        (RUN, DEEP),
        (RUN, changed(STEP, "usage", [])),
        (RUN, changed(STEP, "usage/tokens_in", "x")),
        (RUN, changed(STEP, "node", {})),
        (RUN, changed(STEP, "next", "shell")),
        (RUN, changed(STEP, "state", [])),
        (RUN, changed(STEP, "state/current_step", -3)),
        (RUN, changed(STEP, "state/executor_call_count", -(10**9))),
        (RUN, changed(STEP, "state/iteration_count", -(10**9))),
        (RUN, changed(STEP, "state/messages", {"x": {}})),
        (RUN, changed(STEP, "state/messages", {"9" * 5000: {}})),
        (RUN, changed(STEP, "state/messages", {"7": {}})),
    ],
)
def test_a_run_that_nobody_kept_is_refused(
    repo: Path, chat_server: ChatServer, run: Any, step: Any
):
    prepare(repo, run, step)
    chat_server.play(answer)
    done = resumed(repo, chat_server)
    assert done.code == 2, done
    assert NAME in done.json["error"]["message"]
    assert "cannot be read" in done.json["error"]["message"]
    assert chat_server.bodies == []
    watched = call("watch", cwd=repo)
    assert watched.code in (0, 2)


def test_what_a_prepared_run_says_it_has_seen_is_not_read_outside(
    repo: Path, chat_server: ChatServer
):
    outside = repo.parent / "outside"
    outside.mkdir()
    (outside / "zebra.py").write_text("def striped(): ...\n", "utf-8")
    document = "---\nsource_repo: .\nscope_question: striped\n---\n\nstriped\n"
    (outside / "zebra.md").write_text(document, "utf-8")
    run = changed(RUN, "request/follow_up", str(outside / "zebra.md"))
    prepare(repo, run, changed(STEP, "state/findings", {"step_0: x": FINDING}))
    chat_server.play(answer)
    done = resumed(repo, chat_server)
    assert done.code == 0, done
    assert "striped" not in done.out
    assert not any("striped" in json.dumps(body) for body in chat_server.bodies)


def test_a_lock_that_is_a_link_empties_nothing(repo: Path, chat_server: ChatServer):
    kept = repo.parent / "kept.txt"
    kept.write_text("kept", "utf-8")
    prepare(repo, RUN, STEP)
    (repo / ".scope" / "runs" / NAME / "lock").symlink_to(kept)
    chat_server.play(answer)
    assert call("ask", "--resume", "last", *options(chat_server), cwd=repo).code == 2
    call("watch", cwd=repo)
    assert kept.read_text("utf-8") == "kept"
