"""What would be sent, and tools for the editor's agents, over a real server process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from pygls.exceptions import JsonRpcException

from analysis.workspace.paths import path_from_uri
from lsp_server import protocol
from tests.fakes.canaries import CANARIES
from tests.lsp.session import Editor, editing
from tests.support.editor_project import AUTH, VIEWS

pytestmark = pytest.mark.asyncio(loop_scope="module")
QUESTION = "How does authenticate check the password?"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    (root / "auth.py").write_text(f'{AUTH}\n\nPASSWORD_KEY = "{CANARIES["aws"]}"\n')
    (root / "views.py").write_text(VIEWS)
    return root


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def editor(project: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    # Nothing listens there: a preview that sends something fails.
    options = {"model": {"name": "openai/none", "apiBase": "http://127.0.0.1:9/v1"}}
    async with editing(tmp_path_factory.mktemp("home"), project, options=options) as client:
        yield client


async def previewed(editor: Editor, **params: Any) -> dict[str, Any]:
    result = await editor.request(protocol.PREVIEW.method, {"question": QUESTION, **params})
    assert isinstance(result, dict)
    return result


async def test_a_preview_names_host_files_lines_and_sizes(editor: Editor, project: Path):
    found = await previewed(editor, mode="pipeline")
    assert (found["mode"], found["model"], found["host"]) == (
        "pipeline", "openai/none", "127.0.0.1:9",
    )  # fmt: skip
    files = {file["path"]: file for file in found["files"]}
    assert path_from_uri(files["auth.py"]["uri"]) == project / "auth.py"
    assert files["auth.py"]["ranges"] or files["auth.py"]["isOutlined"]
    names = [phase["name"] for phase in found["phases"]]
    assert names[-1] == "synthesis"
    assert found["phases"][0]["isExact"]
    assert all(phase["tokensIn"] > 0 and phase["tokensOut"] > 0 for phase in found["phases"])
    assert any("tokens" in note for note in found["notes"])


async def test_a_preview_of_the_agent_says_what_is_known_beforehand(editor: Editor):
    found = await previewed(editor, mode="agent")
    assert found["mode"] == "agent"
    assert [phase["isExact"] for phase in found["phases"]] == [True, False, False]
    assert any("chosen by the model" in note for note in found["notes"])


async def test_a_preview_of_auto_says_why_the_mode(editor: Editor):
    found = await previewed(editor, mode="auto")
    assert found["mode"] != "auto"
    assert found["mode"] in found["notes"][0]


async def test_offline_sends_nothing(editor: Editor):
    found = await previewed(editor, mode="offline")
    assert (found["files"], found["phases"], found["host"]) == ([], [], "none")
    assert "Nothing is sent" in found["notes"][0]


TOOLS = [
    ("analyze", {"query": "check_password"}, "auth.py"),
    ("outline", {"path": "auth.py"}, "authenticate"),
    ("read_symbol", {"name": "check_password"}, "len(password) > 3"),
    ("find_references", {"name": "authenticate"}, "views.py"),
    ("ask", {"question": QUESTION}, "auth.py"),
]


@pytest.mark.parametrize(("name", "arguments", "words"), TOOLS)
async def test_a_tool_answers(editor: Editor, name: str, arguments: dict[str, Any], words: str):
    params = {"name": name, "arguments": arguments}
    result = await editor.request(protocol.TOOL.method, params)
    assert result["ok"], result["text"]
    assert words in result["text"]


FAULTS = [
    ("nonsense", {}, "There is no tool 'nonsense'"),
    ("outline", {}, "'path'"),
    ("outline", {"path": "auth.py", "lines": 3}, "'lines'"),
    ("outline", {"path": "../secret.py"}, "outside"),
    ("read_symbol", {"name": "nowhere"}, "'nowhere'"),
]


@pytest.mark.parametrize(("name", "arguments", "words"), FAULTS)
async def test_what_an_agent_can_mend_is_told_to_it(editor: Editor, name, arguments, words):
    result = await editor.request(protocol.TOOL.method, {"name": name, "arguments": arguments})
    assert not result["ok"]
    assert words in result["text"]


async def test_bad_params_are_an_error(editor: Editor):
    with pytest.raises(JsonRpcException, match="ToolCallParams was not understood"):
        await editor.request(protocol.TOOL.method, {"arguments": {}})


async def test_code_that_is_never_sent_is_not_given_to_agents_either(project: Path, tmp_path: Path):
    options = {"model": {"neverSend": True}}
    async with editing(tmp_path, project, options=options) as client:
        params = {"name": "outline", "arguments": {"path": "auth.py"}}
        result = await client.request(protocol.TOOL.method, params)
    assert not result["ok"]
    assert "neverSend" in result["text"]
    assert "authenticate" not in result["text"]


async def test_no_secret_is_in_what_a_tool_gives(editor: Editor):
    params = {"name": "read_lines", "arguments": {"path": "auth.py"}}
    result = await editor.request(protocol.TOOL.method, params)
    assert CANARIES["aws"] not in result["text"]
    assert "redacted" in result["text"]
