"""A run of plan mode that is killed goes on where it was, and can be watched meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.modes.plan.saved_runs import SavedRun, saved_run
from tests.cli.program import SHOP, Finished, call, environment, start, write_files
from tests.fakes import chat_server as server
from tests.fakes.chat_server import ChatServer, Script, Stall, say

QUESTION = "How does authenticate check the password?"
PATH = (
    "__start__", "planner", "setup_executor", "executor_llm", "tool_node", "executor_llm",
    "aggregate", "refinery", "synthesizer",
)  # fmt: skip
FOUND = "authenticate() at shop/auth.py:9-12 compares passwords."
DOCUMENT = (
    "## Summary\n\n`authenticate()` at `shop/auth.py:9-12` compares what `load_user()` at "
    "`shop/store.py:6-8` returns.\n"
)
# The program as a user starts it, once per code base; each process is killed as soon as it has kept
# the step of the given number. They are forks of one that has loaded what takes long to load.
KILLED_AFTER = """
import json, os, signal, sys
import litellm
import analysis.modes.plan.run
from analysis.cli.main import main
from analysis.modes.plan.run_log import RunLog

keep = RunLog.note
chosen = -1

def keep_and_die(log, visit):
    keep(log, visit)
    if visit.number == chosen:
        os.kill(os.getpid(), signal.SIGKILL)

RunLog.note = keep_and_die
for chosen, folder in enumerate(sys.argv[2:]):
    child = os.fork()
    if not child:
        os.chdir(folder)
        os._exit(main(json.loads(sys.argv[1])))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
DEADLINE_S = 60


def node_of(body: dict[str, Any]) -> str:
    system = body["messages"][0]["content"]
    for words, node in (
        ("software architect", "planner"),
        ("carry out one step", "executor_llm"),
        ("oversee the research", "refinery"),
    ):
        if words in system:
            return node
    return "synthesizer"


def answer(body: dict[str, Any]) -> Script:
    """What a sensible model says."""
    node = node_of(body)
    if node == "planner":
        return say(json.dumps({"steps": [{"description": "Find authenticate"}]}))
    if node == "refinery":
        return say(json.dumps({"decision": "FINISH", "reason": "all is there"}))
    if node == "synthesizer":
        return say(DOCUMENT)
    if any(message["role"] == "tool" for message in body["messages"]):
        return say(FOUND)
    return server.call("read_file", json.dumps({"path": "shop/auth.py"}))


def options(chat: ChatServer) -> list[str]:
    return ["--model", "openai/test", "--api-base", chat.url, "--format", "json"]


def asking(chat: ChatServer) -> list[str]:
    return ["ask", ".", "-q", QUESTION, "--mode", "plan", *options(chat)]


def resumed(repo: Path, chat: ChatServer, name: str = "last") -> Finished:
    return call("ask", "--resume", name, *options(chat), cwd=repo)


def check_whole(done: Finished, found: SavedRun, chat: ChatServer) -> None:
    """The document, the kept steps and the calls are those of a run that was never killed."""
    assert done.code == 0, done.err
    assert [visit.node for visit in found.visits()] == list(PATH)
    assert found.stop_reason == "done"
    assert done.json["stats"]["stop_reason"] == "done"
    states = {(ref["path"], ref["line_start"]): ref["state"] for ref in done.json["references"]}
    assert states == {("shop/auth.py", 9): "ok", ("shop/store.py", 6): "ok"}
    assert Path(done.json["document"]).is_file()
    last = found.visit(found.numbers()[-1]).state
    [finding] = last["findings"].values()
    assert "def authenticate" in finding["text"]
    assert finding["text"].endswith(FOUND)


@pytest.mark.timeout(DEADLINE_S * 15)  # nine processes, one after the other
def test_killed_between_any_two_nodes(tmp_path: Path, chat_server: ChatServer):
    chat_server.play(answer)
    folders = [write_files(tmp_path / f"after-{n}-{node}", SHOP) for n, node in enumerate(PATH)]
    done = subprocess.run(
        [sys.executable, "-c", KILLED_AFTER, json.dumps(asking(chat_server)), *map(str, folders)],
        env=environment(tmp_path / "home", LITELLM_LOCAL_MODEL_COST_MAP="True"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=DEADLINE_S * 12,
        check=False,
    )
    assert done.stdout.decode().split() == ["-9"] * len(PATH), done.stderr.decode()
    for number, folder in enumerate(folders):
        found = saved_run(folder, "last")
        assert found.numbers() == list(range(number + 1))
        assert not found.is_running
        check_whole(resumed(folder, chat_server), found, chat_server)
        # Each call of the model was made once.
        assert (folder / ".scope" / "audit.jsonl").read_text().count("\n") == 5, folder


@pytest.mark.parametrize("node", ["executor_llm", "synthesizer"])
def test_killed_in_the_middle_of_a_node(repo: Path, chat_server: ChatServer, node: str):
    def stalling(body: dict[str, Any]) -> Script:
        return [Stall()] if node_of(body) == node else answer(body)

    chat_server.play(stalling)
    process = start(*asking(chat_server), cwd=repo)
    until(lambda: any(node_of(body) == node for body in chat_server.bodies))
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=DEADLINE_S)
    found = saved_run(repo, "last")
    assert found.visit(found.numbers()[-1]).next == node
    chat_server.play(answer)
    check_whole(resumed(repo, chat_server), found, chat_server)


def until(is_so: Callable[[], bool]) -> None:
    """Wait for what another process does."""
    end = time.monotonic() + DEADLINE_S
    while not is_so():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def test_a_run_is_watched_while_it_goes_on_and_afterwards(repo: Path, chat_server: ChatServer):
    def stalling(body: dict[str, Any]) -> Script:
        return [Stall()] if node_of(body) == "refinery" else answer(body)

    chat_server.play(stalling)
    process = start(*asking(chat_server), cwd=repo)
    until(lambda: any(node_of(body) == "refinery" for body in chat_server.bodies))
    found = saved_run(repo, "last")
    assert found.is_running
    busy = resumed(repo, chat_server)
    assert busy.code == 2
    assert "going on in another process" in busy.out
    watching = start("watch", cwd=repo)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=DEADLINE_S)
    out = watching.communicate(timeout=DEADLINE_S)[0].decode()
    assert QUESTION in out
    assert "aggregate       -> refinery" in out
    assert f"interrupted. Go on with: scope ask --resume {found.name}" in out
    chat_server.play(answer)
    check_whole(resumed(repo, chat_server), found, chat_server)
    over = call("watch", found.name[:15], "--verbose", cwd=repo)
    assert over.code == 0, over.err
    assert [line.split()[1] for line in over.out.splitlines() if " -> " in line] == list(PATH)
    assert '"loop_decision": "FINISH"' in over.out
    assert "The run went to its end." in over.out


def test_a_run_that_went_to_its_end_does_not_go_on(repo: Path, chat_server: ChatServer):
    chat_server.play(server.Fail(401))
    assert call(*asking(chat_server), cwd=repo).code == 4
    failed = saved_run(repo, "last").name
    chat_server.play(answer)
    assert call(*asking(chat_server), cwd=repo).code == 0
    done = resumed(repo, chat_server)
    assert done.code == 2
    assert "went to its end" in done.json["error"]["message"]
    assert done.json["error"]["hint"] == f"Runs that can go on: {failed}."
    again = resumed(repo, chat_server, failed)
    assert again.code == 0
    assert QUESTION in again.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ask", "--resume", "last"), "There is no run 'last'"),
        (("ask", "--resume", "last", "-q", "x"), "has its question already"),
        (("ask",), "The question is empty"),
        (("watch", "20200101"), "There is no run '20200101'"),
    ],
)
def test_bad_input(repo: Path, arguments: tuple[str, ...], words: str):
    done = call(*arguments, cwd=repo)
    assert done.code == 2
    assert words in done.err


def test_caps_come_from_the_environment(
    repo: Path, chat_server: ChatServer, monkeypatch: pytest.MonkeyPatch
):
    def restless(body: dict[str, Any]) -> Script:
        if node_of(body) == "refinery":
            return say(json.dumps({"decision": "CONTINUE", "reason": "more"}))
        if node_of(body) == "executor_llm":
            return server.call("read_file", json.dumps({"path": "shop/auth.py"}))
        return answer(body)

    chat_server.play(restless)
    monkeypatch.setenv("MAX_ITERATIONS", "2")
    monkeypatch.setenv("MAX_EXECUTOR_STEPS", "3")
    done = call(*asking(chat_server), cwd=repo)
    nodes = [node_of(body) for body in chat_server.bodies]
    assert nodes.count("planner") == 2
    assert nodes.count("executor_llm") == 6
    assert nodes.count("refinery") == 1
    assert done.code == 3
    assert done.json["stats"]["stop_reason"] == "limit"
    chat_server.play(restless)
    monkeypatch.setenv("SCOPE_PLAN_MAX_ITERATIONS", "1")
    call(*asking(chat_server), cwd=repo)
    assert [node_of(body) for body in chat_server.bodies].count("planner") == 1
