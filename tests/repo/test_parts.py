"""What the editor's private environment gets at once, and what it gets when it is wanted."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

OFFLINE = """
import sys
for absent in {absent!r}:
    sys.modules[absent] = None
from analysis.cli.main import main
sys.exit(main(["ask", {folder!r}, "-q", "Who uses total?", "--mode", "offline", "-o", {folder!r}]))
"""


def requirements(pyproject: str) -> dict[str, list[str]]:
    sys.path.insert(0, str(ROOT / "client-vscode" / "scripts"))
    try:
        from requirements import requirements as found  # type: ignore[import-not-found]
    finally:
        sys.path.pop(0)
    return dict(found(pyproject))


def test_every_dependency_is_on_one_list() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    lists = requirements(text)
    together = {line for lines in lists.values() for line in lines}
    project = tomllib.loads(text)["project"]
    assert together >= set(project["dependencies"])
    assert together <= {*project["dependencies"], *project["optional-dependencies"]["org"]}
    assert lists["organisation"] == ["psycopg[binary,pool]>=3.2,<4"]
    assert lists["model"]
    assert lists["base"]


def test_a_name_that_is_no_dependency_is_refused() -> None:
    text = '[project]\ndependencies = ["a>=1"]\n[tool.scope-setup.later]\nmodel = ["b"]\n'
    with pytest.raises(ValueError, match="names no dependency: b"):
        requirements(text)


def test_offline_answers_need_only_the_base(tmp_path: Path) -> None:
    later = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["scope-setup"][
        "later"
    ]
    absent = [package for packages in later.values() for package in packages]
    (tmp_path / "a.py").write_text("def total():\n    return 1\n\nprint(total())\n", "utf-8")
    script = OFFLINE.format(absent=absent, folder=str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "total" in done.stdout
