"""The tools that VS Code announces to its agents are those that ``scope mcp`` serves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analysis.tools.registry import announcements
from analysis.tools.tool import Announcement

ROOT = Path(__file__).resolve().parents[2]


def announced() -> dict[str, dict[str, Any]]:
    package = json.loads((ROOT / "client-vscode" / "package.json").read_text(encoding="utf-8"))
    return {tool["name"]: tool for tool in package["contributes"]["languageModelTools"]}


def test_every_tool_is_announced():
    assert list(announced()) == [f"scope_{tool.name}" for tool in announcements()]


@pytest.mark.parametrize("tool", announcements(), ids=lambda tool: tool.name)
def test_a_tool_is_announced_as_it_is(tool: Announcement):
    found = announced()[f"scope_{tool.name}"]
    assert found["modelDescription"] == tool.description
    assert found["inputSchema"] == tool.schema
    assert found["displayName"] == f"Scope: {tool.title}"
