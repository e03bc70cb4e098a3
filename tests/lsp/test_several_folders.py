"""In a workspace of several folders a document lies with the code that it is about."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio

from analysis.workspace.paths import path_from_uri, uri_from_path
from tests.lsp.session import Editor, editing

FILES = {
    "front/basket.ts": "/** Shows the basket. */\nexport function showBasket() {\n  return 1;\n}\n",
    "front/README.md": "# The shop's pages\n",
    "back/orders.py": 'def place_order(basket):\n    """Place an order."""\n    return basket\n',
    "back/billing.py": "from orders import place_order\n\n\ndef bill():\n    place_order(1)\n",
}


@pytest_asyncio.fixture
async def editor(tmp_path: Path) -> AsyncIterator[Editor]:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    async with editing(tmp_path, tmp_path / "front", tmp_path / "back") as session:
        yield session


def at(path: Path, line: int) -> dict[str, Any]:
    here = {"line": line, "character": 0}
    return {"uri": uri_from_path(path), "range": {"start": here, "end": here}}


async def check(editor: Editor, folder: Path, question: str, **params: Any) -> dict[str, Any]:
    result = await editor.ask(question, **params)
    document = path_from_uri(result["documentUri"])
    assert document.parent == folder / ".scope"
    assert (folder / ".scope" / ".gitignore").read_text() == "*\n"
    assert editor.base_uris[result["runId"]] == uri_from_path(document.parent) + "/"
    for reference in result["references"]:
        file = path_from_uri(reference["uri"])
        assert file.is_file()
        label, _, rest = reference["path"].partition("/")
        way = f"../{rest}" if folder.name == label else f"../../{reference['path']}"
        assert f"]({way}#L" in result["markdown"]
    return result


async def test_it_lies_where_most_references_are(editor: Editor, tmp_path: Path):
    await check(editor, tmp_path / "back", "How is an order placed and billed?")
    await check(editor, tmp_path / "front", "How is the basket shown?")


async def test_the_code_is_read_before_its_folder_is_chosen(tmp_path: Path):
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    for number in range(1500):
        text = (
            f"/** Places order {number}. */\nexport function place{number}() {{\n  return 1;\n}}\n"
        )
        (tmp_path / "front" / f"place{number}.ts").write_text(text, encoding="utf-8")
    async with editing(tmp_path, tmp_path / "front", tmp_path / "back") as session:
        await check(session, tmp_path / "back", "How does bill() come to place_order()?")


async def test_it_lies_where_the_asker_is(editor: Editor, tmp_path: Path):
    where = at(tmp_path / "front" / "basket.ts", 1)
    await check(editor, tmp_path / "front", "Who places an order?", location=where)


async def test_it_lies_in_the_folder_that_is_attached(editor: Editor, tmp_path: Path):
    attached = [uri_from_path(tmp_path / "front")]
    await check(editor, tmp_path / "front", "How is an order placed and billed?", within=attached)


async def test_a_follow_up_lies_beside_the_earlier_answer(editor: Editor, tmp_path: Path):
    first = await check(editor, tmp_path / "back", "How is an order placed?")
    follow_up = first["documentUri"]
    await check(editor, tmp_path / "back", "How is the basket shown?", followUp=follow_up)


async def test_a_question_that_leads_nowhere_is_answered_in_the_first(
    editor: Editor, tmp_path: Path
):
    await check(editor, tmp_path / "front", "Zzyzx quux?")
