"""The page on the protocol describes every message with each of its fields."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from pydantic.alias_generators import to_camel

from lsp_server import document_messages, protocol
from lsp_server.message import CommandType, NotificationType, RequestType, WireMessage

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
STANDARD_TYPES = {"WireMessage", "WirePosition", "WireRange"}
"""The base class, and what is the Language Server Protocol's own."""

DECLARED = (vars(protocol) | vars(document_messages)).values()
MESSAGES = {
    model.__name__: model
    for model in DECLARED
    if isinstance(model, type)
    and issubclass(model, WireMessage)
    and model.__name__ not in STANDARD_TYPES
}
NAMES = [
    *(item.method for item in DECLARED if isinstance(item, RequestType | NotificationType)),
    *(item.name for item in DECLARED if isinstance(item, CommandType)),
]


@pytest.mark.parametrize("name", sorted(MESSAGES))
def test_the_page_lists_every_field(name: str):
    section = re.search(rf"`{name}`\)?:? (.*?)\.?$", PAGE, re.MULTILINE)
    assert section, f"docs/protocol.md does not describe {name}"
    listed = set(re.findall(r"`(\w+)`", section[1]))
    assert listed == {to_camel(field) for field in MESSAGES[name].model_fields}


@pytest.mark.parametrize("name", NAMES)
def test_names_follow_the_rule_and_are_documented(name: str):
    assert re.fullmatch(r"scope[/.][a-z][A-Za-z]+", name)
    assert f"`{name}`" in PAGE


def test_no_client_command_has_a_servers_name():
    package = json.loads((ROOT / "client-vscode" / "package.json").read_text(encoding="utf-8"))
    commands = [item["command"] for item in package["contributes"]["commands"]]
    assert commands
    assert all(command.startswith("scope.ui.") for command in commands)


def test_every_event_is_documented():
    events = (ROOT / "analysis" / "events.py").read_text(encoding="utf-8")
    kinds = set(re.findall(r'type: Literal\["(\w+)"\]', events)) | {"failed"}
    assert kinds == set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
