"""Submodules, repositories in folders, ignored files that are wanted, the user's own excludes."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.settings import WorkspaceSettings
from analysis.workspace.files import LocalFileBackend
from tests.workspace.repositories import commit, git, write


def names(root: Path, **settings: object) -> list[str]:
    files = LocalFileBackend(root, WorkspaceSettings.model_validate(settings))
    return [file.path for file in files.scan().files if not file.path.endswith(".gitmodules")]


def test_submodules_are_asked_one_by_one(tmp_path: Path) -> None:
    inner = commit(tmp_path / "inner", {"deep.py": "", ".gitignore": "out\n"})
    middle = commit(tmp_path / "middle", {"mid.py": ""})
    git(middle, "submodule", "--quiet", "add", str(inner), "sub")
    git(middle, "commit", "-qm", "Sub")
    root = commit(tmp_path / "root", {"top.py": ""})
    git(root, "submodule", "--quiet", "add", str(middle), "lib")
    git(root, "submodule", "--quiet", "update", "--init", "--recursive")
    write(root, {"lib/sub/out/x.py": "", "lib/new.py": ""})
    expected = ["lib/mid.py", "lib/new.py", "lib/sub/.gitignore", "lib/sub/deep.py", "top.py"]
    assert names(root) == expected
    some = ["lib/sub/deep.py", "lib/sub/out/x.py", "lib/mid.py"]
    scan = LocalFileBackend(root).scan_paths(some)
    assert [file.path for file in scan.files] == ["lib/mid.py", "lib/sub/deep.py"]


def test_repositories_in_a_plain_folder_are_asked_one_by_one(tmp_path: Path) -> None:
    root = tmp_path / "root"
    commit(root / "one", {".gitignore": "*.log\n", "kept.log": ""})
    write(root / "one", {"new.log": ""})
    commit(root / "two/deep", {"b.py": ""})
    assert names(root) == ["one/.gitignore", "one/kept.log", "two/deep/b.py"]


def test_an_ignored_repository_stays_out(tmp_path: Path) -> None:
    root = commit(tmp_path / "root", {".gitignore": "vendor/\n"})
    commit(root / "vendor/x", {"v.py": ""})
    assert names(root) == [".gitignore"]
    scan = LocalFileBackend(root).scan_paths(["vendor/x/v.py"])
    assert (scan.files, dict(scan.skipped)) == ((), {"ignored": ("vendor/x/v.py",)})


def test_files_that_are_tracked_and_ignored_or_deleted_are_as_git_says(tmp_path: Path) -> None:
    root = commit(tmp_path / "root", {".gitignore": "*.gen.py\n", "a.gen.py": "", "gone.py": ""})
    write(root, {"b.gen.py": ""})
    (root / "gone.py").unlink()
    assert names(root) == [".gitignore", "a.gen.py"]


@pytest.mark.parametrize("is_repository", [True, False])
def test_wanted_ignored_files_are_searched(tmp_path: Path, is_repository: bool) -> None:
    tree = {".gitignore": "gen/\n*.log\n", "gen/api/a.py": "", "gen/b.txt": "", "x.log": ""}
    root = write(tmp_path / "root", {**tree, ".scopeignore": "docs/\n", "docs/d.py": ""})
    if is_repository:
        git(root, "init", "-q")
    plain = [".gitignore", ".scopeignore"]
    assert names(root) == plain
    assert names(root, include_ignored=["gen/**/*.py"]) == [*plain, "gen/api/a.py"]
    assert names(root, include_ignored=["docs"]) == [*plain, "docs/d.py"]


def test_scopeignore_nests_and_reaches_into_folders_that_are_opened(tmp_path: Path) -> None:
    root = commit(
        tmp_path / "root", {".scopeignore": "*.txt\ndata\n", "a/.scopeignore": "!b.txt\n"}
    )
    write(root, {"a/b.txt": "", "a/c.txt": "", "a/data/d.py": "", "a/e.py": ""})
    assert names(root) == [".scopeignore", "a/.scopeignore", "a/b.txt", "a/e.py"]
    assert names(root / "a") == [".scopeignore", "b.txt", "e.py"]


def test_what_the_user_told_git_to_ignore_stays_unseen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = commit(tmp_path / "root", {"a.py": ""})
    write(
        tmp_path, {"mine": ".env\n", "home/.gitconfig": f"[core]\nexcludesFile={tmp_path}/mine\n"}
    )
    write(root, {".env": "KEY=1"})
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home/.config"))
    assert names(root) == ["a.py"]
