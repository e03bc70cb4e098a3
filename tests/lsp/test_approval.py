"""The editor is asked before code leaves: by a dialog of its own, or by a message with buttons."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from lsp_server import protocol
from tests.lsp.session import DEADLINE_S, Editor, editing
from tests.lsp.test_editor_model import DOCUMENT, ENOUGH, QUESTION, EditorsModel
from tests.support.editor_project import AUTH, VIEWS


class Dialog:
    """What the client's side of an approval does: answers from a list, or never."""

    def __init__(self, editor: Editor, *answers: Any) -> None:
        self.asked: list[Any] = []
        self.taken_back = asyncio.Event()
        self._answers = list(answers)
        editor.feature(protocol.APPROVE.method)(self._request())
        editor.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)(self._message())

    def _request(self) -> Any:
        async def answer(params: dict[str, Any]) -> Any:
            self.asked.append(params)
            return await self._answer()

        return answer

    def _message(self) -> Any:
        async def answer(params: types.ShowMessageRequestParams) -> Any:
            self.asked.append(params)
            title = await self._answer()
            return next((item for item in params.actions or [] if item.title == title), None)

        return answer

    async def _answer(self) -> Any:
        if self._answers:
            return self._answers.pop(0)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.taken_back.set()
            raise


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    root = tmp_path / "project"
    root.mkdir()
    (root / "auth.py").write_text(AUTH)
    (root / "views.py").write_text(VIEWS)
    return root


@asynccontextmanager
async def session(project: Path, *, approve: bool = True, **settings: Any) -> AsyncIterator[Editor]:
    options = {
        "client": {"complete": True, "approve": approve},
        "approval": "on-request",
        "answer": {"mode": "pipeline"},
        **settings,
    }
    env = {"SCOPE_MODEL": "", "SCOPE_API_BASE": ""}
    async with editing(project.parent / "home", project, options=options, env=env) as editor:
        editor.protocol.notify(protocol.USE_MODEL.method, {"name": "copilot/gpt"})
        yield editor


def decided(*decisions: str) -> list[dict[str, str]]:
    return [{"decision": decision} for decision in decisions]


async def test_what_is_asked(project: Path):
    async with session(project) as editor:
        dialog = Dialog(editor, *decided("once"))
        EditorsModel(editor, ENOUGH, DOCUMENT)
        await editor.ask(QUESTION, runId="what")
    (asked,) = dialog.asked
    assert asked["runId"] == "what"
    assert asked["tool"] == "ask_model"
    assert asked["scopes"] == ["input", "workspace", "findings"]
    assert asked["files"] == ["auth.py", "views.py"]
    assert asked["model"] == "copilot/gpt"
    assert asked["host"]
    assert asked["tokens"] > 100


async def test_for_the_session_and_for_ever(project: Path):
    async with session(project) as editor:
        dialog = Dialog(editor, *decided("session"))
        EditorsModel(editor, ENOUGH, DOCUMENT, ENOUGH, DOCUMENT)
        await editor.ask(QUESTION)
        await editor.ask(QUESTION)
        assert len(dialog.asked) == 1
    async with session(project) as editor:
        dialog = Dialog(editor, *decided("always"))
        EditorsModel(editor, ENOUGH, DOCUMENT)
        await editor.ask(QUESTION)
        assert len(dialog.asked) == 1, "a session ends with the server"
    kept = project.parent / "home" / ".config" / "scope" / "approvals.json"
    (granted,) = json.loads(kept.read_text())[str(project)]
    assert granted["scopes"] == ["input", "workspace", "findings"]
    async with session(project) as editor:
        dialog = Dialog(editor)
        model = EditorsModel(editor, ENOUGH, DOCUMENT)
        await editor.ask(QUESTION)
        assert (len(dialog.asked), len(model.asked)) == (0, 2)


@pytest.mark.parametrize(
    ("title", "n_sent"),
    [("This Session", 2), ("(closed)", 0)],
)
async def test_clients_without_a_dialog_get_a_message(project: Path, title, n_sent):
    async with session(project, approve=False) as editor:
        dialog = Dialog(editor, title)
        model = EditorsModel(editor, ENOUGH, DOCUMENT)
        await editor.ask(QUESTION)
    (message,) = dialog.asked
    assert message.message.startswith("Scope: send about ")
    assert "(input, workspace, findings; auth.py, views.py) to copilot/gpt at" in message.message
    titles = [action.title for action in message.actions]
    assert titles == ["Once", "This Session", "Always", "Deny"]
    assert len(model.asked) == n_sent


async def test_no_and_answers_that_are_none_deny(project: Path):
    answers: list[Any] = [
        {"decision": "deny"},
        None,
        {},
        {"decision": "perhaps"},
        [],
        {"decision": None},
    ]
    async with session(project) as editor:
        dialog = Dialog(editor, *answers)
        model = EditorsModel(editor, ENOUGH, DOCUMENT)
        for _ in answers:
            result = await editor.ask(QUESTION)
            assert result["stats"]["stopReason"] == "not_approved"
            assert "was not approved" in result["markdown"]
    assert (len(dialog.asked), model.asked) == (len(answers), [])


async def test_a_client_that_cannot_ask_denies(project: Path):
    async with session(project) as editor:  # It says that it can, and has no handler.
        model = EditorsModel(editor, ENOUGH, DOCUMENT)
        result = await editor.ask(QUESTION, runId="n")
    assert model.asked == []
    assert "auth.py" in result["markdown"]
    told = [event["message"] for event in editor.run_events["n"] if event["type"] == "notice"]
    assert any(message.startswith("Nothing was sent to the model") for message in told), told


async def test_a_cancelled_run_takes_its_question_back(project: Path):
    async with session(project) as editor:
        dialog = Dialog(editor)
        model = EditorsModel(editor, ENOUGH, DOCUMENT)
        await editor.command(protocol.COMMAND_ASK.name, {"question": QUESTION, "runId": "c"})
        await editor.until(lambda: dialog.asked, "the question")
        assert await editor.command(protocol.COMMAND_CANCEL.name, {"runId": "c"}) == 1
        await asyncio.wait_for(dialog.taken_back.wait(), DEADLINE_S)
        last = await editor.finished("c")
    assert last["stopReason"] == "cancelled"
    assert model.asked == []


async def test_scopes_that_are_not_allowed_stay_here(project: Path):
    source = project / "auth.py"
    async with session(project, approval="never", allowedScopes=["input", "workspace"]) as editor:
        model = EditorsModel(editor, ENOUGH, DOCUMENT)
        uri = editor.open(source, AUTH.replace("Compare a", "An unsaved canary, compare a"))
        at = {"start": {"line": 3, "character": 0}, "end": {"line": 5, "character": 0}}
        await editor.ask(
            QUESTION,
            runId="s",
            location={"uri": uri, "range": at},
            symbol="authenticate",
            diagnostic="a canary in the diagnostics",
        )
    sent = json.dumps(model.asked)
    assert "canary" not in sent
    assert "selected in" not in sent
    assert "The asker is at" not in sent
    assert QUESTION in sent
    told = [event["message"] for event in editor.run_events["s"] if event["type"] == "notice"]
    assert "Not shown to the model: state, selection, diagnostics, open_files, findings." in told


async def test_without_the_workspace_the_answer_is_made_offline(project: Path):
    async with session(project, allowedScopes=["input", "selection"]) as editor:
        dialog = Dialog(editor)
        model = EditorsModel(editor, ENOUGH, DOCUMENT)
        result = await editor.ask(QUESTION)
    assert (model.asked, dialog.asked) == ([], [])
    assert result["stats"]["mode"] == "offline"
    assert "'allowed_scopes' lacks what a model needs" in result["markdown"]
