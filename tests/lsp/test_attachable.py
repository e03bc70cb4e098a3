"""What a question can be about, by name and by place."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from analysis.workspace.paths import path_from_uri, uri_from_path
from tests.lsp.session import Editor, editing
from tests.support.editor_project import AUTH, VIEWS
from tests.workspace.repositories import git

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    (root / "web/[id]").mkdir(parents=True)
    (root / "web/auth.py").write_text(AUTH)
    (root / "web/views.py").write_text(VIEWS)
    (root / "web/[id]/page.ts").write_text("export function showPage() { return 1; }\n")
    (root / ".gitignore").write_text("secret/\n")
    (root / "secret").mkdir()
    (root / "secret/authors.py").write_text("author = 1\n")
    return root


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def editor(project: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    async with editing(tmp_path_factory.mktemp("home"), project) as client:
        await client.ask("Where is authenticate?")  # so that the index is there
        yield client


async def check(editor: Editor, project: Path, params: dict[str, Any], wanted: list[str]) -> None:
    """Exactly these are found, in this order, and each is where it says."""
    result = await editor.protocol.send_request_async("scope/attachable", params)
    items = result["items"] if isinstance(result, dict) else result.items
    found = [f"{item['kind']} {item['label']}" for item in items]
    assert found == wanted
    for item in items:
        path = path_from_uri(item["uri"])
        assert path.exists()
        assert path.is_relative_to(project)


async def test_folders_and_files_are_found_by_a_part_of_their_name(editor: Editor, project: Path):
    await check(editor, project, {"name": "we"}, ["folder web/"])
    await check(editor, project, {"name": "web/"}, ["folder web/"])
    await check(editor, project, {"name": "iews"}, ["file web/views.py"])
    await check(editor, project, {"name": "web/[id"}, ["folder web/[id]/", "file web/[id]/page.ts"])


async def test_definitions_are_found_by_a_part_of_their_name(editor: Editor, project: Path):
    await check(editor, project, {"name": "SHOWP"}, ["symbol showPage"])


async def test_changes_are_offered_where_there_is_a_repository(editor: Editor, project: Path):
    await check(editor, project, {"name": "changes"}, [])
    git(project, "init", "-q")
    await check(editor, project, {"name": "chan"}, ["changes uncommitted changes"])
    git(project, "add", "-A")
    git(project, "commit", "-qm", "first")
    last = "changes changes of the last commit"
    await check(editor, project, {"name": "uncomm"}, ["changes uncommitted changes", last])
    git(project, "checkout", "-qb", "topic")
    git(project, "commit", "-q", "--allow-empty", "-m", "second")
    wanted = ["changes uncommitted changes", "changes changes since main", last]
    await check(editor, project, {"name": "diff"}, wanted)


async def test_what_is_not_searched_is_not_offered(editor: Editor, project: Path):
    await check(editor, project, {"name": "authors"}, [])


async def test_a_place_leads_to_the_definition_around_it(editor: Editor, project: Path):
    text = (project / "web/auth.py").read_text().splitlines()
    line = next(number for number, item in enumerate(text) if item.startswith("def ")) + 1
    name = text[line - 1].removeprefix("def ").partition("(")[0]
    at = {"line": line, "character": 4}
    uri = uri_from_path(project / "web/auth.py")
    params = {"location": {"uri": uri, "range": {"start": at, "end": at}}}
    await check(editor, project, params, [f"symbol {name}"])
    top = {"line": 0, "character": 0}
    params = {"location": {"uri": uri, "range": {"start": top, "end": top}}}
    await check(editor, project, params, [])
