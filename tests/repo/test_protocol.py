"""The protocol's three places say the same: the server's models, the client's types, the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic.alias_generators import to_camel

from lsp_server import model_messages, protocol
from lsp_server.message import Message
from lsp_server.protocol import Protocol

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
CLIENT = (ROOT / "client-vscode" / "src" / "protocol.ts").read_text(encoding="utf-8")
STANDARD_TYPES = {"Message", "WirePosition", "WireRange"}
"""The base class, and what the client takes from the language client's own types."""

MESSAGES = {
    name: model
    for module in (protocol, model_messages)
    for name, model in vars(module).items()
    if isinstance(model, type) and issubclass(model, Message) and name not in STANDARD_TYPES
}
NAMES = [*Protocol.requests, *Protocol.notifications, *Protocol.commands]


def fields_of(model: type[Message]) -> dict[str, bool]:
    """Wire name of each field, and whether the client may leave it out or find it missing."""
    return {to_camel(name): not field.is_required() for name, field in model.model_fields.items()}


def client_fields(name: str) -> dict[str, bool]:
    """Field names of an interface of the client, and whether they are marked optional."""
    found = re.search(rf"^export interface {name} \{{(.*?)^\}}", CLIENT, re.DOTALL | re.MULTILINE)
    assert found, f"client-vscode/src/protocol.ts has no interface {name}"
    return {
        field: bool(mark) for field, mark in re.findall(r"^  (\w+)(\??):", found[1], re.MULTILINE)
    }


@pytest.mark.parametrize("name", sorted(MESSAGES))
def test_the_client_has_every_field(name: str):
    assert set(client_fields(name)) == set(fields_of(MESSAGES[name]))


@pytest.mark.parametrize("name", sorted(MESSAGES))
def test_the_client_sends_what_is_required(name: str):
    required = {field for field, optional in fields_of(MESSAGES[name]).items() if not optional}
    optional_in_client = {field for field, optional in client_fields(name).items() if optional}
    assert not required & optional_in_client


@pytest.mark.parametrize("name", sorted(MESSAGES))
def test_the_page_lists_every_field(name: str):
    section = re.search(rf"`{name}`\)?:? (.*?)\.?$", PAGE, re.MULTILINE)
    assert section, f"docs/protocol.md does not describe {name}"
    assert set(re.findall(r"`(\w+)`", section[1])) == set(fields_of(MESSAGES[name]))


@pytest.mark.parametrize("name", NAMES)
def test_names_follow_the_rule_and_are_documented(name: str):
    assert re.fullmatch(r"scope[/.][a-z][A-Za-z]+", name)
    assert f"`{name}`" in PAGE
    assert f'"{name}"' in CLIENT


def test_no_client_command_has_a_servers_name():
    package = (ROOT / "client-vscode" / "package.json").read_text(encoding="utf-8")
    commands = set(re.findall(r'"command": "([^"]+)"', package))
    assert commands
    assert all(command.startswith("scope.ui.") for command in commands)


def test_every_event_is_documented():
    events = (ROOT / "analysis" / "events.py").read_text(encoding="utf-8")
    kinds = set(re.findall(r'type: Literal\["(\w+)"\]', events)) | {"failed"}
    assert kinds == set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
