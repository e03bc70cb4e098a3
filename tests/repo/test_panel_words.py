"""The panel has words for every way in which a run can end."""

from __future__ import annotations

import re
from pathlib import Path

from analysis.modes.stop_reasons import STOP_REASONS, UNREMARKABLE

STATS = Path(__file__).resolve().parents[2] / "client-vscode" / "src" / "webview" / "stats.ts"


def test_the_panel_explains_every_end_that_is_remarkable():
    source = STATS.read_text(encoding="utf-8")
    explained = set(re.findall(r"^  (\w+):\s+\"", source, re.MULTILINE))
    unremarkable = re.search(r"UNREMARKABLE = new Set\(\[(.*?)\]\)", source)
    assert unremarkable
    assert set(re.findall(r"\w+", unremarkable[1])) == UNREMARKABLE
    assert explained == set(STOP_REASONS) - UNREMARKABLE
