"""Linked worktrees below the root: the same repository again, left out and counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.workspace.files import LocalFileBackend
from tests.workspace.repositories import commit, git, write


def check(root: Path, files: list[str], left_out: list[str]) -> None:
    """Check what is searched below a root, all at once and path by path."""
    backend = LocalFileBackend(root)
    scan = backend.scan()
    assert [file.path for file in scan.files] == files
    assert sorted(scan.skipped.get("linked_worktree", ())) == left_out
    inside = [f"{folder}a.py" for folder in left_out]
    some = backend.scan_paths([*files, *inside])
    assert [file.path for file in some.files] == files
    assert sorted(some.skipped.get("linked_worktree", ())) == sorted(inside)


@pytest.mark.parametrize("place", [".agents/worktrees/feat", "wt", "src/deep/er"])
def test_a_worktree_inside_its_repository_is_left_out(tmp_path: Path, place: str):
    root = commit(tmp_path / "root", {"a.py": "x = 1\n"})
    git(root, "worktree", "add", "-q", place, "-b", "feat")
    check(root, ["a.py"], [f"{place}/"])


def test_the_root_may_be_a_part_of_the_repository_or_a_worktree_itself(tmp_path: Path):
    main = commit(tmp_path / "main", {"a.py": "", "sub/a.py": ""})
    git(main, "worktree", "add", "-q", "sub/wt", "-b", "one")
    check(main / "sub", ["a.py"], ["wt/"])
    git(main, "worktree", "add", "-q", str(tmp_path / "two"), "-b", "two")
    git(main, "worktree", "add", "-q", str(tmp_path / "two/three"), "-b", "three")
    check(tmp_path / "two", ["a.py", "sub/a.py"], ["three/"])
    check(main / "sub/wt", ["a.py", "sub/a.py"], [])


def test_beside_each_other_in_a_plain_folder_the_main_one_stays(tmp_path: Path):
    main = commit(tmp_path / "root/shop", {"a.py": ""})
    git(main, "worktree", "add", "-q", "../feat", "-b", "feat")
    git(main, "worktree", "add", "-q", "../zeta", "-b", "zeta")
    check(tmp_path / "root", ["shop/a.py"], ["feat/", "zeta/"])


def test_of_linked_ones_alone_the_first_stays(tmp_path: Path):
    origin = commit(tmp_path / "origin", {"a.py": ""})
    root = tmp_path / "root"
    git(tmp_path, "clone", "-q", "--bare", str(origin), str(root / ".bare"))
    (root / ".git").write_text("gitdir: ./.bare\n")
    git(root, "worktree", "add", "-q", "main", "main")
    git(root, "worktree", "add", "-q", "feat", "-b", "feat")
    backend = LocalFileBackend(root)
    searched = [file.path for file in backend.scan().files]
    assert "feat/a.py" in searched
    assert "main/a.py" not in searched
    assert backend.scan().skipped["linked_worktree"] == ("main/",)


def test_other_repositories_and_submodules_stay(tmp_path: Path):
    inner = commit(tmp_path / "inner", {"a.py": ""})
    root = commit(tmp_path / "root", {"a.py": ""})
    git(root, "submodule", "--quiet", "add", str(inner), "sub")
    commit(root / "nested", {"a.py": ""})
    git(inner, "worktree", "add", "-q", str(root / "foreign"), "-b", "x")
    check(root, [".gitmodules", "a.py", "foreign/a.py", "nested/a.py", "sub/a.py"], [])


@pytest.mark.parametrize(
    "content",
    ["gitdir: ../.git", "gitdir: ../.git/worktrees/x", "gitdir: /dev/zero", "", "\0", "gitdir: "],
)
def test_a_file_that_only_claims_to_be_of_a_worktree_hides_nothing(tmp_path: Path, content: str):
    root = commit(tmp_path / "root", {"a.py": "", "src/b.py": ""})
    git(root, "worktree", "add", "-q", "wt", "-b", "feat")
    (root / ".git/worktrees/wt").rename(root / ".git/worktrees/x")
    write(root, {"src/.git": content})
    searched = [file.path for file in LocalFileBackend(root).scan().files]
    assert "src/b.py" in searched
