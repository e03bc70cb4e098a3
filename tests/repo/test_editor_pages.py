"""The pages on editors that cannot be run here say only what these editors and Scope know."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from lsp_server import document_messages, protocol
from lsp_server.message import CommandType

ROOT = Path(__file__).resolve().parents[2]

HELIX_SERVER = {"command", "args", "config", "timeout", "environment", "required-root-patterns"}
HELIX_LANGUAGE = {"name", "language-servers", "roots", "file-types"}
ZED_EXTENSION = {"id", "name", "version", "schema_version", "authors", "language_servers"}
ZED_SERVER = {"name", "language", "languages", "language_ids", "code_action_kinds"}
COMMANDS = {
    item.name
    for item in (*vars(protocol).values(), *vars(document_messages).values())
    if isinstance(item, CommandType)
}


def page(name: str) -> str:
    return (ROOT / "docs" / "editors" / name).read_text("utf-8")


def tables(text: str) -> list[dict[str, Any]]:
    return [tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL)]


def test_helix_knows_the_keys_of_its_page():
    languages, keys = tables(page("helix.md"))
    (server,) = languages["language-server"].values()
    assert set(server) <= HELIX_SERVER
    assert (
        server["command"]
        in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    )
    for language in languages["language"]:
        assert set(language) <= HELIX_LANGUAGE
        assert "scope" in language["language-servers"]
    assert all(value.startswith("@:") for value in keys["keys"]["normal"]["space"].values())


def test_scope_takes_the_commands_of_the_page_on_helix():
    text = page("helix.md")
    named = re.findall(r":lsp-workspace-command ([\w.]+)(?: (\{.*?\}))?", text)
    assert {name for name, _ in named} <= COMMANDS
    assert [name for name, given in named if given] == ["scope.ask", "scope.ask"]
    asked, to_fill_in = (json.loads(given) for _, given in named if given)
    assert protocol.AskParams.parse(asked).question == "How does authentication work?"
    assert to_fill_in == {"question": ""}


def test_zed_knows_the_keys_of_its_page():
    extension, cargo = tables(page("zed.md"))
    assert set(extension) <= ZED_EXTENSION
    (server,) = extension["language_servers"].values()
    assert set(server) <= ZED_SERVER
    assert cargo["lib"]["crate-type"] == ["cdylib"]
