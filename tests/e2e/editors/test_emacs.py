"""The configuration of docs/editors/emacs.md in a real Emacs with eglot, in batch mode."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.editors.neovim import EDITORS
from tests.support.editor_project import AUTH, VIEWS

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the steps of the session reported."""
    folder = tmp_path_factory.mktemp("emacs")
    project = folder / "project"
    project.mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    (project / "auth.py").write_text(AUTH)
    (project / "views.py").write_text(VIEWS)
    page = (EDITORS / "emacs.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```elisp\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 1
    (folder / "init.el").write_text(blocks[0])
    environment = {
        **os.environ,
        "HOME": str(folder),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["emacs", "--batch", "--eval", "(package-initialize)", "-l", str(folder / "init.el"),
         "-l", str(HERE / "emacs_session.el")],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )  # fmt: skip
    steps = dict(re.findall(r"^(\w+): (.*)$", done.stdout, re.MULTILINE))
    assert steps.get("done") == "t", f"{done.stdout}\n{done.stderr[-3000:]}"
    return steps


def test_the_server_attaches(session):
    assert session["attached"] == "scope-lsp"


def test_the_echo_area_names_the_document(session):
    text = Path(session["document"]).read_text(encoding="utf-8")
    assert "auth.py" in text


def test_code_actions_ask_about_the_name(session):
    assert "Scope: Ask about `login`" in session["actions"]
    assert "Scope: Who uses `login`?" in session["actions"]
