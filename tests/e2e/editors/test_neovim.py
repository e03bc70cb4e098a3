"""The configuration of docs/editors/neovim.md in a real Neovim."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.editors.neovim import documented, play


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the steps of the session reported."""
    configuration = documented(lambda block: 'require("scope")' not in block)
    return play(tmp_path_factory.mktemp("neovim"), configuration, "neovim_session.lua")


def test_the_server_attaches(session):
    assert session["attached"] == "scope-lsp"


def test_the_document_opens_with_progress(session):
    document = Path(session["document"])
    assert document.parent.name == ".scope"
    assert document.read_text(encoding="utf-8").startswith("---\nsource_repo: ..\n")
    assert session["progress"][0] == "begin"
    assert session["progress"][-1] == "end"


def test_hover_shows_the_cited_code_and_its_state(session):
    assert "The code is what was cited." in session["hover"]
    assert "password" in session["hover"]


def test_definition_leads_to_the_cited_lines(session):
    cited = re.search(r"auth\.py:(\d+)", session["reference line"])
    assert cited is not None
    file, line, text = session["definition"]
    assert Path(file).name == "auth.py"
    assert line == int(cited[1])
    assert text.startswith("def ")


def test_code_actions_ask_about_the_name(session):
    titles = " ".join(session["actions"])
    assert "Scope: Ask about `check_password`" in titles
    assert "Scope: Who uses `check_password`?" in titles
    assert "auth.py:6" in session["action document"]


def test_the_document_tells_what_has_moved(session):
    states = {code for code, _, _ in session["diagnostics"]}
    assert states == {"moved"}
    _, message, _ = next(item for item in session["diagnostics"] if "auth.py" in item[1])
    now = re.search(r"Now: auth\.py:(\d+)-(\d+)", message)
    assert now is not None
    assert "has moved" in session["moved hover"]
    assert f"auth.py:{now[1]}-{now[2]}" in session["moved hover"]
    assert session["moved definition"] == int(now[1])
    assert any(f"auth.py#L{now[1]}-L{now[2]}" in link for link in session["moved links"])


def test_quick_fixes_update_the_document(session):
    titles = " ".join(session["fixes"])
    assert "Update reference to " in titles
    assert "Ask again" in titles
    cited = re.search(r"auth\.py:(\d+)", session["reference line"])
    assert cited is not None
    assert f"auth.py:{int(cited[1]) + 3}" in session["updated document"]


def test_code_that_is_gone_is_not_shown(session):
    assert "gone" in session["gone hover"]
    assert "```" not in session["gone hover"]


def test_all_documents_are_verified_by_command(session):
    assert re.match(r"Scope: .*\d+ documents", session["verified"])


def test_the_user_is_asked_and_can_deny(session):
    question, choices = session["asked"]
    assert question.startswith("Scope: send about ")
    assert "to openai/none at 127.0.0.1:9?" in question
    assert choices == ["Once", "This Session", "Always", "Deny"]
    assert "Sending code to the model was not approved" in session["denied"]


def test_unsaved_text_is_what_is_cited(session):
    assert "auth.py:12-14" in session["unsaved"]
