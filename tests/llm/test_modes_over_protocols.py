"""Every mode over every protocol: a thinking model that calls tools, to a whole document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import SHOP, call, write_files
from tests.fakes.chat_server import ChatServer, Stream
from tests.fakes.protocols import PROTOCOLS, AnthropicMessages, Asked, Protocol, Said

QUESTION = "How does authenticate check the password?"
DOCUMENT = """\
## Summary

`Login.authenticate()` at `shop/auth.py:9-12` compares what `load_user()` at `shop/store.py:6-8`
returns.
"""
READS = (
    ("read_lines", {"path": "shop/auth.py", "line_start": 6, "line_end": 12}),
    ("read_symbol", {"name": "load_user", "path": "shop/store.py"}),
)
GENERATE = {
    "question": QUESTION,
    "relevant_file_paths": ["shop/auth.py", "shop/store.py"],
    "insights": "authenticate() compares with what load_user() returns.",
}
MODES = ("pipeline", "iterative", "agent", "plan")


class Reader:
    """A model that looks at two places and then writes, whatever the mode asks of it."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self.asked: list[Asked] = []

    def __call__(self, body: dict[str, Any]) -> Stream:
        asked = self.protocol.asked(body)
        self.asked.append(asked)
        return self.protocol.says(self._said(asked))

    def _said(self, asked: Asked) -> Said:
        is_over = "The search is over: call no tool" in asked.turns[-1][1]
        if asked.tools and not is_over:
            return self._called(asked)
        if asked.schema is not None:
            data = self._data(asked.schema["properties"])
            return Said(json.dumps(data), thinking="What is there to see?")
        return Said(DOCUMENT, thinking="I write.", tokens_in=3_000, cached=2_000, stored=500)

    def _called(self, asked: Asked) -> Said:
        if not asked.results:
            wanted = tuple((name, json.dumps(arguments)) for name, arguments in READS)
            return Said("I look at both.", thinking="Both.", calls=wanted)
        if "generate_scoped_context" in asked.tools:
            return Said("", "Enough.", (("generate_scoped_context", json.dumps(GENERATE)),))
        return Said("authenticate() at shop/auth.py:9-12 calls load_user().")

    def _data(self, properties: dict[str, Any]) -> dict[str, Any]:
        if "steps" in properties:
            return {"steps": [{"description": "Read authenticate()", "independent": False}]}
        if "decision" in properties:
            return {"reason": "It is known.", "decision": "FINISH"}
        seen = sum(asked.schema is not None for asked in self.asked) > 1
        if "confidence" in properties:
            more = [] if seen else [{"tool": "search_codebase", "term": "load_user"}]
            return {"confidence": 96 if seen else 40, "tool_calls": more}
        return {"reasoning": "It is there.", "sufficient_context": seen}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write_files(tmp_path / "shop", SHOP)


def check(
    shop: Path, server: ChatServer, protocol: Protocol, mode: str, *options: str
) -> tuple[Any, Reader]:
    """Ask; whatever the protocol, the document is whole and cites what was read."""
    reader = Reader(protocol)
    server.play(reader)
    done = call(
        "ask", ".", "-q", QUESTION, "--mode", mode, "--model", protocol.thinking_model,
        "--api-base", protocol.base(server), "--format", "json", *options, cwd=shop,
    )  # fmt: skip
    assert done.code == 0, done.err
    stats = done.json["stats"]
    assert stats["mode"] == mode
    assert stats["llm_calls"] == len(reader.asked) == len(server.paths)
    assert stats["stop_reason"] in ("done", "confidence_threshold_reached")
    assert "compares what" in done.json["markdown"]
    states = {(r["path"], r["line_start"]): r["state"] for r in done.json["references"]}
    assert states["shop/auth.py", 9] == states["shop/store.py", 6] == "ok"
    return done.json, reader


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)
@pytest.mark.parametrize("mode", MODES)
def test_a_mode_over_a_protocol(
    shop: Path, chat_server: ChatServer, mode: str, protocol: Protocol,
    monkeypatch: pytest.MonkeyPatch,
):  # fmt: skip
    monkeypatch.setenv("ANTHROPIC_API_KEY", "planted-0123456789")
    monkeypatch.setenv("SCOPE_MODEL_REASONING_EFFORT", "low")
    _, reader = check(shop, chat_server, protocol, mode)
    assert all(asked.thinks for asked in reader.asked)
    results = [asked.results for asked in reader.asked if asked.results]
    assert bool(results) is (mode in ("agent", "plan"))
    for asked in reader.asked:
        assert asked.results == asked.called[: len(asked.results)]


@pytest.mark.parametrize("mode", MODES)
def test_what_is_sent_twice_is_marked_for_the_cache(
    shop: Path, chat_server: ChatServer, mode: str, monkeypatch: pytest.MonkeyPatch
):
    """A provider's cache serves what was marked in one request and stands first in a later one."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "planted-0123456789")
    _, reader = check(shop, chat_server, AnthropicMessages(), mode)
    for asked in reader.asked:
        assert ("tools" in asked.marks) is bool(asked.tools)
        assert "system" in asked.marks
        assert asked.turns[-1][1] in asked.marks
        assert asked.tool_choice != "none"  # Another choice would make it read all anew.
    served = [a for a, b in zip(reader.asked, reader.asked[1:], strict=False) if _grows(a, b)]
    for before in served:
        after = reader.asked[reader.asked.index(before) + 1]
        assert before.turns[-1][1] in after.marks
    assert bool(served) is (mode in ("agent", "plan"))


def _grows(before: Asked, after: Asked) -> bool:
    return after.turns[: len(before.turns)] == before.turns
