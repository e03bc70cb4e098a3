"""What the editor shows is what is searched and cited: buffers, columns, folders, settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from analysis.workspace.paths import path_from_uri, uri_from_path
from lsp_server import protocol
from tests.lsp.session import Editor, editing

TARGET = '''def helper():
    """Do nothing of note."""


def frobnicate(value):
    """Frobnicate a value twice."""
    return value * 2
'''


def at(line: int, character: int, end: int | None = None) -> types.Range:
    """A range on one line, 0-based as the protocol counts."""
    return types.Range(
        types.Position(line, character), types.Position(line, character if end is None else end)
    )


async def cited(editor: Editor, question: str, name: str) -> tuple[str, int, int]:
    """The place that an answer cites for a symbol."""
    result = await editor.ask(question)
    for reference in result["references"]:
        if reference.get("symbol") == name:
            return reference["path"], reference["lineStart"], reference["lineEnd"]
    raise AssertionError(f"{name} is not cited: {result['references']}")


async def test_an_unsaved_buffer_wins_while_it_is_open(tmp_path: Path):
    root = tmp_path / "code"
    root.mkdir()
    file = root / "m.py"
    file.write_text(TARGET)
    async with editing(tmp_path, root) as editor:
        await editor.ready()
        question = "What does frobnicate do?"
        assert await cited(editor, question, "frobnicate") == ("m.py", 5, 7)
        uri = editor.open(file)
        editor.edit(uri, 2, at(0, 0), "import os\nimport re\n\n")
        assert await cited(editor, question, "frobnicate") == ("m.py", 8, 10)
        editor.edit(uri, 3, at(8, 8), "")
        editor.edit(uri, 4, at(7, 4, 14), "quuxify")
        assert await cited(editor, "What does quuxify do?", "quuxify") == ("m.py", 8, 10)
        editor.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
        )
        assert await cited(editor, question, "frobnicate") == ("m.py", 5, 7)
        file.write_text("# new\n" + TARGET)
        watched(editor, file)
        assert await cited(editor, question, "frobnicate") == ("m.py", 6, 8)


def watched(editor: Editor, *files: Path) -> None:
    editor.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams(
            [
                types.FileEvent(uri_from_path(str(file)), types.FileChangeType.Changed)
                for file in files
            ]
        )
    )


async def test_columns_after_an_emoji_mean_the_same_symbol(tmp_path: Path):
    root = tmp_path / "code"
    root.mkdir()
    file = root / "m.py"
    file.write_text("def target():\n    pass\n\n\ndef f():\n    pass\n")
    async with editing(tmp_path, root) as editor:
        uri = editor.open(file)
        line = '    s = "😀é"; target()'
        editor.edit(uri, 2, at(5, 0, 8), line)
        column = len(line[: line.index("target")].encode("utf-16-le")) // 2
        titles = await action_titles(editor, uri, at(5, column + 2))
        assert "Scope: Ask about `target`" in titles
        editor.edit(uri, 3, at(5, column, column + 6), "helper")
        titles = await action_titles(editor, uri, at(5, column + 1))
        assert "Scope: Ask about `helper`" in titles


async def actions(
    editor: Editor, uri: str, where: types.Range, **context: list[types.Diagnostic]
) -> list[types.CodeAction]:
    result = await editor.request(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionParams(
            types.TextDocumentIdentifier(uri),
            where,
            types.CodeActionContext(diagnostics=context.get("diagnostics", [])),
        ),
    )
    return list(result or [])


async def action_titles(editor: Editor, uri: str, where: types.Range) -> list[str]:
    return [action.title for action in await actions(editor, uri, where)]


async def test_code_actions_ask_with_the_symbols_location(tmp_path: Path):
    root = tmp_path / "code"
    root.mkdir()
    file = root / "m.py"
    file.write_text(TARGET + "\n\nresult = frobnicate(3)\n")
    async with editing(tmp_path, root) as editor:
        await editor.ready()
        uri = editor.open(file)
        problem = types.Diagnostic(range=at(9, 0, 6), message="result is never used")
        offered = await actions(editor, uri, at(9, 9, 19), diagnostics=[problem])
        assert [action.title for action in offered] == [
            "Scope: Explain this problem: result is never used",
            "Scope: Ask about the selection",
            "Scope: Ask about `frobnicate`",
            "Scope: Who uses `frobnicate`?",
        ]
        assert all(action.command is None for action in offered)
        users = await editor.request(types.CODE_ACTION_RESOLVE, offered[-1])
        assert users.command.command == protocol.COMMAND_USES.name
        n_shown = len(editor.shown_documents)
        await editor.command(users.command.command, *users.command.arguments)
        await editor.until(lambda: len(editor.shown_documents) > n_shown, "the answer opens")
        text = path_from_uri(editor.shown_documents[-1].uri).read_text(encoding="utf-8")
        assert "m.py:10" in text


async def test_code_actions_are_silent_in_prose_and_on_keywords(tmp_path: Path):
    root = tmp_path / "code"
    root.mkdir()
    (root / "a.md").write_text("# Title\n")
    (root / "a.py").write_text("return\n")
    async with editing(tmp_path, root) as editor:
        markdown = editor.open(root / "a.md", language="markdown")
        assert await actions(editor, markdown, at(0, 3)) == []
        python = editor.open(root / "a.py")
        assert await actions(editor, python, at(0, 3)) == []


async def test_several_folders_are_one_code_base(tmp_path: Path):
    front, back = tmp_path / "front", tmp_path / "back"
    for folder, name in ((front, "render_page"), (back, "store_order")):
        folder.mkdir()
        (folder / "app.py").write_text(f'def {name}():\n    """The job of {folder.name}."""\n')
    async with editing(tmp_path, front, back) as editor:
        await editor.ready()
        result = await editor.ask("Where is store_order?")
        first = result["references"][0]
        assert first["path"] == "back/app.py"
        assert path_from_uri(first["uri"]) == back / "app.py"
        assert all(".." not in ref["path"] for ref in result["references"])
        extra = tmp_path / "extra"
        extra.mkdir()
        (extra / "app.py").write_text('def ship_order():\n    """Send it."""\n')
        change_folders(editor, added=[extra], removed=[back])
        await editor.ready(2)
        result = await editor.ask("Where is ship_order?")
        assert path_from_uri(result["references"][0]["uri"]) == extra / "app.py"
        gone = await editor.ask("Where is store_order?")
        assert all("back" not in ref["path"] for ref in gone["references"])


def change_folders(editor: Editor, *, added: list[Path], removed: list[Path]) -> None:
    def as_folders(paths: list[Path]) -> list[types.WorkspaceFolder]:
        return [types.WorkspaceFolder(uri_from_path(str(path)), path.name) for path in paths]

    editor.workspace_did_change_workspace_folders(
        types.DidChangeWorkspaceFoldersParams(
            types.WorkspaceFoldersChangeEvent(as_folders(added), as_folders(removed))
        )
    )


async def test_references_of_a_document_link_define_and_hover(tmp_path: Path):
    root = tmp_path / "code"
    root.mkdir()
    file = root / "m.py"
    file.write_text(TARGET)
    async with editing(tmp_path, root) as editor:
        await editor.ready()
        result = await editor.ask("What does frobnicate do?")
        document = path_from_uri(result["documentUri"])
        uri = editor.open(document, language="markdown")
        links = await editor.request(
            types.TEXT_DOCUMENT_DOCUMENT_LINK,
            types.DocumentLinkParams(types.TextDocumentIdentifier(uri)),
        )
        target = uri_from_path(str(file)) + "#L5-L7"
        link = next(link for link in links if link.target == target)
        place = (types.TextDocumentIdentifier(uri), link.range.start)
        location = await editor.request(
            types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams(*place)
        )
        assert path_from_uri(location.uri) == file
        assert (location.range.start.line, location.range.end.line) == (4, 6)
        hover = await hover_text(editor, *place)
        assert "The code is what was cited" in hover
        assert "def frobnicate(value)" in hover
        assert "return value * 2" in hover
        file.write_text("import os\n\n" + TARGET)
        watched(editor, file)
        hover = await hover_text(editor, *place)
        assert "moved" in hover
        assert "m.py:7-9" in hover
        file.write_text("import os\n")
        watched(editor, file)
        hover = await hover_text(editor, *place)
        assert "gone" in hover


async def hover_text(
    editor: Editor, document: types.TextDocumentIdentifier, position: types.Position
) -> str:
    params = types.HoverParams(document, position)
    return str((await editor.request(types.TEXT_DOCUMENT_HOVER, params)).contents.value)


async def test_ordinary_markdown_is_left_alone(tmp_path: Path):
    root = tmp_path / "code"
    root.mkdir()
    (root / "notes.md").write_text("---\ntitle: x\n---\n[a](m.py#L1)\n")
    async with editing(tmp_path, root) as editor:
        uri = editor.open(root / "notes.md", language="markdown")
        links = await editor.request(
            types.TEXT_DOCUMENT_DOCUMENT_LINK,
            types.DocumentLinkParams(types.TextDocumentIdentifier(uri)),
        )
        assert not links


async def test_bad_settings_are_shown_and_ignored(tmp_path: Path):
    root = tmp_path / "code"
    root.mkdir()
    (root / "m.py").write_text(TARGET)
    options = {"answer": {"topK": "many"}}
    async with editing(tmp_path, root, options=options) as editor:
        await editor.until(lambda: editor.messages, "the warning")
        assert "'answer.top_k' was ignored" in editor.messages[0].message
        assert (await editor.ask("What does frobnicate do?"))["references"]


@pytest.mark.parametrize("editor_name", ["visual-studio-code", "neovim"])
async def test_settings_change_at_run_time(tmp_path: Path, editor_name: str):
    root = tmp_path / "code"
    root.mkdir()
    (root / "m.py").write_text(TARGET)
    async with editing(tmp_path, root, editor=editor_name) as editor:
        await editor.ready()
        new = {"answer": {"mode": "oflline"}}
        editor.set_configuration({"scope": new})
        editor.workspace_did_change_configuration(
            types.DidChangeConfigurationParams({"scope": new})
        )
        message = await editor.until(
            lambda: next((m for m in editor.messages if "answer.mode" in m.message), None),
            "the warning about the mode",
        )
        assert "was ignored" in message.message


async def test_only_changed_files_are_read_again(tmp_path: Path):
    root = tmp_path / "code"
    root.mkdir()
    for number in range(20):
        (root / f"m{number}.py").write_text(f"def f{number}():\n    pass\n")
    async with editing(tmp_path, root) as editor:
        await editor.ready()
        first = await editor.ask("Where is f3?")
        assert first["stats"]["filesParsed"] == 0
        (root / "m3.py").write_text("\n\ndef f3():\n    pass\n")
        second = await editor.ask("Where is f3?")
        assert second["stats"]["filesParsed"] == 1
        assert second["references"][0]["lineStart"] == 3
