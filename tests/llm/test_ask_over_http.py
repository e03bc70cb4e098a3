"""``scope ask`` from the command line to a server on this machine and back, as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import call
from tests.fakes.canaries import CANARIES
from tests.fakes.chat_server import ChatServer, Fail, Stall, delta, say

QUESTION = "Where does authenticate check the password?"
FIRST = {
    "symbols_to_read": ["load_user"],
    "reasoning": "The user comes from elsewhere.",
    "preliminary_insights": "authenticate() loads the user.",
}
SECOND = {
    "sufficient_context": True,
    "key_locations": [{"path": "shop/store.py", "line_start": 6, "line_end": 8}],
}
DOCUMENT = """\
<think>Let me see.</think>## Summary

`authenticate()` at `shop/auth.py:9-12` compares what `load_user()` at `shop/store.py:1-2` returns.
"""


def ask(shop: Path, server: ChatServer, *options: str, name: str = "openai/test") -> Any:
    return call(
        "ask", ".", "-q", QUESTION, "--model", name, "--api-base", server.url,
        "--format", "json", *options, cwd=shop,
    )  # fmt: skip


def test_three_requests_and_a_document(shop: Path, chat_server: ChatServer):
    chat_server.canaries.update(CANARIES.values())
    for number, canary in enumerate(CANARIES.values()):
        source = shop / "shop" / f"auth{number}.py"
        source.write_text(f'def authenticate{number}(password):\n    return "{canary}"\n')
    (shop / ".env").write_text(f"PASSWORD={CANARIES['aws']}\n")
    first, second = say(json.dumps(FIRST), 1_000), say(json.dumps(SECOND), 1_000)
    chat_server.play(first, second, say(DOCUMENT, 500, 60))
    done = ask(shop, chat_server, "--mode", "pipeline", "--trace", str(shop.parent / "trace.jsonl"))
    assert done.code == 0, done.err
    assert len(chat_server.bodies) == 3
    stats = done.json["stats"]
    assert (stats["llm_calls"], stats["tokens_in"], stats["tokens_out"]) == (3, 2_500, 100)
    assert stats["cost_usd"] is None
    assert "Let me see" not in done.json["markdown"]
    states = {(ref["path"], ref["line_start"]): ref["state"] for ref in done.json["references"]}
    assert states["shop/auth.py", 9] == "ok"
    assert {state for (path, _), state in states.items() if path == "shop/store.py"} == {"in_range"}
    assert "cost_usd: unknown" in done.json["markdown"]
    trace = [json.loads(line) for line in (shop.parent / "trace.jsonl").read_text().splitlines()]
    assert sum(event["type"] == "usage" for event in trace) == 3
    assert (shop / ".scope" / "audit.jsonl").read_text().count("\n") == 3
    assert "redacted" in json.dumps(chat_server.bodies)


def test_an_audit_log_that_cannot_be_written_is_told_of_once(shop: Path, chat_server: ChatServer):
    (shop / ".scope").write_text("in the way")
    chat_server.play(say(json.dumps(FIRST)), say(json.dumps(SECOND)), say(DOCUMENT))
    done = ask(shop, chat_server, "--mode", "pipeline")
    assert len(chat_server.bodies) == 3
    assert done.err.count("The audit log") == 1
    assert "audit.jsonl' could not be written" in done.err


def test_a_server_that_fails_leaves_the_offline_answer(shop: Path, chat_server: ChatServer):
    chat_server.play(Fail(401))
    done = ask(shop, chat_server)
    assert done.code == 4
    assert done.json["stats"]["stop_reason"] == "model_unavailable"
    assert "shop/auth.py" in done.json["markdown"]
    assert "refused the key" in done.err


def test_a_stall_in_the_document_keeps_what_arrived(
    shop: Path, chat_server: ChatServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SCOPE_MODEL_PIECE_TIMEOUT_S", "1")
    chat_server.play(say(json.dumps(SECOND)), [delta(DOCUMENT), Stall()])
    done = ask(shop, chat_server)
    assert done.json["stats"]["stop_reason"] == "model_unavailable"
    assert "compares what" in done.json["markdown"]
    assert "stopped in the middle" in done.err


def test_a_preview_sends_nothing(shop: Path, chat_server: ChatServer):
    chat_server.play(Fail(500))
    done = ask(shop, chat_server, "--preview")
    assert done.code == 0
    assert not chat_server.bodies
    assert done.json["host"] == f"127.0.0.1:{chat_server.port}"
    assert [phase["is_exact"] for phase in done.json["phases"]] == [True, False, False]
    shown = {file["path"]: file for file in done.json["files"]}
    assert shown["shop/auth.py"]["ranges"]
    text = call(
        "ask", ".", "-q", QUESTION, "--model", "openai/gpt-4o-mini", "--preview", cwd=shop
    ).out
    assert "api.openai.com" in text
    assert "at most $0." in text


def test_never_send_and_budgets(shop: Path, chat_server: ChatServer):
    (shop / "pyproject.toml").write_text("[tool.scope.model]\nnever_send = true\n")
    done = ask(shop, chat_server)
    assert done.json["stats"]["mode"] == "offline"
    assert not chat_server.bodies
    (shop / "pyproject.toml").write_text("[tool.scope.model]\nnever_send = false\n")
    chat_server.play(say(json.dumps(FIRST), 900, 50), say(json.dumps(SECOND)), say(DOCUMENT))
    done = ask(shop, chat_server, "--budget-tokens", "1200")
    assert done.code == 3
    assert done.json["stats"]["stop_reason"] == "budget_tokens"
    assert done.json["stats"]["tokens_in"] + done.json["stats"]["tokens_out"] <= 1_200
    assert "'model.never_send' was ignored" in done.err
