"""Context documents follow each edit of the code that they cite, in every LSP editor."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.workspace import PositionCodec

from analysis.workspace.paths import path_from_uri, uri_from_path
from lsp_server import document_messages
from lsp_server.locations import offset_from, split_lines
from tests.lsp.session import Editor, editing
from tests.lsp.test_editing import actions, at, hover_text, watched

MODULE = '''def helper():
    """Do nothing of note."""


def frobnicate(value):
    """Frobnicate a value twice."""
    return value * 2
'''
FROBNICATE = MODULE[MODULE.index("def frobnicate") :]
QUESTION = "What does frobnicate do?"


class Answered:
    """A code base with one module and a saved answer about it, in an editor."""

    def __init__(self, editor: Editor, root: Path, document: Path) -> None:
        self.editor, self.root, self.document = editor, root, document
        self.uri = uri_from_path(document)
        self.file = root / "m.py"
        self.code = editor.open(self.file)
        self._version = 1

    def show(self, text: str, uri: str | None = None) -> None:
        """Edit an open file, without saving it: the module if none is named."""
        self._version += 1
        self.editor.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self._version, uri or self.code),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def pulled(self) -> list[types.Diagnostic]:
        """The diagnostics of the document as a client pulls them."""
        params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(self.uri))
        return list((await self.editor.request(types.TEXT_DOCUMENT_DIAGNOSTIC, params)).items)

    async def pushed(self, *codes: str) -> list[types.Diagnostic]:
        """Wait for diagnostics of these kinds to be pushed."""

        def come() -> bool:
            items = self.editor.diagnostics.get(self.uri, [])
            return {item.code for item in items} == set(codes)

        await self.editor.until(come, f"diagnostics {codes}")
        return list(self.editor.diagnostics.get(self.uri, []))

    async def check_link(self, lines: tuple[int, int] | None, hover: str) -> None:
        """Compare all that is shown of the link to frobnicate."""
        place = (types.TextDocumentIdentifier(self.uri), (await self.link_range()).start)
        location = await self.editor.request(
            types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams(*place)
        )
        text = await hover_text(self.editor, *place)
        assert hover in text
        (link,) = [item for item in await self.links() if item.range == await self.link_range()]
        target = uri_from_path(self.file)
        verified = await self.editor.request(
            document_messages.VERIFY.method, {"documentUri": self.uri}
        )
        (wire,) = {
            (item["lineStart"], item["lineEnd"], item["isLost"])
            for item in verified["links"]
            if item["target"].endswith("m.py#L5-L7")
        }
        if lines is None:
            assert location is None
            assert "```" not in text
            assert link.target == target
            assert wire[2]
            return
        start, end = location.range.start.line + 1, location.range.end.line + 1
        assert (start, end) == lines
        assert "def frobnicate" in text
        assert link.target == f"{target}#L{lines[0]}-L{lines[1]}"
        assert wire == (*lines, False)

    async def links(self) -> list[types.DocumentLink]:
        params = types.DocumentLinkParams(types.TextDocumentIdentifier(self.uri))
        return list(await self.editor.request(types.TEXT_DOCUMENT_DOCUMENT_LINK, params))

    async def link_range(self) -> types.Range:
        """Where the first link to frobnicate stands in the document."""
        text = self.document.read_text()
        start = text.index("[m.py:5-7](")
        line = text.count("\n", 0, start)
        column = start - text.rfind("\n", 0, start) - 1
        return at(line, column, column + text.index(")", start) + 1 - start)


async def answered(editor: Editor, root: Path, **params: Any) -> Answered:
    """Ask about the module, and return the answer."""
    await editor.ready()
    result = await editor.ask(QUESTION, **params)
    return Answered(editor, root, path_from_uri(result["documentUri"]))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "m.py").write_text(MODULE)
    return folder


async def test_diagnostics_are_pushed_for_documents_that_are_not_open(tmp_path: Path, root: Path):
    async with editing(tmp_path, root, editor="neovim") as editor:
        answer = await answered(editor, root)
        answer.show("# 1\n# 2\n" + MODULE)
        (found, *_) = [d for d in await answer.pushed("moved") if "7-9" in d.message]
        assert found.range == await answer.link_range()
        assert found.message == "→ The cited code has moved. Now: m.py:7-9"
        assert (found.source, found.severity) == ("scope", types.DiagnosticSeverity.Hint)
        answer.show(MODULE.replace("value * 2", "value * 3"))
        await answer.pushed("changed")
        answer.show(MODULE.replace(FROBNICATE, ""))
        (found, *_) = await answer.pushed("gone")
        assert found.severity == types.DiagnosticSeverity.Hint
        answer.show(MODULE)
        await answer.pushed()
        assert not editor.registrations or all("diag" not in r.id for r in editor.registrations)


async def test_a_client_that_pulls_is_told_to_pull_again(tmp_path: Path, root: Path):
    options = {"client": {"documentStates": True}}
    async with editing(tmp_path, root, options=options) as editor:
        answer = await answered(editor, root)
        editor.open(answer.document, language="markdown")
        (registration,) = [r for r in editor.registrations if r.id == "scope-diagnostics"]
        assert "md" in str(registration.register_options)
        assert await answer.pulled() == []
        n_refreshed = editor.diagnostic_refresh_count
        answer.show("# 1\n" + MODULE)
        await editor.until(lambda: editor.diagnostic_refresh_count > n_refreshed, "a refresh")
        assert {item.code for item in await answer.pulled()} == {"moved"}
        state = editor.document_states[answer.uri]
        assert state["summary"].endswith("moved")
        assert not editor.diagnostics.get(answer.uri)
        assert all(item.related_information for item in await answer.pulled())


async def test_the_workspace_is_pulled_and_waits_for_news(tmp_path: Path, root: Path):
    async with editing(tmp_path, root) as editor:
        answer = await answered(editor, root)
        answer.show("# 1\n" + MODULE)
        await answer.pushed("moved")
        pull = types.WorkspaceDiagnosticParams([])
        (first,) = (await editor.request(types.WORKSPACE_DIAGNOSTIC, pull)).items
        assert {item.code for item in first.items} == {"moved"}
        await answer.pushed()
        known = types.WorkspaceDiagnosticParams(
            [types.PreviousResultId(first.uri, first.result_id)]
        )
        waiting = asyncio.ensure_future(editor.request(types.WORKSPACE_DIAGNOSTIC, known))
        assert await answer.links() == []
        assert not waiting.done()
        answer.show(MODULE)
        (second,) = (await waiting).items
        assert not second.items


async def test_links_hover_and_go_to_follow_the_code(tmp_path: Path, root: Path):
    async with editing(tmp_path, root) as editor:
        answer = await answered(editor, root)
        editor.open(answer.document, language="markdown")
        await answer.check_link((5, 7), "The code is what was cited")
        answer.show("import os\n\n" + MODULE)
        await answer.check_link((7, 9), "moved. Now: m.py:7-9")
        answer.show("\n" + MODULE.replace("value * 2", "value * 3"))
        await answer.check_link((6, 8), "changed since. Now: m.py:6-8")
        answer.show(MODULE.replace(FROBNICATE, "def other():\n    return 1\n"))
        await answer.check_link(None, "gone")


async def test_go_to_on_a_name_between_backticks(tmp_path: Path, root: Path):
    async with editing(tmp_path, root) as editor:
        answer = await answered(editor, root)
        uri = editor.open(answer.document, language="markdown")
        text = answer.document.read_text() + "\nSee `helper()`, `m.helper` and `nothing_like_it`.\n"
        answer.show(text, uri)
        line = text.count("\n") - 1
        for column, expected in ((6, [0]), (17, [0]), (33, None), (1, None)):
            found = await editor.request(
                types.TEXT_DOCUMENT_DEFINITION,
                types.DefinitionParams(
                    types.TextDocumentIdentifier(uri), types.Position(line, column)
                ),
            )
            assert (found and [place.range.start.line for place in found]) == expected


async def fixed(answer: Answered, text: str, title: str) -> str:
    """The document's text after a quick fix on its link to frobnicate."""
    where = await answer.link_range()
    offered = await actions(answer.editor, answer.uri, where, diagnostics=await answer.pulled())
    (action,) = [action for action in offered if action.title == title]
    if action.edit is None:
        action = await answer.editor.request(types.CODE_ACTION_RESOLVE, action)
    assert action.edit is not None
    return edited(text, action.edit, answer.uri)


def edited(text: str, edit: types.WorkspaceEdit, uri: str) -> str:
    """A text after an edit, as an editor applies it."""
    assert edit.changes is not None
    lines, codec = split_lines(text), PositionCodec()
    for change in sorted(edit.changes[uri], key=lambda c: c.range.start, reverse=True):
        start, end = (offset_from(lines, p, codec) for p in (change.range.start, change.range.end))
        text = text[:start] + str(getattr(change, "new_text", "")) + text[end:]
    return text


async def test_a_moved_reference_is_updated_by_a_quick_fix(tmp_path: Path, root: Path):
    async with editing(tmp_path, root) as editor:
        answer = await answered(editor, root)
        uri = editor.open(answer.document, language="markdown")
        text = answer.document.read_text()
        answer.show("# 1\n# 2\n" + MODULE)
        one = await fixed(answer, text, "Update reference to 7-9")
        assert "[m.py:7-9](../m.py#L7-L9)" in one
        assert "m.py:5-7" not in one
        every = await fixed(answer, text, "Update all moved references")
        answer.show(every, uri)
        assert await answer.pulled() == []
        assert await actions(editor, uri, at(0, 0)) == []


async def test_changed_code_is_marked_as_reviewed(tmp_path: Path, root: Path):
    async with editing(tmp_path, root) as editor:
        answer = await answered(editor, root)
        uri = editor.open(answer.document, language="markdown")
        text = answer.document.read_text()
        answer.show("# 1\n" + MODULE.replace("value * 2", "value * 3"))
        reviewed = await fixed(answer, text, "Mark as reviewed")
        assert "[m.py:6-8](../m.py#L6-L8)" in reviewed
        answer.show(reviewed, uri)
        assert await answer.pulled() == []
        answer.show("# 1\n" + MODULE)
        assert {item.code for item in await answer.pulled()} == {"changed"}


async def test_a_link_that_was_added_by_hand_is_reviewed(tmp_path: Path, root: Path):
    async with editing(tmp_path, root) as editor:
        answer = await answered(editor, root)
        uri = editor.open(answer.document, language="markdown")
        text = answer.document.read_text()
        added = text.replace("## Code References", "[it](../m.py#L1-L2)\n\n## Code References")
        answer.show(added, uri)
        (found,) = await answer.pulled()
        assert found.code == "edited"
        (action, *_) = await actions(editor, uri, found.range, diagnostics=[found])
        assert action.title == "Mark as reviewed"
        action = await editor.request(types.CODE_ACTION_RESOLVE, action)
        answer.show(edited(added, action.edit, uri), uri)
        assert {item.severity for item in await answer.pulled()} <= {types.DiagnosticSeverity.Hint}


async def test_a_document_without_its_block_is_not_verifiable(tmp_path: Path, root: Path):
    async with editing(tmp_path, root) as editor:
        answer = await answered(editor, root)
        uri = editor.open(answer.document, language="markdown")
        text = answer.document.read_text()
        bare = text[: text.index("<!-- scope:references")]
        answer.show(bare, uri)
        problem = (await answer.pulled())[0]
        assert "cannot be verified" in problem.message
        offered = await actions(editor, uri, problem.range, diagnostics=[problem])
        assert [a.title for a in offered] == ["Mark as reviewed", "Ask again"]
        action = await editor.request(types.CODE_ACTION_RESOLVE, offered[0])
        answer.show(edited(bare, action.edit, uri), uri)
        assert await answer.pulled() == []


async def test_the_question_is_asked_again(tmp_path: Path, root: Path):
    async with editing(tmp_path, root) as editor:
        answer = await answered(editor, root)
        uri = editor.open(answer.document, language="markdown")
        answer.show(MODULE.replace(FROBNICATE, FROBNICATE.replace("2", "3")))
        offered = await actions(editor, uri, await answer.link_range())
        again = (await editor.request(types.CODE_ACTION_RESOLVE, offered[-1])).command
        assert again is not None
        assert again.command == "scope.askAgain"
        arguments = list(again.arguments or [])
        assert arguments == [{"documentUri": uri, "question": QUESTION, "mode": "offline"}]
        n_shown = len(editor.shown_documents)
        await editor.command(again.command, *arguments)
        await editor.until(lambda: len(editor.shown_documents) > n_shown, "the answer opens")
        assert editor.shown_documents[-1].uri != uri


async def lenses(editor: Editor, uri: str) -> list[types.Command]:
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    found = await editor.request(types.TEXT_DOCUMENT_CODE_LENS, params)
    return [lens.command for lens in found]


async def test_the_lens_on_a_document_counts_and_updates(tmp_path: Path, root: Path):
    async with editing(tmp_path, root) as editor:
        answer = await answered(editor, root)
        assert await lenses(editor, editor.open(answer.document, language="markdown")) == []
        answer.show("# 1\n" + MODULE)
        counted, update, again = await lenses(editor, answer.uri)
        assert counted.title == "1 of 1 reference has moved"
        assert again.title == "Ask again"
        close = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(answer.uri))
        editor.text_document_did_close(close)
        moved = await editor.command(update.command, *(update.arguments or []))
        assert update.title == f"Update {moved} moved"
        assert "[m.py:6-8](../m.py#L6-L8)" in answer.document.read_text()
        assert "1 reference was updated" in editor.messages[-1].message


async def test_code_shows_which_answers_cite_it(tmp_path: Path, root: Path):
    options = {"editor": {"answerLens": True}}
    async with editing(tmp_path, root, options=options) as editor:
        answer = await answered(editor, root)
        answer.show("# 1\n" + MODULE)
        found = await lenses(editor, answer.code)
        assert {command.title for command in found} == {"1 answer"}
        offered = await actions(editor, answer.code, at(5, 6))
        (action,) = [a for a in offered if a.title == "Scope: Which answers cite this?"]
        action = await editor.request(types.CODE_ACTION_RESOLVE, action)
        cited = await editor.command(action.command.command, *action.command.arguments)
        assert cited["symbol"] == "frobnicate"
        assert [item["question"] for item in cited["answers"]] == [QUESTION]
        await editor.until(
            lambda: any(shown.uri == answer.uri for shown in editor.shown_documents),
            "the document is shown",
        )
        (root / "other.py").write_text("def lonely():\n    pass\n")
        other = editor.open(root / "other.py")
        assert await lenses(editor, other) == []
        titles = [a.title for a in await actions(editor, other, at(0, 6))]
        assert "Scope: Which answers cite this?" not in titles


async def test_documents_are_verified_by_command(tmp_path: Path, root: Path):
    async with editing(tmp_path, root, editor="neovim") as editor:
        answer = await answered(editor, root)
        docs = root / "docs"
        docs.mkdir()
        (docs / "kept.md").write_text(answer.document.read_text())
        said = await editor.command("scope.verifyAll")
        assert said.startswith("2 documents, ")
        assert said.endswith("all are what was cited.")
        answer.file.write_text("# new\n" + MODULE)
        editor.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(answer.code))
        )
        assert ", in 2 of 2 documents." in await editor.command("scope.verifyAll")
        await editor.until(
            lambda: editor.diagnostics.get(uri_from_path(docs / "kept.md")), "its diagnostics"
        )
        result = await editor.command("scope.verifyDocument", {"documentUri": answer.uri})
        assert result["counts"] == {"moved": result["moved"]}
        (docs / "kept.md").unlink()
        watched(editor, docs / "kept.md")
        await editor.until(
            lambda: not editor.diagnostics.get(uri_from_path(docs / "kept.md")), "their end"
        )


async def test_a_document_about_a_folder_or_one_of_several(tmp_path: Path, root: Path):
    """What was asked about a folder alone keeps its paths, whatever is open around it."""
    async with editing(tmp_path, root, editor="neovim") as editor:
        answer = await answered(editor, root)
    other = tmp_path / "other"
    other.mkdir()
    (other / "n.py").write_text("x = 1\n")
    for folders, prefix in (((tmp_path,), "code/"), ((root, other), "code/")):
        async with editing(tmp_path, *folders, editor="neovim") as editor:
            await editor.ready()
            params = {"documentUri": answer.uri}
            result = await editor.request(document_messages.VERIFY.method, params)
            assert set(result["counts"]) == {"ok"}
            code = editor.open(answer.file)
            moved = Answered(editor, root, answer.document)
            moved.show("# 1\n" + MODULE, code)
            (found, *_) = await moved.pushed("moved")
            assert f"Now: {prefix}m.py:" in found.message


async def test_nothing_is_claimed_of_a_document_about_other_code(tmp_path: Path, root: Path):
    async with editing(tmp_path, root, editor="neovim") as editor:
        answer = await answered(editor, root)
    other = tmp_path / "other"
    other.mkdir()
    (other / "n.py").write_text("x = 1\n")
    foreign = other / "foreign.md"
    foreign.write_text(answer.document.read_text())
    async with editing(tmp_path, other, editor="neovim") as editor:
        await editor.ready()
        uri = editor.open(foreign, language="markdown")
        assert "cannot be verified" not in str(await lenses(editor, uri))
        assert await lenses(editor, uri) == []
        assert not editor.diagnostics.get(uri)
