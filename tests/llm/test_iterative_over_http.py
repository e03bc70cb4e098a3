"""``scope ask --mode iterative`` from the command line to a server on this machine and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.program import SHOP, call, write_files
from tests.fakes.canaries import CANARIES
from tests.fakes.chat_server import ChatServer, say

FIRST = {
    "confidence": 30,
    "tool_calls": [{"tool": "search_codebase", "term": "load_user"}],
    "insights": "authenticate() loads the user.",
    "complexity": 40,
    "query_type": "explain",
}
SECOND = {"confidence": 96, "keep_files": ["shop/auth.py", "shop/store.py"]}
DOCUMENT = """\
## Summary

`Login.authenticate()` at `shop/auth.py:9-12` compares what `load_user()` at `shop/store.py:1-2`
returns.
"""


@pytest.mark.parametrize(
    ("rounds", "reason", "code"),
    [
        ([FIRST, SECOND], "confidence_threshold_reached", 0),
        ([FIRST, {"confidence": 50}], "no_more_actions", 0),
    ],
)
def test_rounds_and_a_document(
    tmp_path: Path, chat_server: ChatServer, rounds: list[object], reason: str, code: int
):
    shop = write_files(tmp_path / "shop", SHOP)
    chat_server.canaries.update(CANARIES.values())
    (shop / "shop" / "keys.py").write_text(f'LOAD_USER_KEY = "{CANARIES["aws"]}"\n')
    chat_server.play(*(say(json.dumps(item)) for item in rounds), say(DOCUMENT, 500, 60))
    done = call(
        "ask", ".", "-q", "How does authenticate check the password?", "--mode", "iterative",
        "--model", "openai/test", "--api-base", chat_server.url, "--format", "json",
        "--trace", str(tmp_path / "trace.jsonl"), cwd=shop,
    )  # fmt: skip
    assert done.code == code, done.err
    stats = done.json["stats"]
    assert (stats["mode"], stats["llm_calls"], stats["stop_reason"]) == ("iterative", 3, reason)
    last = rounds[-1]
    assert isinstance(last, dict)
    line = f"Confidence: {last['confidence']}% | Rounds: 2 | Stop: {reason}"
    assert line in done.json["markdown"]
    states = {ref["path"]: ref["state"] for ref in done.json["references"]}
    assert states == {"shop/auth.py": "ok", "shop/store.py": "in_range"}
    trace = [json.loads(text) for text in (tmp_path / "trace.jsonl").read_text().splitlines()]
    decided = [event["decision"] for event in trace if event["type"] == "decision"]
    assert f"stop: {reason}" in decided
    assert not chat_server.leaks
