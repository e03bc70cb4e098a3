"""Whoever shows references has words for every state that one can be in."""

from __future__ import annotations

import re
from pathlib import Path

from analysis.models import RefState

ROOT = Path(__file__).resolve().parents[2]


def test_the_panel_has_words_for_every_state() -> None:
    source = (ROOT / "client-vscode" / "src" / "panel" / "peek.ts").read_text(encoding="utf-8")
    table = re.search(r"const STATES.*?\{(.*?)\};", source, re.DOTALL)
    assert table is not None
    assert set(re.findall(r"^  (\w+): \"", table[1], re.MULTILINE)) == set(map(str, RefState))


def test_the_protocol_explains_every_state() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith("`state` is")]
    assert set(map(str, RefState)) <= set(re.findall(r"`(\w+)`", line))


def test_the_editor_explains_every_state() -> None:
    source = (ROOT / "lsp_server" / "documents" / "report.py").read_text("utf-8")
    explained = set(re.findall(r"RefState\.(\w+): \"", source))
    assert explained == {state.name for state in RefState}
