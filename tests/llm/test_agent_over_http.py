"""Agent mode as a user runs it: the program, litellm, a server on this machine, each ending."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from analysis.cli.trace import read_trace
from analysis.engine import Engine
from analysis.events import Event, RunFinished, ToolCalled
from analysis.json_output import reference_shape
from analysis.models import AskRequest
from analysis.settings import Settings, settings_from
from tests.cli.program import Finished, call
from tests.fakes.canaries import CANARIES
from tests.fakes.chat_server import ChatServer, Fail, Item, Stall, Turn, delta, end, say, usage
from tests.fakes.chat_server import call as chat_call
from tests.fakes.scripted_model import ScriptedModel

QUESTION = "How does authenticate check the password?"
LOGIN = ("read_symbol", {"name": "authenticate", "path": "shop/auth.py"})
STORE = ("read_symbol", {"name": "load_user"})
GENERATE = (
    "generate_scoped_context",
    {
        "question": QUESTION,
        "relevant_file_paths": ["shop/auth.py", "shop/store.py"],
        "insights": "authenticate() compares with what load_user() returns.",
    },
)
DOCUMENT = """\
## Summary

`authenticate()` at `shop/auth.py:9-12` compares what `load_user()` at `shop/store.py:6-8` returns.
"""


def turn(*wanted: tuple[str, dict[str, Any]], words: str = "", read: int = 3_000) -> list[Item]:
    """A turn with several calls at once, as a provider streams it."""
    calls = [
        {
            "index": number,
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for number, (name, arguments) in enumerate(wanted)
    ]
    said = [delta(words)] if words else []
    reason = "tool_calls" if calls else "stop"
    return [*said, delta(tool_calls=calls), end(reason), usage(read, 20)]


def reading_on(body: dict[str, Any]) -> list[Item]:
    """Look at something new in each turn; write the document when there are no tools."""
    if body.get("tool_choice") == "none" or "tools" not in body:
        return say(DOCUMENT, 900, 60)
    lines = {"path": "shop/auth.py", "line_start": 1, "line_end": len(body["messages"]) + 1}
    return turn(LOGIN if len(body["messages"]) == 2 else ("read_lines", lines), read=1_000)


def ask(shop: Path, server: ChatServer, *options: str) -> Finished:
    return call(
        "ask", ".", "-q", QUESTION, "--mode", "agent", "--model", "openai/test",
        "--api-base", server.url, "--format", "json", *options, cwd=shop,
    )  # fmt: skip


def check(
    shop: Path,
    server: ChatServer,
    turns: Sequence[Turn],
    reason: str,
    code: int,
    *options: str,
    written: bool = True,
) -> Finished:
    """Run a script; whatever ends it, there is a document with its reason and the code."""
    server.canaries.update(CANARIES.values())
    server.play(*turns)
    done = ask(shop, server, *options)
    assert done.code == code, done.err
    assert done.json["stats"]["stop_reason"] == reason
    text = Path(done.json["document"]).read_text(encoding="utf-8")
    assert f"stop_reason: {reason}\n" in text
    assert "shop/auth.py" in text
    assert ("compares what" in text) is written
    assert not server.leaks
    return done


def test_the_model_ends_the_search(shop: Path, chat_server: ChatServer):
    (shop / ".env").write_text(f"PASSWORD={CANARIES['aws']}\n")
    source = (shop / "shop/auth.py").read_text()
    (shop / "shop/auth.py").write_text(source + f'KEY = "{CANARIES["aws"]}"\n')
    turns = [
        turn(("search_for_files", {"query": "authenticate password"})),
        turn(LOGIN, STORE, ("read_file", {"path": ".env"}), words="Both ends."),
        turn(GENERATE),
        say(DOCUMENT, 900, 60),
    ]
    done = check(shop, chat_server, turns, "done", 0)
    stats = done.json["stats"]
    assert (stats["mode"], stats["llm_calls"], stats["tokens_in"]) == ("agent", 4, 9_900)
    assert all(ref["state"] == "ok" for ref in done.json["references"])
    third = chat_server.bodies[2]["messages"]
    assert [message["role"] for message in third[-4:]] == ["assistant", "tool", "tool", "tool"]
    assert [call["id"] for call in third[-4]["tool_calls"]] == [
        message["tool_call_id"] for message in third[-3:]
    ]
    last = chat_server.bodies[3]
    assert (last["tool_choice"], last["tools"]) == ("none", chat_server.bodies[2]["tools"])
    assert last["messages"][: len(third)] == third
    audit = (shop / ".scope" / "audit.jsonl").read_text().splitlines()
    assert [json.loads(line)["purpose"] for line in audit] == [
        "agent 1", "agent 2", "agent 3", "synthesis"
    ]  # fmt: skip


def test_the_last_request_shows_nothing_twice(shop: Path, chat_server: ChatServer):
    """What the conversation shows is not repeated, lines that a search showed among it."""
    turns = [
        turn(("grep_in_files", {"pattern": "USERS.get"})),
        turn(("read_lines", {"path": "shop/auth.py", "line_start": 6, "line_end": 13})),
        turn(GENERATE),
        say(DOCUMENT, 900, 60),
    ]
    check(shop, chat_server, turns, "done", 0)
    texts = [str(message["content"]) for message in chat_server.bodies[3]["messages"]]
    whole = "\n".join(texts)
    assert "call no tool any more" in texts[-1]
    for words in ("user.password == password", "return USERS.get(name)", "Text between a line"):
        assert whole.count(words) == 1, words


def test_a_preview_sends_nothing(shop: Path, chat_server: ChatServer):
    chat_server.play(Fail(500))
    done = ask(shop, chat_server, "--preview")
    assert done.json["mode"] == "agent"
    names = [phase["name"] for phase in done.json["phases"]]
    assert names == ["first turn", "each further turn, at most 19", "synthesis"]
    assert not done.json["files"]
    assert not chat_server.bodies


def test_turns(shop: Path, chat_server: ChatServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SCOPE_AGENT_TURNS", "2")
    check(shop, chat_server, [reading_on], "turns", 3)
    assert len(chat_server.bodies) == 3


def test_tokens(shop: Path, chat_server: ChatServer):
    done = check(shop, chat_server, [reading_on], "budget_tokens", 3, "--budget-tokens", "12000")
    assert done.json["stats"]["tokens_in"] + done.json["stats"]["tokens_out"] <= 12_000


def test_money(shop: Path, chat_server: ChatServer):
    """With a model whose price is known."""
    chat_server.play(reading_on)
    done = call(
        "ask", ".", "-q", QUESTION, "--mode", "agent", "--model", "openai/gpt-4",
        "--api-base", chat_server.url, "--format", "json", "--budget-usd", "0.5", cwd=shop,
    )  # fmt: skip
    assert done.json["stats"]["stop_reason"] == "budget_usd"
    assert done.json["stats"]["cost_usd"] <= 0.5
    assert done.code == 3


def test_time(shop: Path, chat_server: ChatServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SCOPE_AGENT_TIME_S", "0.000001")
    check(shop, chat_server, [Fail(500)], "time", 3, written=False)
    assert not chat_server.bodies


def test_time_also_ends_a_wait_for_the_model(
    shop: Path, chat_server: ChatServer, monkeypatch: pytest.MonkeyPatch
):
    def stalling(body: dict[str, Any]) -> list[Item]:
        return [delta("Let me"), Stall()] if "tools" in body else say(DOCUMENT)

    monkeypatch.setenv("SCOPE_AGENT_TIME_S", "2")
    chat_server.play(stalling)
    done = ask(shop, chat_server)
    assert done.code == 3
    assert done.json["stats"]["stop_reason"] == "time"
    assert "shop/auth.py" in done.json["markdown"]


def test_no_progress(shop: Path, chat_server: ChatServer):
    turns: list[Turn] = [turn(LOGIN), turn(LOGIN), turn(LOGIN), say(DOCUMENT)]
    done = check(shop, chat_server, turns, "no_progress", 0)
    assert "the same call of read_symbol three times" in done.json["markdown"]


def test_malformed_calls(shop: Path, chat_server: ChatServer):
    bad = ("read_symbl", {"name": "authenticate"})
    turns: list[Turn] = [
        turn(LOGIN),
        turn(bad),
        turn(("read_symbol", {})),
        turn(bad),
        say(DOCUMENT),
    ]
    done = check(shop, chat_server, turns, "no_progress", 0)
    assert "no call that matches a tool" in done.json["markdown"]


@pytest.mark.parametrize("arguments", ['{"a":', "[1]", "null", '"x"', "y" * 200_000])
def test_junk_arguments_go_back_with_the_schema(
    shop: Path, chat_server: ChatServer, arguments: str
):
    junk = chat_call("search_for_files", arguments)
    done = check(shop, chat_server, [junk, turn(LOGIN), turn(GENERATE), say(DOCUMENT)], "done", 0)
    sent = chat_server.bodies[1]["messages"]
    assert '"required"' in sent[-1]["content"]
    assert len(sent[-1]["content"]) < 4_000
    assert sent[-2]["tool_calls"][0]["function"]["arguments"] == "{}"
    assert len(json.dumps(chat_server.bodies[1])) < 40_000
    assert done.json["stats"]["llm_calls"] == 4


@pytest.mark.parametrize("n_before", [0, 1])
def test_a_model_that_cannot_be_reached(shop: Path, chat_server: ChatServer, n_before: int):
    turns: list[Turn] = [*[turn(LOGIN)] * n_before, Fail(401)]
    done = check(shop, chat_server, turns, "model_unavailable", 4, written=False)
    assert ("What the model had read" in done.json["markdown"]) is bool(n_before)


def test_a_server_without_tools_is_asked_in_words(shop: Path, chat_server: ChatServer):
    def no_tools(body: dict[str, Any]) -> Fail:
        assert "tools" in body
        return Fail(400, {"error": {"message": "this model does not support tools"}})

    def written(name: str, arguments: dict[str, Any]) -> Callable[[dict[str, Any]], list[Item]]:
        def answer(body: dict[str, Any]) -> list[Item]:
            assert "tools" not in body
            assert all(message["role"] != "tool" for message in body["messages"])
            return say(json.dumps({"tool": name, "arguments": arguments}))

        return answer

    turns: list[Turn] = [no_tools, written(*LOGIN), written(*GENERATE), say(DOCUMENT)]
    check(shop, chat_server, turns, "done", 0)
    second = json.dumps(chat_server.bodies[2]["messages"])
    assert "Result of the tool call" in second
    assert "user.password == password" in second


def test_a_trace_is_shown_again_and_stands_for_the_model(shop: Path, chat_server: ChatServer):
    trace = shop.parent / "trace.jsonl"
    turns: list[Turn] = [turn(LOGIN, STORE, words="Both."), turn(GENERATE), say(DOCUMENT, 900, 60)]
    chat_server.play(*turns)
    done = ask(shop, chat_server, "--trace", str(trace))
    chat_server.play(Fail(500))
    shown = call("replay", str(trace), cwd=shop.parent)
    assert shown.code == 0
    for part in (
        QUESTION,
        '✓ read_symbol(name="authenticate", path="shop/auth.py")',
        "→ call read_symbol (3,020 tokens, cost unknown): Both.",
        "ended: done, 3 calls of the model, 7,000 tokens, cost unknown",
    ):
        assert part in shown.out
    assert shown.out.endswith(done.json["markdown"])
    again = call("replay", str(trace), "--format", "json", cwd=shop.parent)
    assert again.json == done.json
    assert not chat_server.bodies

    events = asyncio.run(rerun(shop, ScriptedModel.from_trace(trace)))
    last = events[-1]
    assert isinstance(last, RunFinished)
    references = [reference_shape(reference) for reference in last.answer.references]
    assert references == done.json["references"]
    called = [event.arguments for event in events if isinstance(event, ToolCalled)]
    recorded = [item.event for item in read_trace(trace).events]
    assert called == [event.arguments for event in recorded if isinstance(event, ToolCalled)]


async def rerun(shop: Path, model: ScriptedModel) -> list[Event]:
    settings, _ = settings_from({"model": {"tokens_per_minute": 10**7}}, Settings())
    with Engine.open(shop, settings) as engine:
        engine.use_model(model)
        return [event async for event in engine.ask(AskRequest(QUESTION, mode="agent"))]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "ended from outside"),
        ('{"type": "run", "question": "Why?"}\n{"type": "pha', "ended from outside"),
        ("no json\n{}\n", "line 1 is not JSON"),
        ("[1]\n", "line 1 is not an object"),
        ('{"type": "phase"}\n', "lacks something"),
        ('{"type": "later"}\n', "holds no event"),
    ],
)
def test_what_is_no_trace_is_said_to_be_none(tmp_path: Path, text: str, word: str):
    (tmp_path / "t.jsonl").write_text(text)
    done = call("replay", "t.jsonl", cwd=tmp_path)
    assert word in done.out + done.err
    assert done.code == (0 if "outside" in word else 2)
