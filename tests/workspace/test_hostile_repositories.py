"""Repositories that try to run something, to reach outside, or belong to somebody else."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.errors import BadInput
from analysis.workspace.committed import LARGEST_BLOB, commit_of
from analysis.workspace.files import LocalFileBackend
from analysis.workspace.git import head_commit, run_git
from tests.workspace.repositories import commit, git, write

_DEEP = "/".join(["d"] * 1050)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that leaves a marker beside itself when it runs."""
    script = tmp_path / "program"
    script.write_text(f"#!/bin/sh\ntouch '{tmp_path}/MARKER'\n")
    script.chmod(0o755)
    return script


def check_nothing_ran(root: Path, program: Path, expected: list[str]) -> None:
    files = LocalFileBackend(root)
    assert [file.path for file in files.scan().files] == expected
    assert [file.path for file in files.scan_paths(expected).files] == expected
    head_commit(root)
    assert not (program.parent / "MARKER").exists()


@pytest.mark.parametrize(
    "key",
    ["core.fsmonitor", "core.pager", "pager.ls-files", "core.sshCommand", "core.askPass",
     "credential.helper", "core.gitProxy", "diff.external", "uploadpack.packObjectsHook",
     "alias.ls-files", "core.editor", "filter.x.clean", "filter.x.smudge", "filter.x.process"],
)  # fmt: skip
def test_programs_in_the_configuration_do_not_run(tmp_path: Path, program: Path, key: str) -> None:
    root = commit(tmp_path / "root", {"a.py": "", ".gitattributes": "*.py filter=x\n"})
    git(root, "config", key, str(program))
    write(root, {"a.py": "changed = 1\n"})
    check_nothing_ran(root, program, [".gitattributes", "a.py"])


def test_hooks_do_not_run(tmp_path: Path, program: Path) -> None:
    root = commit(tmp_path / "root", {"a.py": ""})
    for name in ("post-index-change", "fsmonitor-watchman", "post-checkout", "query-watchman"):
        shutil.copy(program, root / ".git/hooks" / name)
    git(root, "config", "core.fsmonitor", ".git/hooks/query-watchman")
    check_nothing_ran(root, program, ["a.py"])


def test_a_partial_clone_fetches_nothing(tmp_path: Path, program: Path) -> None:
    root = commit(tmp_path / "root", {"a.py": "", "b/c.py": ""})
    for key, value in {
        "remote.origin.url": f"ext::{program}",
        "remote.origin.promisor": "true",
        "remote.origin.partialCloneFilter": "blob:none",
        "remote.origin.uploadpack": str(program),
        "protocol.ext.allow": "always",
        "extensions.partialClone": "origin",
        "core.repositoryFormatVersion": "1",
    }.items():
        git(root, "config", key, value)
    shutil.rmtree(root / ".git/objects")
    (root / ".git/objects").mkdir()
    check_nothing_ran(root, program, ["a.py", "b/c.py"])


def test_a_work_tree_elsewhere_shows_nothing_of_it(tmp_path: Path, program: Path) -> None:
    outside = write(tmp_path / "outside", {"secret.py": ""})
    root = commit(outside / "root", {"a.py": ""})
    git(root, "config", "core.worktree", str(outside))
    check_nothing_ran(root, program, ["a.py"])


def test_a_tracked_folder_that_became_a_link_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "outside", {"a.py": "SECRET"})
    root = commit(tmp_path / "root", {"d/a.py": "", "e/a.py": ""})
    shutil.rmtree(root / "d")
    (root / "d").symlink_to("../outside")
    files = LocalFileBackend(root)
    assert [file.path for file in files.scan().files] == ["e/a.py"]
    assert files.load("d/a.py").skip == "outside_root"


def test_a_folder_that_looks_like_a_repository_is_just_a_folder(
    tmp_path: Path, program: Path
) -> None:
    root = commit(tmp_path / "root", {"a.py": ""})
    git(root, "init", "-q", "--bare", "lib")
    git(root / "lib", "config", "core.fsmonitor", str(program))
    write(root, {"lib/b.py": ""})
    files = LocalFileBackend(root / "lib").scan().files
    assert "b.py" in [file.path for file in files]
    assert not (tmp_path / "MARKER").exists()


@pytest.mark.parametrize("entry", [".", "bin", "{root}/bin", "{root}"])
def test_a_git_that_the_repository_brings_is_not_run(
    tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    root = commit(tmp_path / "root", {"a.py": ""})
    for folder in (root, root / "bin"):
        folder.mkdir(exist_ok=True)
        shutil.copy(program, folder / "git")
    monkeypatch.chdir(root)
    monkeypatch.setenv("PATH", entry.format(root=root))
    scan = LocalFileBackend(root).scan()
    assert [file.path for file in scan.files] == ["a.py", "bin/git", "git"]
    assert not (tmp_path / "MARKER").exists()


@pytest.fixture
def deep_root(tmp_path: Path) -> Iterator[Path]:
    """A folder with folders nested deeper than Python may recurse, or could remove."""
    root = write(tmp_path / "root", {"a.py": ""})
    subprocess.run(["mkdir", "-p", root / _DEEP], check=True)
    (root / _DEEP / "b.py").write_text("x = 1\n")
    yield root
    subprocess.run(["rm", "-rf", root], check=True)


@pytest.mark.parametrize("is_repository", [True, False])
def test_folders_may_nest_by_the_thousand(deep_root: Path, is_repository: bool) -> None:
    if is_repository:
        git(deep_root, "init", "-q")
    deep = f"{_DEEP}/b.py"
    files = LocalFileBackend(deep_root)
    assert [file.path for file in files.scan().files] == ["a.py", deep]
    assert [file.path for file in files.scan_paths([deep]).files] == [deep]
    assert files.read_file(deep) == "x = 1\n"
    assert files.get_tree().truncated


@pytest.mark.parametrize("name", ["a\nb.py", "a\x1b[31m.py", "a\u202eyp.exe", "\x7f"])
def test_names_that_steer_a_terminal_are_left_out(tmp_path: Path, name: str) -> None:
    scan = LocalFileBackend(write(tmp_path / "root", {name: "", "b.py": ""})).scan()
    assert [file.path for file in scan.files] == ["b.py"]
    (shown,) = scan.skipped["unreadable"]
    assert shown.isprintable()


@pytest.mark.parametrize("path", [".git/config", ".GIT/config", "lib/.git/config", ".git"])
def test_what_git_keeps_for_itself_is_not_read(tmp_path: Path, path: str) -> None:
    root = commit(tmp_path / "root", {"a.py": ""})
    write(root, {"lib/.git/config": "[x]", ".GIT/config": "[x]"})
    files = LocalFileBackend(root)
    with pytest.raises(BadInput):
        files.read(path)
    files.buffers.open(path, "x = 1", 1)
    assert files.load(path).skip == "ignored"


def test_links_for_ignore_files_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"rules": "*\n"})
    root = write(tmp_path / "root", {"a.py": ""})
    (root / ".gitignore").symlink_to("../rules")
    (root / ".scopeignore").symlink_to("../rules")
    assert [file.path for file in LocalFileBackend(root).scan().files] == ["a.py"]


def test_pipes_neither_hang_nor_count_as_files(tmp_path: Path) -> None:
    root = write(tmp_path / "root", {"a.py": ""})
    for name in ("pipe.py", ".gitignore", ".scopeignore"):
        os.mkfifo(root / name)
    files = LocalFileBackend(root)
    scan = files.scan()
    assert [file.path for file in scan.files] == ["a.py"]
    assert scan.counts == {"unreadable": 3}
    assert files.load("pipe.py").skip == "unreadable"


TRAPS = (
    ".gitignore",
    "d/.gitignore",
    ".git/info/exclude",
    ".git/index",
    ".git/HEAD",
    ".git/config",
)


@pytest.mark.parametrize("name", TRAPS)
def test_git_does_not_wait_for_a_pipe_that_a_repository_brings(tmp_path: Path, name: str) -> None:
    root = commit(tmp_path / "root", {"a.py": "", "d/b.py": ""})
    (root / name).unlink(missing_ok=True)
    os.mkfifo(root / name)
    scan = LocalFileBackend(root).scan()
    assert [file.path for file in scan.files] == ["a.py", "d/b.py"]
    assert "it waits for something that is no file" in scan.notes[0]


@pytest.mark.parametrize("name", ["d/.gitignore", ".git/info/exclude"])
def test_git_does_not_read_a_file_of_holes_into_memory(tmp_path: Path, name: str) -> None:
    root = commit(tmp_path / "root", {"a.py": "", "d/b.py": ""})
    with (root / name).open("wb") as stream:
        stream.truncate(1 << 36)
    scan = LocalFileBackend(root).scan()
    assert "d/b.py" not in [file.path for file in scan.files]  # More rules than can be asked.
    assert "Git could not list" in scan.notes[0]


def test_a_blob_without_end_is_not_compared(tmp_path: Path) -> None:
    root = commit(tmp_path / "root", {"a.py": b"\0" * (LARGEST_BLOB + 1), "b.py": "x = 1\n"})
    git(root, "remote", "add", "origin", "https://git.test/a/b")
    held = commit_of(root)
    assert held is not None
    assert held.holds("b.py")
    assert not held.holds("a.py")
    (root / "b.py").unlink()
    (root / "b.py").symlink_to("/dev/zero")
    assert not held.holds("b.py")


def test_a_repository_of_another_user_is_listed_by_git(tmp_path: Path) -> None:
    root = commit(tmp_path / "root", {".gitignore": "x.py\n", "x.py": "", "a.py": ""})
    if os.geteuid() == 0:  # only root can give files away
        for path in [root, *root.rglob("*")]:
            os.lchown(path, 65534, 65534)
    scan = LocalFileBackend(root).scan()
    # That the tracked x.py is there although it is ignored shows that git was asked.
    assert [file.path for file in scan.files] == [".gitignore", "a.py", "x.py"]
    assert scan.notes == ()
    assert len(head_commit(root) or "") == 40


def test_variables_of_a_hook_that_calls_us_have_no_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = commit(tmp_path / "other", {"b.py": ""})
    root = commit(tmp_path / "root", {"a.py": ""})
    git(root, "remote", "add", "origin", "https://example.org/x.git")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert [file.path for file in LocalFileBackend(root).scan().files] == ["a.py"]
    url = run_git(["config", "--get", "remote.origin.url"], root).stdout
    assert url == b"https://example.org/x.git\n"


def test_a_damaged_repository_is_walked_and_says_so(tmp_path: Path) -> None:
    root = commit(tmp_path / "root", {"a.py": ""})
    (root / ".git/index").write_bytes(b"junk" * 10)
    scan = LocalFileBackend(root).scan()
    assert [file.path for file in scan.files] == ["a.py"]
    assert scan.notes[0].startswith("Git could not list 'the code base'")
