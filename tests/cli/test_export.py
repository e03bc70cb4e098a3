from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import call
from tests.cli.test_verify import MODULE, USER, document_of


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "module.py").write_text(MODULE)
    (root / "user.py").write_text(USER)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def git(root: Path, *arguments: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.test")
    command = ["git", *who, *arguments]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize(
    ("remote", "start"),
    [
        ("git@github.com:owner/repo.git", "https://github.com/owner/repo/blob/{}/module.py#L4-L6"),
        ("https://gitlab.com/a/b.git", "https://gitlab.com/a/b/-/blob/{}/module.py#L4-6"),
    ],
)
def test_links_lead_to_the_commit(project: Path, remote: str, start: str) -> None:
    git(project, "remote", "add", "origin", remote)
    document = document_of(project)
    done = call("export", str(document), cwd=project)
    commit = git(project, "rev-parse", "HEAD").strip()
    assert done.code == 0
    assert start.format(commit) in done.out
    assert "scope:references" not in done.out
    assert "](../" not in done.out


def test_what_the_commit_does_not_hold_is_no_link(project: Path) -> None:
    git(project, "remote", "add", "origin", "https://github.com/owner/repo")
    (project / "module.py").write_text("# new\n" + MODULE)
    document = document_of(project)
    done = call("export", str(document), "-o", "shared.md", cwd=project)
    text = (project / "shared.md").read_text()
    assert (done.code, done.out) == (0, "")
    assert not re.search(r"blob/\w+/module\.py", text)
    assert "module.py:5-7" in text


def test_without_a_remote_there_are_no_permalinks(project: Path) -> None:
    done = call("export", str(document_of(project)), cwd=project)
    assert done.code == 2
    assert "no permalinks" in done.err
