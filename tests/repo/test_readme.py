"""The README names every command, and every page and picture that it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer.main

from analysis.cli.main import create_app

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_command_is_named():
    group = typer.main.get_command(create_app())
    commands = list(getattr(group, "commands", {}))
    assert commands
    assert [name for name in commands if f"`scope {name}" not in README] == []


@pytest.mark.parametrize("target", re.findall(r"\]\((?!https?:)([^)#]+)\)", README))
def test_links_lead_somewhere(target: str):
    assert (ROOT / target).exists()


def test_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"(?:`|\$ )make ([a-z]+)", README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
