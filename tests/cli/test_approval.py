"""``scope ask`` asks at the terminal before it sends anything, and nowhere else."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import run
from tests.cli.terminal import terminal
from tests.fakes.chat_server import ChatServer, say

QUESTION = "How does authenticate check the password?"
ENOUGH = json.dumps({"sufficient_context": True, "preliminary_insights": "It loads the user."})
DOCUMENT = "## Summary\n\n`authenticate()` at `shop/auth.py:9-12` loads the user.\n"
PROMPT = "or [d]eny? "
ARGS = ("ask", ".", "-q", QUESTION, "--mode", "pipeline", "--format", "json")


@pytest.fixture
def model(chat_server: ChatServer) -> dict[str, Any]:
    chat_server.play(say(ENOUGH), say(DOCUMENT))
    return {"SCOPE_MODEL": "openai/test", "SCOPE_API_BASE": chat_server.url, "OPENAI_API_KEY": "k"}


@pytest.mark.parametrize(
    ("approval", "typed", "n_asked", "n_sent"),
    [
        ("always", "oo", 2, 2),
        ("always", "od", 2, 1),
        ("always", "s", 1, 2),
        ("on-request", "", 0, 2),  # This machine is not another one.
    ],
)
def test_an_answer_is_waited_for(repo, chat_server, model, approval, typed, n_asked, n_sent):
    with terminal(*ARGS, "--approval", approval, cwd=repo, **model) as screen:
        for number, letter in enumerate(typed, start=1):
            screen.until(PROMPT, number)
            assert len(chat_server.bodies) == number - 1, "nothing is sent before the answer"
            screen.type(f"{letter}\n")
        code, out = screen.end()
    assert (screen.text.count(PROMPT), len(chat_server.bodies)) == (n_asked, n_sent)
    was_denied = "d" in typed
    assert code == (3 if was_denied else 0), screen.text
    answer = json.loads(out)
    assert answer["stats"]["stop_reason"] == ("not_approved" if was_denied else "done")
    assert "shop/auth.py" in answer["markdown"]


def test_what_is_on_the_screen(repo: Path, chat_server: ChatServer, model: dict[str, Any]):
    asked: dict[str, Any] = {"SCOPE_APPROVAL": "on-request", "SCOPE_APPROVAL_FOR": "ask_model"}
    with terminal(*ARGS, cwd=repo, **model, **asked) as screen:
        screen.type("o\n")  # Typed ahead, before the question was there.
        screen.until(PROMPT)
        screen.type("perhaps\n")
        screen.until(PROMPT, 2)
        assert not chat_server.bodies
        screen.type("a\n")
        code, _ = screen.end()
    assert code == 0
    host = chat_server.url.removeprefix("http://").partition("/")[0]
    for line in (
        "May this be sent to a model?",
        f"  model   openai/test at {host}",
        "  scopes  input, workspace, findings",
        "          shop/auth.py",
    ):
        assert line in screen.text, screen.text
    done = run(*ARGS, cwd=repo, **model, **asked)
    assert done.code == 0, "always is for ever, also where nobody can be asked"
    assert done.json["stats"]["stop_reason"] == "done"


@pytest.mark.parametrize("typed", ["\n", "\x04"])
def test_nothing_is_a_no(repo: Path, chat_server: ChatServer, model: dict[str, Any], typed: str):
    with terminal(*ARGS, "--approval", "always", cwd=repo, **model) as screen:
        screen.until(PROMPT)
        screen.type(typed)
        code, out = screen.end()
    assert (code, chat_server.bodies) == (3, [])
    assert json.loads(out)["stats"]["stop_reason"] == "not_approved"


def test_ctrl_c_ends_a_question(repo: Path, chat_server: ChatServer, model: dict[str, Any]):
    with terminal(*ARGS, "--approval", "always", cwd=repo, **model) as screen:
        screen.until(PROMPT)
        screen.process.send_signal(signal.SIGINT)
        code, out = screen.end()
    assert (code, chat_server.bodies) == (3, [])
    assert json.loads(out)["stats"]["stop_reason"] == "cancelled"


def test_without_a_terminal_the_answer_is_no(repo, chat_server, model):
    done = run(*ARGS, "--approval", "always", cwd=repo, **model)
    assert (done.code, chat_server.bodies) == (3, [])
    assert done.json["stats"]["stop_reason"] == "not_approved"
    assert "Sending code to the model was not approved" in done.json["markdown"]
    assert "there is nobody to ask" in done.err
    assert "authenticate" in done.json["markdown"]


def test_the_preview_shows_scopes(repo: Path, model: dict[str, Any], chat_server: ChatServer):
    allowed: dict[str, Any] = {"SCOPE_ALLOWED_SCOPES": "input,workspace,selection"}
    done = run(*ARGS[:-2], "--preview", cwd=repo, **model, **allowed)
    flag = run(*ARGS[:-2], "--preview", "--scopes", "input,workspace", cwd=repo, **model)
    assert flag.out == done.out
    wrong = run(*ARGS[:-2], "--preview", "--scopes", "input,workspaces", cwd=repo, **model)
    assert wrong.code == 2
    assert "There is no scope 'workspaces'." in wrong.err
    assert "Scopes sent:     input, workspace\n" in done.out
    assert "Scopes withheld: findings\n" in done.out
    assert chat_server.bodies == []
