from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import COMMAND, call, environment
from tests.skill.text import FOLDER

TEXT = (FOLDER / "SKILL.md").read_text("utf-8")
PLACE = "scope-codebase/SKILL.md"


@pytest.mark.parametrize(
    ("options", "places"),
    [
        ([], [".claude/skills", ".agents/skills"]),
        (["--for", "claude"], [".claude/skills"]),
        (["--for", "others"], [".agents/skills"]),
        (["my/skills"], ["my/skills"]),
        (["my/skills/scope-codebase"], ["my/skills"]),
    ],
)
def test_it_lands_where_agents_look(tmp_path: Path, options: list[str], places: list[str]):
    done = call("skill", "install", *options, "--format", "json", cwd=tmp_path)
    assert done.code == 0
    assert done.json == {
        "skills": [{"path": f"{place}/{PLACE}", "state": "installed"} for place in places]
    }
    written = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert written == sorted(tmp_path / place / PLACE for place in places)
    for path in written:
        assert path.read_text("utf-8").startswith(TEXT)
        assert "name: scope-codebase" in path.read_text("utf-8")


def test_for_all_projects_it_lands_in_the_home_folder(tmp_path: Path):
    assert call("skill", "install", "--user", cwd=tmp_path).code == 0
    assert (Path.home() / ".claude/skills" / PLACE).is_file()
    assert (Path.home() / ".agents/skills" / PLACE).is_file()
    assert not list(tmp_path.iterdir())


def test_a_copy_that_was_changed_is_kept(tmp_path: Path):
    copy = tmp_path / PLACE

    def check(state: str, code: int = 0, *options: str) -> None:
        done = call("skill", "install", ".", *options, cwd=tmp_path)
        assert done.out.split() == [state, PLACE]
        assert done.code == code
        assert ("changed by hand" in done.err) == (state == "kept")

    check("installed")
    check("unchanged")

    mine = copy.read_text("utf-8").replace("max rounds", "rounds")
    copy.write_text(mine, "utf-8")
    check("kept", 1)
    assert copy.read_text("utf-8") == mine
    check("replaced", 0, "--force")
    check("unchanged")

    copy.write_text("something else altogether\n", "utf-8")
    check("kept", 1)
    copy.write_bytes(b"\xff\xfe")
    check("kept", 1)


def test_an_older_version_is_renewed(tmp_path: Path):
    package = shutil.copytree(
        Path(__file__).resolve().parents[2] / "analysis",
        tmp_path / "site" / "analysis",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    # In a wheel the skill lies inside the package.
    packed = package / "skills" / PLACE
    packed.parent.mkdir(parents=True)
    packed.write_text(TEXT.replace("scope tree", "scope list"), "utf-8")

    def installed(*arguments: str) -> str:
        return subprocess.run(
            [*COMMAND, "skill", *arguments],
            cwd=tmp_path,
            env=environment(tmp_path / "home", PYTHONPATH=str(tmp_path / "site")),
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    assert "scope list" in installed("show")
    assert installed("install", "x").split()[0] == "installed"
    packed.write_text(TEXT, "utf-8")
    assert installed("install", "x").split()[0] == "updated"
    assert installed("show") == TEXT
    assert (tmp_path / "x" / PLACE).read_text("utf-8").startswith(TEXT)
