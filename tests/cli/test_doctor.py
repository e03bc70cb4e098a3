"""``scope doctor`` as a user runs it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.program import call
from tests.fakes.chat_server import ChatServer, Fail, Turn, say
from tests.fakes.fixtures import _one_chat_server, chat_server

__all__ = ["_one_chat_server", "chat_server"]


def check(
    folder: Path, server: ChatServer, turn: Turn, *options: str, code: int, said: list[str]
) -> None:
    server.play(turn)
    done = call(
        "doctor", "--model", "openai/gpt-4o", "--api-base", server.url, *options, cwd=folder
    )
    assert done.code == code, done.err
    for words in said:
        assert words in done.out
    assert len(server.bodies) == ("--ask" in options)


def test_nothing_is_sent_unless_it_is_asked_for(tmp_path: Path, chat_server: ChatServer):
    said = [f"127.0.0.1:{chat_server.port}", "$2.50 a million tokens read", "not asked", "$2.00"]
    check(tmp_path, chat_server, Fail(500), code=0, said=said)


def test_the_model_answers(tmp_path: Path, chat_server: ChatServer):
    check(tmp_path, chat_server, say("ready"), "--ask", code=0, said=["it answers: ready"])


def test_the_model_does_not_answer(tmp_path: Path, chat_server: ChatServer):
    refusal = Fail(401, {"error": {"message": "No such key."}})
    said = ["refused the key (401): No such key.", "OPENAI_API_KEY"]
    check(tmp_path, chat_server, refusal, "--ask", code=4, said=said)


def test_no_model_is_set(tmp_path: Path):
    done = call("doctor", cwd=tmp_path)
    assert (done.code, "No model is set" in done.out) == (0, True)
