"""The jobs and the hook that the documentation offers, played in a real repository."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.program import environment
from tests.support.answers import answer

REPOSITORY = Path(__file__).parents[2]
PAGE = (REPOSITORY / "docs" / "verify.md").read_text()
LOAD = "def load(path):\n    return open(path).read()\n"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def job(kind: str) -> list[str]:
    """Return the commands of a documented job that call our program."""
    pages = [yaml.safe_load(block) for block in blocks("yaml")]
    if kind == "github":
        (page,) = [page for page in pages if "jobs" in page]
        lines = [step.get("run", "") for step in page["jobs"]["verify"]["steps"]]
    else:
        (page,) = [page for page in pages if "verify-answers" in page]
        lines = page["verify-answers"]["script"]
    found = [line for line in lines if line.startswith("scope ")]
    assert found
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "code"
    (root / "src").mkdir(parents=True)
    (root / "src" / "store.py").write_text(f"import os\n\n\n{LOAD}")
    answer(root, "load", "`load` is at src/store.py:4-5.", "docs/answers")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def ran(project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command with our program on the path."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    names = {
        f"GIT_{who}_{what}": "a@b.test"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    more = {"PATH": programs, **names, "GIT_CONFIG_GLOBAL": os.devnull}
    home = environment(project.parent / "home", **more)
    return subprocess.run(
        command, cwd=project, env=home, text=True, capture_output=True, check=False
    )


def git(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return ran(project, "git", *arguments)


def check_job(project: Path, kind: str, code: int) -> str:
    """Run the commands of a job as its system does, and compare how they end."""
    done = ran(project, "sh", "-ec", "\n".join(job(kind)))
    assert done.returncode == code, done.stderr
    return done.stdout


def move_load(project: Path) -> None:
    (project / "src" / "store.py").write_text(f"import os\nimport re\n\n\n{LOAD}")


def test_the_job_on_github_fails_when_code_moves_and_after_a_fix_no_more(project: Path) -> None:
    assert check_job(project, "github", 0) == ""
    move_load(project)
    out = check_job(project, "github", 1)
    assert out.startswith("::warning file=docs/answers/load.md,line=")
    assert ran(project, "scope", "verify", "docs/answers", "--fix").returncode == 0
    assert check_job(project, "github", 0) == ""


def test_the_job_follows_what_git_knows_of_renamed_files(project: Path) -> None:
    git(project, "mv", "src/store.py", "src/files.py")
    git(project, "commit", "-qm", "second")
    assert "src/files.py:4-5" in check_job(project, "github", 1)


def test_the_job_that_keeps_a_report_writes_one(project: Path) -> None:
    check_job(project, "gitlab", 0)
    move_load(project)
    check_job(project, "gitlab", 1)
    report = (project / "answers.sarif").read_text()
    assert '"version": "2.1.0"' in report
    assert '"moved"' in report


def hook() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text())[0]
    return found


def test_the_hook_keeps_an_untrue_document_from_being_committed(project: Path) -> None:
    offered = hook()
    (page,) = [page for page in map(yaml.safe_load, blocks("yaml")) if "repos" in page]
    (asked,) = page["repos"][0]["hooks"]
    assert asked["id"] == offered["id"]
    assert (offered["pass_filenames"], offered["always_run"]) == (False, True)
    command = shlex.join([*shlex.split(str(offered["entry"])), *asked["args"]])
    script = project / ".git" / "hooks" / "pre-commit"
    script.parent.mkdir(exist_ok=True)
    script.write_text(f"#!/bin/sh\nexec {command}\n")
    script.chmod(0o755)
    (project / "src" / "new.py").write_text("x = 1\n")
    git(project, "add", "-A")
    assert git(project, "commit", "-qm", "a file").returncode == 0
    move_load(project)
    git(project, "add", "-A")
    refused = git(project, "commit", "-qm", "move it")
    assert refused.returncode == 1
    assert "moved" in refused.stdout + refused.stderr
    ran(project, "scope", "verify", "docs/answers", "--fix")
    git(project, "add", "-A")
    assert git(project, "commit", "-qm", "move it").returncode == 0


def test_the_hook_checks_the_whole_repository_by_default(project: Path) -> None:
    offered = hook()
    command = [*shlex.split(str(offered["entry"])), *map(str, offered["args"])]
    assert ran(project, *command).returncode == 0
    (project / "src" / "store.py").unlink()
    done = ran(project, *command)
    assert done.returncode == 1
    assert "gone" in done.stdout
