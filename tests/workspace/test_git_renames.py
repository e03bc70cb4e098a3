from __future__ import annotations

import subprocess
from pathlib import Path

from analysis.workspace.git_renames import current_name, git_renames

TEXT = "".join(f"line_{n} = {n}\n" for n in range(30))


def git(root: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.test")
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


def repository(root: Path) -> Path:
    git(root, "init", "-q")
    (root / "pkg").mkdir()
    (root / "pkg" / "a.py").write_text(TEXT)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def check(root: Path, path: str, expected: str | None) -> None:
    files = frozenset(p.relative_to(root).as_posix() for p in root.rglob("*.py"))
    assert current_name(path, git_renames(root), files) == expected


def test_renames_are_followed_through_history_and_index(tmp_path: Path) -> None:
    root = repository(tmp_path)
    git(root, "mv", "pkg/a.py", "pkg/b.py")
    git(root, "commit", "-qm", "second")
    check(root, "pkg/a.py", "pkg/b.py")
    git(root, "mv", "pkg/b.py", "c d.py")
    check(root, "pkg/a.py", "c d.py")
    check(root, "pkg/b.py", "c d.py")
    check(root, "never.py", None)


def test_a_file_that_was_renamed_and_deleted_is_nowhere(tmp_path: Path) -> None:
    root = repository(tmp_path)
    git(root, "mv", "pkg/a.py", "pkg/b.py")
    git(root, "commit", "-qm", "second")
    git(root, "rm", "-q", "pkg/b.py")
    git(root, "commit", "-qm", "third")
    check(root, "pkg/a.py", None)


def test_paths_are_relative_to_the_folder_that_is_asked_about(tmp_path: Path) -> None:
    root = repository(tmp_path)
    git(root, "mv", "pkg/a.py", "pkg/b.py")
    git(root, "commit", "-qm", "second")
    assert git_renames(root / "pkg") == {"a.py": ("b.py",)}


def test_names_that_go_in_a_circle_end_somewhere(tmp_path: Path) -> None:
    renames = {"a.py": ("b.py",), "b.py": ("a.py",)}
    assert current_name("a.py", renames, frozenset({"c.py"})) is None


def test_a_folder_without_git_has_no_renames(tmp_path: Path) -> None:
    assert git_renames(tmp_path) == {}


def test_nothing_of_the_repository_runs(tmp_path: Path) -> None:
    root = repository(tmp_path)
    mark = tmp_path / "ran"
    (root / ".gitattributes").write_text("*.py filter=x diff=y\n")
    for key in ("filter.x.clean", "filter.x.process", "diff.y.textconv", "diff.external"):
        git(root, "config", key, f"touch {mark}")
    (root / "pkg" / "a.py").write_text(TEXT + "more = 1\n")
    git_renames(root)
    assert not mark.exists()
