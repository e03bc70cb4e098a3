"""The plugin of docs/editors/scope.nvim in a real Neovim, set up as documented."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.e2e.editors.neovim import EDITORS, documented, play


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the steps of the session reported."""
    with_plugin = documented(lambda block: 'require("scope")' in block)
    configuration = with_plugin.replace("/path/to/scope/docs/editors", str(EDITORS))
    return play(tmp_path_factory.mktemp("plugin"), configuration, "neovim_plugin_session.lua")


def test_the_answer_stands_beside_the_code(session):
    assert session["windows"] == 2
    assert session["code window keeps its file"].endswith("views.py")
    assert re.search(r"\.scope/scope-.*\.md$", session["panel"])


def test_the_text_comes_while_it_is_written(session):
    assert session["pieces"] >= 1


def test_enter_on_a_link_opens_the_cited_lines_in_the_window_of_the_code(session):
    assert session["followed"].endswith("auth.py")
    assert session["followed line"] > 1
    assert session["windows after the link"] == 2


def test_references_fill_the_quickfix_list(session):
    entries = session["quickfix"]
    assert entries
    assert all(entry["lnum"] >= 1 and entry["name"].endswith(".py") for entry in entries)
    assert any("[ok]" in entry["text"] for entry in entries)
    assert session["quickfix title"] == "Scope references"


def test_uses_fill_the_quickfix_list_and_say_whether_they_are_all(session):
    assert any(entry["name"].endswith("views.py") for entry in session["uses"])
    assert re.search(r"uses of \w+, (these are all|there may be more)$", session["uses title"])


def test_a_range_is_what_the_question_is_about(session):
    assert "authenticate" in session["about the range"]
