"""References and call hierarchy: in source files on request, on the links of documents always."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from analysis.workspace.paths import path_from_uri, uri_from_path
from lsp_server import protocol
from tests.lsp.session import Editor, editing

pytestmark = pytest.mark.asyncio(loop_scope="module")

FILES = {
    "auth.py": '''def check_password(name, password):
    """Compare a password with the stored one."""
    return digest(password) > 3


def digest(text):
    return len(text)


class Session:
    def open(self, name):
        greeting = "😀é"; return check_password(greeting, name)
''',
    "views.py": '''from auth import Session, check_password


def login(request):
    """Sign a user in."""
    if check_password(request.name, "a"):
        return check_password(request.name, "b")
    return Session().open(request.name)


READY = check_password("x", "y")
''',
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    for name, text in FILES.items():
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def editor(project: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    options = {"editor": {"references": ["python"]}}
    home = tmp_path_factory.mktemp("home")
    async with editing(home, project, options=options) as client:
        await client.ready()
        yield client


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def spot(root: Path, path: str, marked: str) -> tuple[str, types.Position]:
    """The place of ``$0`` in a line that reads ``marked`` without it."""
    line_text, column = marked.replace("$0", ""), marked.index("$0")
    lines = (root / path).read_text(encoding="utf-8").split("\n")
    line = next(n for n, line in enumerate(lines) if line_text in line)
    before = lines[line][: lines[line].index(line_text) + column]
    return uri_from_path(str(root / path)), types.Position(line, units(before))


def shown(root: Path, uri: str, where: types.Range) -> str:
    """What a range covers in the file, as ``path:line text``."""
    path = path_from_uri(uri)
    line = path.read_text(encoding="utf-8").split("\n")[where.start.line]
    encoded = line.encode("utf-16-le")
    text = encoded[2 * where.start.character : 2 * where.end.character].decode("utf-16-le")
    return f"{path.relative_to(root).as_posix()}:{where.start.line + 1} {text}"


async def references(
    editor: Editor, root: Path, uri: str, position: types.Position, *, declared: bool = False
) -> list[str] | None:
    found = await editor.request(
        types.TEXT_DOCUMENT_REFERENCES,
        types.ReferenceParams(
            types.ReferenceContext(include_declaration=declared),
            types.TextDocumentIdentifier(uri),
            position,
        ),
    )
    return None if found is None else [shown(root, item.uri, item.range) for item in found]


async def items_at(
    editor: Editor, uri: str, position: types.Position
) -> list[types.CallHierarchyItem]:
    params = types.CallHierarchyPrepareParams(types.TextDocumentIdentifier(uri), position)
    found = await editor.request(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, params)
    return list(found or [])


async def calls(
    editor: Editor, root: Path, item: types.CallHierarchyItem, *, incoming: bool
) -> dict[str, list[str]]:
    """The items at the other end, each with what its calls cover in the calling file."""
    if incoming:
        into = await editor.request(
            types.CALL_HIERARCHY_INCOMING_CALLS, types.CallHierarchyIncomingCallsParams(item)
        )
        ends = [(call.from_, call.from_, call.from_ranges) for call in into or []]
    else:
        out = await editor.request(
            types.CALL_HIERARCHY_OUTGOING_CALLS, types.CallHierarchyOutgoingCallsParams(item)
        )
        ends = [(call.to, item, call.from_ranges) for call in out or []]
    return {
        other.name: [shown(root, caller.uri, where) for where in ranges]
        for other, caller, ranges in ends
    }


USES = [
    "auth.py:12 check_password",
    "views.py:1 check_password",
    "views.py:6 check_password",
    "views.py:7 check_password",
    "views.py:11 check_password",
]


@pytest.mark.parametrize(
    ("path", "marked"),
    [
        ("auth.py", "def $0check_password"),
        ("auth.py", "return check_password$0(greeting"),
        ("views.py", "import Session, check_$0password"),
    ],
)
async def test_references_from_a_definition_and_from_uses(
    editor: Editor, project: Path, path: str, marked: str
):
    found = await references(editor, project, *spot(project, path, marked))
    assert sorted(found or []) == sorted(USES)


async def test_the_declaration_is_listed_on_request(editor: Editor, project: Path):
    where = spot(project, "views.py", "if $0check_password")
    found = await references(editor, project, *where, declared=True)
    assert found is not None
    assert found[0] == "auth.py:1 check_password"
    assert sorted(found[1:]) == sorted(USES)


@pytest.mark.parametrize("marked", ['"""Sign a $0user', 'request.name, $0"a"', '"x", $0"y"'])
async def test_nothing_is_found_where_no_name_stands(editor: Editor, project: Path, marked: str):
    uri, position = spot(project, "views.py", marked)
    assert not await references(editor, project, uri, position)
    assert await items_at(editor, uri, position) == []


async def test_call_hierarchy_in_both_directions(editor: Editor, project: Path):
    (item,) = await items_at(editor, *spot(project, "views.py", "if check$0_password"))
    assert (item.name, item.kind) == ("check_password", types.SymbolKind.Function)
    assert shown(project, item.uri, item.selection_range) == "auth.py:1 check_password"
    assert (item.range.start.line, item.range.end.line) == (0, 2)
    assert await calls(editor, project, item, incoming=True) == {
        "Session.open": ["auth.py:12 check_password"],
        "login": ["views.py:6 check_password", "views.py:7 check_password"],
        "views.py": ["views.py:11 check_password"],
    }
    assert await calls(editor, project, item, incoming=False) == {"digest": ["auth.py:3 digest"]}
    (login,) = await items_at(editor, *spot(project, "views.py", "def lo$0gin"))
    assert await calls(editor, project, login, incoming=True) == {}
    assert await calls(editor, project, login, incoming=False) == {
        "check_password": ["views.py:6 check_password", "views.py:7 check_password"],
        "Session": ["views.py:8 Session"],
        "Session.open": ["views.py:8 open"],
    }


async def test_the_call_hierarchy_goes_on_from_its_own_items(editor: Editor, project: Path):
    (item,) = await items_at(editor, *spot(project, "auth.py", "def di$0gest"))
    into = await editor.request(
        types.CALL_HIERARCHY_INCOMING_CALLS, types.CallHierarchyIncomingCallsParams(item)
    )
    (above,) = [call.from_ for call in into]
    further = await editor.request(
        types.CALL_HIERARCHY_INCOMING_CALLS, types.CallHierarchyIncomingCallsParams(above)
    )
    by_name = {call.from_.name: call.from_ for call in further}
    assert set(by_name) == {"Session.open", "login", "views.py"}
    file = types.CallHierarchyIncomingCallsParams(by_name["views.py"])
    assert not await editor.request(types.CALL_HIERARCHY_INCOMING_CALLS, file)


async def test_positions_follow_an_unsaved_buffer(editor: Editor, project: Path):
    """A use behind characters that take two units, moved down by unsaved lines."""
    file = project / "auth.py"
    uri = editor.open(file)
    start = types.Range(types.Position(0, 0), types.Position(0, 0))
    editor.edit(uri, 2, start, "import os\n\n")
    wanted = spot(project, "views.py", "if $0check_password")
    params = types.ReferenceParams(
        types.ReferenceContext(include_declaration=True),
        types.TextDocumentIdentifier(wanted[0]),
        wanted[1],
    )
    found = await editor.request(types.TEXT_DOCUMENT_REFERENCES, params)
    column = units('        greeting = "😀é"; return ')
    inside = [item.range for item in found if item.uri == uri]
    assert inside == [
        types.Range(types.Position(2, 4), types.Position(2, 18)),
        types.Range(types.Position(13, column), types.Position(13, column + 14)),
    ]
    editor.text_document_did_close(
        types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
    )


async def test_a_documents_links_stand_for_what_they_cite(editor: Editor, project: Path):
    result = await editor.ask("How does check_password work?")
    text = result["markdown"]
    uri = result["documentUri"]
    document = path_from_uri(uri)
    editor.open(document, text, language="markdown")
    lines = text.split("\n")
    line = next(n for n, line in enumerate(lines) if "auth.py#L1-L3)" in line)
    position = types.Position(line, units(lines[line][: lines[line].index("auth.py#L1")]))
    assert sorted(await references(editor, project, uri, position) or []) == sorted(USES)
    (item,) = await items_at(editor, uri, position)
    assert item.name == "check_password"
    assert not await references(editor, project, uri, types.Position(0, 0))


async def test_uses_come_with_a_word_on_whether_they_are_all(editor: Editor, project: Path):
    uri, position = spot(project, "auth.py", "def $0digest")
    wanted = {"uri": uri, "position": {"line": position.line, "character": position.character}}
    found = await editor.request(protocol.USES.method, wanted)
    assert found["symbol"] == "digest"
    assert (found["complete"], found["unverified"]) == (True, [])
    (use,) = found["references"]
    assert use["range"]["start"] == {"line": 2, "character": 11}
    nothing = await editor.request(
        protocol.USES.method, {"uri": uri, "position": {"line": 0, "character": 3}}
    )
    assert (nothing["references"], nothing["complete"]) == ([], False)
    with pytest.raises(JsonRpcException) as refused:
        await editor.request(protocol.USES.method, {"uri": uri})
    assert refused.value.code == -32602


async def test_a_search_can_be_cancelled(editor: Editor, project: Path):
    uri, position = spot(project, "auth.py", "def $0check_password")
    params: dict[str, Any] = {
        "uri": uri,
        "position": {"line": position.line, "character": position.character},
    }
    request = asyncio.ensure_future(editor.request(protocol.USES.method, params, "to-cancel"))
    await asyncio.sleep(0)
    editor.cancel_request(types.CancelParams("to-cancel"))
    answers = await asyncio.gather(request, return_exceptions=True)
    answer: Any = answers[0]
    if isinstance(answer, JsonRpcException):
        assert answer.code == -32800
    else:
        assert answer["symbol"] == "check_password"  # it was faster than we
    assert await references(editor, project, uri, position)


async def test_source_files_are_left_to_their_language_server(tmp_path: Path, project: Path):
    async with editing(tmp_path, project, editor="neovim") as editor:
        await editor.ready()
        uri, position = spot(project, "auth.py", "def $0check_password")
        assert await references(editor, project, uri, position) is None
        assert await items_at(editor, uri, position) == []


async def test_an_editor_is_told_where_it_may_ask(tmp_path: Path, project: Path):
    def announced(editor: Editor, method: str) -> list[str]:
        """The file patterns of the registrations that stand."""
        return [
            options["documentSelector"][0]["pattern"]
            for item in editor.registrations
            if item.method == method and (options := item.register_options)
        ]

    async with editing(tmp_path, project) as editor:
        await editor.ready()
        method = types.TEXT_DOCUMENT_REFERENCES
        await editor.until(lambda: announced(editor, method), "the registration")
        for each in (method, types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY):
            assert announced(editor, each) == ["**/*.{md}"]
        editor.set_configuration({"scope": {"editor": {"references": ["python"]}}})
        editor.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
        await editor.until(lambda: "py" in "".join(announced(editor, method)), "another one")
        assert len(announced(editor, method)) == 1
        uri, position = spot(project, "auth.py", "def $0check_password")
        assert sorted(await references(editor, project, uri, position) or []) == sorted(USES)
