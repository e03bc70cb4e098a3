"""The editor's own model over a real server process: words, refusals, a cancel, and no model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from analysis.workspace.paths import path_from_uri
from lsp_server import protocol
from tests.lsp.session import DEADLINE_S, Editor, editing
from tests.support.editor_project import AUTH, VIEWS

QUESTION = "How does authenticate work?"
ENOUGH = json.dumps({"sufficient_context": True, "preliminary_insights": "It compares lengths."})
DOCUMENT = "## Summary\n\n`authenticate()` at `auth.py:4-6` asks `check_password()`.\n"


class EditorsModel:
    """What the client's side of the editor's model does: says its lines, then refuses or waits."""

    def __init__(self, editor: Editor, *lines: str) -> None:
        self.asked: list[dict[str, Any]] = []
        self.refusal: dict[str, str] = {}
        self.calls: list[list[dict[str, Any]]] = []
        """Of each request with tools, as long as there are any."""
        self.never_ends = False
        self.cancelled = asyncio.Event()
        self._editor = editor
        self._lines = list(lines)
        editor.feature(protocol.COMPLETE.method)(self._answer())

    def _answer(self) -> Any:
        async def answer(params: dict[str, Any]) -> dict[str, str]:
            self.asked.append(params)
            text = self._lines.pop(0) if self._lines else ""
            for call in self.calls.pop(0) if self.calls and params["tools"] else ():
                piece = {"completionId": params["completionId"], "text": "", "call": call}
                self._editor.protocol.notify(protocol.COMPLETE_TEXT.method, piece)
            for at in range(0, len(text), 7):
                piece = {"completionId": params["completionId"], "text": text[at : at + 7]}
                self._editor.protocol.notify(protocol.COMPLETE_TEXT.method, piece)
            try:
                if self.never_ends and not self._lines:
                    await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.cancelled.set()
                raise
            return {} if self._lines or not self.refusal else self.refusal

        return answer


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "auth.py").write_text(AUTH)
    (root / "views.py").write_text(VIEWS)
    return root


@asynccontextmanager
async def with_model(project: Path, **chosen: Any) -> AsyncIterator[Editor]:
    """An editor that answers ``scope/complete`` and whose user chose a model."""
    options = {"client": {"complete": True}}
    env = {"SCOPE_MODEL": "", "SCOPE_API_BASE": ""}
    async with editing(project.parent / "home", project, options=options, env=env) as editor:
        editor.protocol.notify(protocol.USE_MODEL.method, {"name": "copilot/gpt", **chosen})
        yield editor


@pytest.fixture(autouse=True)
def home(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()


async def test_the_editors_model_answers(project: Path):
    async with with_model(project) as editor:
        model = EditorsModel(editor, ENOUGH, DOCUMENT)
        result = await editor.ask(QUESTION, runId="m")
    stats = result["stats"]
    assert (stats["mode"], stats["model"], stats["llmCalls"]) == ("pipeline", "copilot/gpt", 2)
    assert "costUsd" not in stats
    assert {ref["state"] for ref in result["references"]} <= {"ok", "corrected"}
    assert "asks `check_password()`" in result["markdown"]
    pieces = [event for event in editor.run_events["m"] if event["type"] == "text"]
    assert len(pieces) > 3
    assert {turn["role"] for asked in model.asked for turn in asked["turns"]} == {"user"}
    assert QUESTION in model.asked[0]["turns"][0]["text"]
    assert model.asked[0]["maxOutputTokens"] > 0


async def test_one_question_asks_another_model(project: Path):
    async with with_model(project) as editor:
        model = EditorsModel(editor, ENOUGH, DOCUMENT, ENOUGH, DOCUMENT)
        lent = await editor.ask(QUESTION, useModel={"name": "chat/other", "contextTokens": 9_000})
        assert {asked["model"] for asked in model.asked} == {"chat/other"}
        chosen = await editor.ask(QUESTION)
    assert [asked["model"] for asked in model.asked[2:]] == ["copilot/gpt", "copilot/gpt"]
    assert (lent["stats"]["model"], chosen["stats"]["model"]) == ("chat/other", "copilot/gpt")


async def test_a_model_for_one_question_is_not_asked_where_nothing_may_be_sent(project: Path):
    settings = {"model": {"neverSend": True}}
    options = {"client": {"complete": True}, **settings}
    async with editing(project.parent / "home", project, options=options) as editor:
        model = EditorsModel(editor, ENOUGH, DOCUMENT)
        kept = await editor.ask(QUESTION, useModel={"name": "chat/other"})
        assert (kept["stats"]["mode"], model.asked) == ("offline", [])


async def test_the_editors_model_calls_tools(project: Path):
    read = {"id": "c1", "name": "read_symbol", "arguments": {"name": "authenticate"}}
    arguments = {"question": QUESTION, "relevant_file_paths": ["auth.py"], "insights": "So."}
    generate = {"id": "c2", "name": "generate_scoped_context", "arguments": arguments}
    options = {"client": {"complete": True, "completeTools": True}}
    env = {"SCOPE_MODEL": "", "SCOPE_API_BASE": ""}
    async with editing(project.parent / "home", project, options=options, env=env) as editor:
        editor.protocol.notify(protocol.USE_MODEL.method, {"name": "copilot/gpt"})
        model = EditorsModel(editor, "I look.", "Enough.", DOCUMENT)
        model.calls = [[read], [generate]]
        result = await editor.ask(QUESTION, mode="agent", runId="t")
    assert (result["stats"]["llmCalls"], result["stats"]["stopReason"]) == (3, "done")
    assert {ref["state"] for ref in result["references"]} <= {"ok", "corrected"}
    first, second, last = model.asked
    assert {tool["name"] for tool in first["tools"]} >= {"read_symbol", "read_symbols"}
    assert first["tools"][0]["inputSchema"]["type"] == "object"
    assert second["turns"][1]["calls"] == [read]
    assert second["turns"][2]["results"][0]["callId"] == "c1"
    assert "def authenticate" in second["turns"][2]["results"][0]["text"]
    assert last["tools"] == []


REFUSALS = [
    ({"fault": "no_model"}, "is not there now"),
    ({"fault": "no_consent"}, "you did not allow it"),
    ({"fault": "quota", "message": "out of quota"}, "quota is used up"),
    ({"fault": "blocked", "message": "off topic"}, "declined to answer: off topic"),
    ({"fault": "too_long"}, "takes no request this long"),
    ({"fault": "something-new", "message": "it rained"}, "could not be used: it rained"),
]


@pytest.mark.parametrize(("refusal", "words"), REFUSALS, ids=lambda value: str(value)[:20])
async def test_a_refusal_is_told_and_leaves_a_document(project: Path, refusal, words):
    async with with_model(project) as editor:
        EditorsModel(editor).refusal = refusal
        result = await editor.ask(QUESTION, runId="r")
    told = [event["message"] for event in editor.run_events["r"] if event["type"] == "notice"]
    assert any(words in message for message in told), told
    assert "auth.py" in result["markdown"]
    assert result["stats"]["stopReason"] != "done"


async def test_a_client_without_a_handler_is_an_error_that_is_told(project: Path):
    async with with_model(project) as editor:
        result = await editor.ask(QUESTION, runId="n")
    told = [event["message"] for event in editor.run_events["n"] if event["type"] == "notice"]
    assert any("could not be used" in message for message in told), told
    assert "auth.py" in result["markdown"]


async def test_a_cancelled_question_cancels_the_request_in_the_editor(project: Path):
    async with with_model(project) as editor:
        model = EditorsModel(editor, ENOUGH, DOCUMENT)
        model.never_ends = True
        await editor.command(protocol.COMMAND_ASK.name, {"question": QUESTION, "runId": "c"})
        await editor.until(lambda: len(model.asked) == 2, "the request for the document")
        assert await editor.command(protocol.COMMAND_CANCEL.name, {"runId": "c"}) == 1
        await asyncio.wait_for(model.cancelled.wait(), DEADLINE_S)
        last = await editor.finished("c")
        assert last["stopReason"] == "cancelled"
        assert path_from_uri(last["documentUri"]).is_file()


NO_EDITOR_MODEL = [
    ({}, {"name": "copilot/gpt"}, "offline"),
    ({"client": {"complete": True}}, {}, "offline"),
    ({"client": {"complete": True}, "model": {"neverSend": True}}, {"name": "c/g"}, "offline"),
]


@pytest.mark.parametrize(("options", "chosen", "mode"), NO_EDITOR_MODEL)
async def test_without_ability_choice_or_leave_the_answer_is_made_offline(
    project: Path, options, chosen, mode
):
    env = {"SCOPE_MODEL": "", "SCOPE_API_BASE": ""}
    async with editing(project.parent / "home", project, options=options, env=env) as editor:
        model = EditorsModel(editor, ENOUGH, DOCUMENT)
        editor.protocol.notify(protocol.USE_MODEL.method, chosen)
        result = await editor.ask(QUESTION)
    assert (result["stats"]["mode"], model.asked) == (mode, [])


async def test_a_named_model_goes_before_the_editors(project: Path):
    options = {
        "client": {"complete": True},
        "model": {"name": "openai/none", "apiBase": "http://127.0.0.1:9/v1"},
    }
    async with editing(project.parent / "home", project, options=options) as editor:
        model = EditorsModel(editor, ENOUGH, DOCUMENT)
        editor.protocol.notify(protocol.USE_MODEL.method, {"name": "copilot/gpt"})
        result = await editor.ask(QUESTION)
    assert model.asked == []
    assert result["stats"]["model"] == "openai/none"
