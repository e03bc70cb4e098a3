"""Which files have changed: as git itself says, with nothing of the repository run."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.workspace.git import GitFailed
from analysis.workspace.git_changes import UNCOMMITTED, GitChanges, NoSuchRevision, git_changes
from tests.workspace.repositories import git, write

TEXT = "".join(f"line_{n} = {n}\n" for n in range(30))


def repository(root: Path, **files: str | bytes) -> Path:
    """A repository with one commit of a.py, b.py, sub/c.py and what else is named."""
    root.mkdir(exist_ok=True)
    git(root, "init", "-q")
    write(root, {"a.py": TEXT, "b.py": "b = 1\n", "sub/c.py": "c = 1\n", **files})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def told(changes: GitChanges) -> list[str]:
    """Each change as one line: kind, path, old name, and whether it is staged or untracked."""
    return [
        " ".join(
            [item.kind, item.path]
            + ([f"was {item.old_path}"] if item.old_path else [])
            + (["staged"] if item.is_staged else [])
            + (["untracked"] if item.is_untracked else [])
        )
        for item in changes.files
    ]


def edit(root: Path) -> None:
    (root / "a.py").write_text(TEXT + "more = 1\n")


def stage(root: Path) -> None:
    edit(root)
    git(root, "add", "a.py")


def stage_and_take_back(root: Path) -> None:
    stage(root)
    (root / "a.py").write_text(TEXT)


def rename_staged(root: Path) -> None:
    git(root, "mv", "a.py", "z.py")


def rename_unstaged(root: Path) -> None:
    (root / "a.py").rename(root / "z.py")


def untrack(root: Path) -> None:
    git(root, "rm", "-q", "--cached", "b.py")


def add_and_delete(root: Path) -> None:
    write(root, {"new.py": "x = 1\n"})
    git(root, "add", "new.py")
    (root / "new.py").unlink()


def link_instead(root: Path) -> None:
    (root / "b.py").unlink()
    (root / "b.py").symlink_to("a.py")


def windows_line_ends(root: Path) -> None:
    (root / "a.py").write_bytes(TEXT.replace("\n", "\r\n").encode())


def in_conflict(root: Path) -> None:
    git(root, "checkout", "-qb", "other")
    write(root, {"b.py": "b = 2\n"})
    git(root, "commit", "-qam", "two")
    git(root, "checkout", "-q", "main")
    write(root, {"b.py": "b = 3\n"})
    git(root, "commit", "-qam", "three")
    with pytest.raises(AssertionError):
        git(root, "merge", "-q", "other")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda root: None, []),
        (edit, ["changed a.py"]),
        (stage, ["changed a.py staged"]),
        (lambda root: os.utime(root / "a.py", (1, 1)), []),
        (lambda root: (root / "a.py").unlink(), ["deleted a.py"]),
        (lambda root: git(root, "rm", "-q", "b.py"), ["deleted b.py staged"]),
        (lambda root: write(root, {"n.py": ""}), ["new n.py untracked"]),
        (lambda root: write(root, {".gitignore": "n.py\n", "n.py": ""}),
         ["new .gitignore untracked"]),
        (rename_staged, ["renamed z.py was a.py staged"]),
        (rename_unstaged, ["renamed z.py was a.py untracked"]),
        (untrack, ["changed b.py untracked"]),
        (add_and_delete, []),
        (link_instead, ["link b.py"]),
        (windows_line_ends, []),
        (in_conflict, ["conflict b.py"]),
        (lambda root: git(root, "update-index", "--chmod=+x", "a.py"), ["mode a.py staged"]),
        (lambda root: git(root, "update-index", "--skip-worktree", "b.py")
         or (root / "b.py").unlink(), []),
    ],
)  # fmt: skip
def test_what_is_not_committed(
    tmp_path: Path, change: Callable[[Path], object], expected: list[str]
) -> None:
    root = repository(tmp_path / "root")
    change(root)
    assert told(git_changes(root, UNCOMMITTED)) == expected


def test_what_was_staged_and_taken_back_is_left_to_whoever_reads_the_texts(tmp_path: Path) -> None:
    root = repository(tmp_path)
    stage_and_take_back(root)
    assert told(git_changes(root, UNCOMMITTED)) == ["changed a.py staged"]


def test_a_change_in_the_same_moment_and_of_the_same_size_is_seen(tmp_path: Path) -> None:
    root = repository(tmp_path)
    when = (root / ".git/index").stat().st_mtime_ns
    write(root, {"b.py": "b = 2\n"})
    os.utime(root / "b.py", ns=(when, when))
    assert told(git_changes(root, UNCOMMITTED)) == ["changed b.py"]


def test_an_open_file_that_is_not_saved_counts_as_changed(tmp_path: Path) -> None:
    root = repository(tmp_path)
    assert told(git_changes(root, UNCOMMITTED, {"a.py"})) == ["changed a.py"]


def test_paths_are_relative_to_the_folder_that_is_asked_about(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"a.py": "", "sub/c.py": "c = 2\n", "sub/d.py": ""})
    inside = git_changes(root / "sub", UNCOMMITTED)
    assert told(inside) == ["changed c.py", "new d.py untracked"]


def test_before_the_first_commit_all_is_new(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, {"a.py": "a = 1\n", "b.py": ""})
    git(tmp_path, "add", "a.py")
    found = git_changes(tmp_path, UNCOMMITTED)
    assert told(found) == ["new a.py staged", "new b.py untracked"]
    assert found.since == "since the repository was made"


def test_a_submodule_and_a_repository_inside_are_named_and_not_entered(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner")
    root = repository(tmp_path / "root")
    git(root, "submodule", "add", "-q", str(inner), "mod")
    git(root, "commit", "-qm", "with a submodule")
    repository(root / "apart")
    write(root / "mod", {"a.py": ""})
    found = git_changes(root, UNCOMMITTED)
    assert told(found) == []
    assert dict(found.not_compared) == {
        "mod": "is a submodule, and what has changed in it not looked at",
        "apart/": "is a repository of its own",
    }
    git(root / "mod", "commit", "-qam", "second")
    assert told(git_changes(root, UNCOMMITTED)) == ["submodule mod"]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("HEAD", ["deleted b.py", "renamed z.py was a.py"]),
        ("main", ["new on_main.py"]),
        ("HEAD^{/first}", ["new a.py", "new b.py", "new sub/c.py"]),
        ("first", ["new a.py", "new b.py", "new sub/c.py"]),
        ("main...", ["deleted b.py", "renamed z.py was a.py"]),
        ("main..branch", ["deleted b.py", "deleted on_main.py", "renamed z.py was a.py"]),
        ("first..main", ["new on_main.py"]),
        ("nothing", None),
        ("main...nothing", None),
        ("--output=x", None),
        ("HEAD:a.py", None),
        (":/first", None),
    ],
)
def test_a_commit_or_a_range(tmp_path: Path, wanted: str, expected: list[str] | None) -> None:
    root = repository(tmp_path)
    git(root, "tag", "first")
    git(root, "checkout", "-qb", "branch")
    git(root, "rm", "-q", "b.py")
    git(root, "mv", "a.py", "z.py")
    git(root, "commit", "-qm", "second")
    git(root, "checkout", "-q", "main")
    write(root, {"on_main.py": ""})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "third")
    git(root, "checkout", "-q", "branch")
    write(root, {"sub/c.py": "not committed\n"})
    if expected is None:
        with pytest.raises(NoSuchRevision):
            git_changes(root, wanted)
        assert not (root / "x").exists()
    else:
        assert told(git_changes(root, wanted)) == expected


def test_without_git_it_is_not_known(tmp_path: Path) -> None:
    with pytest.raises(GitFailed, match="there is no git repository"):
        git_changes(tmp_path, UNCOMMITTED)


def test_nothing_of_the_repository_runs(tmp_path: Path) -> None:
    root = repository(tmp_path / "root", **{".gitattributes": "*.py filter=x diff=y merge=z\n"})
    mark = tmp_path / "ran"
    keys = ("filter.x.clean", "filter.x.smudge", "filter.x.process", "diff.y.textconv",
            "diff.y.command", "diff.external", "core.fsmonitor", "core.pager")  # fmt: skip
    for key in keys:
        git(root, "config", key, f"touch {mark}")
    hook = root / ".git/hooks/post-index-change"
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
    hook.chmod(0o755)
    (root / "a.py").write_text(TEXT + "more = 1\n")
    os.utime(root / "b.py", (1, 1))
    for wanted in (UNCOMMITTED, "HEAD", "HEAD..HEAD"):
        git_changes(root, wanted)
    assert not mark.exists()


@pytest.mark.parametrize("seed", range(12))
def test_it_is_what_git_itself_says(tmp_path: Path, seed: int) -> None:
    """Random edits, staged and not; renames aside, which git guesses in its own way."""
    dice = random.Random(seed)
    names = [f"{folder}f{n} ä.py" for folder in ("", "x/", "x/y/") for n in range(4)]
    root = repository(tmp_path, **{name: f"{name} = {n}\n" * 5 for n, name in enumerate(names)})
    for turn in range(25):
        path = root / dice.choice(names)
        match dice.randrange(5):
            case 0 if path.exists():
                path.unlink()
            case 1:
                git(root, "add", "-A", "--", dice.choice([".", "x"]))
            case 2:
                write(root, {f"x/new {turn}.py": f"new = {turn}\n"})
            case _:
                path.write_text(f"turn = {turn}\n" * dice.randrange(1, 4))
    listed = git(root, "status", "--porcelain", "-z", "--no-renames", "-uall").split("\0")
    expected = {line[3:]: line[:2] for line in listed if line}
    found = {item.path: item for item in git_changes(root, UNCOMMITTED).files}
    gone = {item.old_path for item in found.values() if item.old_path}
    assert set(found) | gone == {path for path, state in expected.items() if state != "AD"}
    assert all("D" in expected[name] for name, item in found.items() if item.kind == "deleted")
