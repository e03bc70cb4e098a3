"""Questions over a real server process: answered, observed, cancelled, side by side."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from analysis.tokens import text_tokens
from analysis.workspace.paths import path_from_uri, uri_from_path
from lsp_server import protocol
from tests.lsp.session import Editor, editing
from tests.support.editor_project import AUTH, VIEWS
from tests.workspace.repositories import git

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    (root / "auth.py").write_text(AUTH)
    (root / "views.py").write_text(VIEWS)
    for number in range(300):
        body = "\n".join(f"    value_{i} = {i} + {number}" for i in range(60))
        (root / f"filler_{number}.py").write_text(f"def filler_{number}():\n{body}\n")
    return root


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def editor(project: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    async with editing(tmp_path_factory.mktemp("home"), project) as client:
        yield client


async def test_a_question_is_answered_with_verified_references(editor: Editor, project: Path):
    result = await editor.ask("How does authentication check a password?", runId="r1")
    assert result["runId"] == "r1"
    document = path_from_uri(result["documentUri"])
    assert document.parent == project / ".scope"
    assert document.read_text(encoding="utf-8") == result["markdown"]
    assert result["stats"]["model"] == "none"
    assert result["stats"]["llmCalls"] == 0
    paths = {reference["path"] for reference in result["references"]}
    assert "auth.py" in paths
    assert {reference["state"] for reference in result["references"]} == {"ok"}
    first = result["references"][0]
    assert path_from_uri(first["uri"]) == project / first["path"]


async def test_events_tell_the_run_and_end_with_the_document(editor: Editor):
    result = await editor.ask("How does authentication check a password?", runId="r2")
    events = editor.run_events["r2"]
    kinds = [event["type"] for event in events]
    assert kinds[0] == "phase"
    assert "candidates" in kinds
    assert kinds[-1] == "finished"
    assert kinds.count("finished") == 1
    assert events[-1]["documentUri"] == result["documentUri"]
    streamed = "".join(event["text"] for event in events if event["type"] == "text")
    assert streamed.strip()
    assert streamed.strip() in result["markdown"]
    assert editor.base_uris["r2"].endswith("/.scope/")


async def test_changes_go_along_as_the_editor_shows_them(editor: Editor, project: Path):
    git(project, "init", "-q")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "first")
    uri = editor.open(project / "auth.py", AUTH.replace("return", "return  ", 1))
    result = await editor.ask("What do my changes affect?", changes="uncommitted")
    assert "1 file, with definitions: 1 changed." in result["markdown"]
    editor.text_document_did_close(
        types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
    )
    with pytest.raises(JsonRpcException, match="There is no commit 'nothing'"):
        await editor.ask("What do my changes affect?", changes="nothing..")


async def test_a_question_is_limited_to_what_is_attached(editor: Editor, project: Path):
    question = "How does authentication check a password?"
    result = await editor.ask(question, within=[uri_from_path(project / "views.py")])
    assert "Only `views.py` was searched, as attached to the question." in result["markdown"]
    whole = await editor.ask(question, within=[uri_from_path(project)])
    assert "was searched, as attached" not in whole["markdown"]
    with pytest.raises(JsonRpcException, match="is in no open folder"):
        await editor.ask(question, within=[uri_from_path(project.parent / "elsewhere.py")])


async def test_runs_do_not_disturb_each_other(editor: Editor):
    questions = {f"side-{i}": f"Where is filler_{i} defined?" for i in range(6)}
    results = await asyncio.gather(
        *(editor.ask(question, runId=run_id) for run_id, question in questions.items())
    )
    for run_id, result in zip(questions, results, strict=True):
        number = run_id.removeprefix("side-")
        assert result["runId"] == run_id
        assert result["references"][0]["path"] == f"filler_{number}.py"
        assert editor.run_events[run_id][-1]["documentUri"] == result["documentUri"]
    assert len({result["documentUri"] for result in results}) == len(results)


async def test_the_same_run_id_twice_is_refused(editor: Editor):
    # Both are sent before the server can have answered the first.
    asked = (editor.ask("How does login work?", runId="twice") for _ in range(2))
    first, second = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(first, dict), first
    assert isinstance(second, JsonRpcException), second
    assert "still under way" in second.message


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({}, "'question'"),
        ({"question": ""}, "'question'"),
        ({"question": "x", "location": {"uri": 3}}, "'location"),
        ([1, 2], "AskParams was not understood"),
    ],
)
async def test_bad_params_are_answered(editor: Editor, params, message):
    with pytest.raises(JsonRpcException, match=message) as caught:
        await editor.request(protocol.ASK.method, params)
    assert caught.value.code == -32602


async def test_an_unknown_method_is_answered(editor: Editor):
    with pytest.raises(JsonRpcException) as caught:
        await editor.request("scope/unknown", {})
    assert caught.value.code == -32601


async def test_a_location_outside_the_folders_is_refused(editor: Editor, tmp_path: Path):
    where = {"uri": uri_from_path(str(tmp_path / "x.py")), "range": zero_range()}
    with pytest.raises(JsonRpcException, match="in no open folder"):
        await editor.ask("What is this?", location=where)


async def test_cancel_fails_the_request_at_once_and_keeps_the_document(
    tmp_path: Path, project: Path
):
    async with editing(tmp_path, project) as editor:
        request = asyncio.ensure_future(
            editor.request(
                protocol.ASK.method,
                {"question": "How does login work?", "runId": "c"},
                msg_id="ask-1",
            )
        )
        await editor.until(lambda: editor.run_events["c"], "first event")
        editor.cancel_request(types.CancelParams("ask-1"))
        with pytest.raises(JsonRpcException) as caught:
            await request
        assert caught.value.code == -32800
        last = await editor.finished("c")
        assert last["stopReason"] == "cancelled"
        text = path_from_uri(last["documentUri"]).read_text(encoding="utf-8")
        assert "stop_reason: cancelled" in text


async def test_the_command_answers_at_once_and_opens_the_document(editor: Editor):
    n_shown = len(editor.shown_documents)
    run_id = await editor.command(protocol.COMMAND_ASK.name, {"question": "How does login work?"})
    await editor.until(lambda: len(editor.shown_documents) > n_shown, "the document opens")
    shown = editor.shown_documents[-1]
    assert editor.run_events[run_id][-1]["documentUri"] == shown.uri
    reports = editor.progress_reports[f"scope-{run_id}"]
    kinds = [type(report).__name__ for report in reports]
    assert kinds[0] == "WorkDoneProgressBegin"
    assert kinds[-1] == "WorkDoneProgressEnd"
    assert path_from_uri(shown.uri).is_file()


async def test_an_editor_without_progress_and_show_document_gets_a_message(
    tmp_path: Path, project: Path
):
    async with editing(tmp_path, project, editor="emacs") as editor:
        await editor.command(protocol.COMMAND_ASK.name, {"question": "How does login work?"})
        message = await editor.until(
            lambda: next((m for m in editor.messages if ".scope" in m.message), None), "a message"
        )
        assert os.path.isfile(message.message.split()[-1])  # noqa: ASYNC240, PTH113
        assert not editor.shown_documents


async def test_cancel_command_stops_every_run(tmp_path: Path, project: Path):
    async with editing(tmp_path, project) as editor:
        for name in ("a", "b"):
            await editor.command(
                protocol.COMMAND_ASK.name, {"question": "How does login work?", "runId": name}
            )
        assert await editor.command(protocol.COMMAND_CANCEL.name) == 2
        for name in ("a", "b"):
            last = await editor.finished(name)
            assert last["stopReason"] == "cancelled"


async def test_analyze_returns_hits_with_uris(editor: Editor, project: Path):
    result = await editor.request(protocol.ANALYZE.method, {"query": "check_password", "topK": 3})
    hit = result["hits"][0]
    assert (hit["path"], hit["symbol"]) == ("auth.py", "check_password")
    assert path_from_uri(hit["uri"]) == project / "auth.py"
    assert result["searched"]["files"] >= 302


async def test_analyze_keeps_to_a_budget_and_counts_what_it_left_out(editor: Editor):
    params = {"query": "check_password", "includeCode": True}
    whole = await editor.request(protocol.ANALYZE.method, params)
    tokens = 300
    cut = await editor.request(protocol.ANALYZE.method, {**params, "maxTokens": tokens})
    without_uris = [
        {name: value for name, value in hit.items() if name != "uri"} for hit in cut["hits"]
    ]
    assert text_tokens(json.dumps(without_uris)) <= tokens
    assert 0 < len(cut["hits"]) < len(whole["hits"])
    assert len(cut["hits"]) + cut["leftOut"] == len(whole["hits"]) + whole["leftOut"]


def zero_range() -> dict[str, dict[str, int]]:
    return {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
