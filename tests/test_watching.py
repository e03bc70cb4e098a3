"""What changed is seen by the very next question, whether the system tells of it or not."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from analysis.engine import Engine
from analysis.settings import Settings
from analysis.workspace import files, folder_watch
from analysis.workspace.folder_watch import watched
from analysis.workspace.scan import scan_root
from tests.cli.program import SHOP, write_files


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = write_files(tmp_path / "shop", {**SHOP, ".gitignore": "built/\n*.log\n"})
    write_files(root, {"built/made.py": "def made(): ...\n", "noise.log": "x\n"})
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


@pytest.fixture(params=["watching", "looking"])
def engine(request, repo: Path, monkeypatch) -> Iterator[Engine]:
    if request.param == "looking":
        monkeypatch.setattr(folder_watch, "_LOCAL_DISKS", frozenset())
    with Engine.open(repo) as engine:
        engine.refresh()
        engine.refresh()
        yield engine


@pytest.fixture
def looks(monkeypatch) -> list[str]:
    """Every look at all files."""
    seen: list[str] = []

    def counted(root, settings, stop=None, only=None):
        if only is None:
            seen.append(root)
        return scan_root(root, settings, stop, only)

    monkeypatch.setattr(files, "scan_root", counted)
    return seen


def names(engine: Engine, name: str) -> list[str]:
    engine.prepare()
    return [row.path for row in engine.index.symbols_named(name)]


def test_each_of_two_hundred_edits_is_in_the_next_answer(engine: Engine, repo: Path):
    for number in range(200):
        (repo / "shop/store.py").write_text(f"def edit_{number:03}(): ...\n", "utf-8")
        assert names(engine, f"edit_{number:03}") == ["shop/store.py"]


def test_nothing_is_looked_at_where_nothing_changed(repo: Path, looks: list[str]):
    with Engine.open(repo) as engine:
        for _ in range(10):
            engine.refresh()
    assert len(looks) == (2 if can_watch(repo) else 10)


def test_an_edit_that_keeps_size_and_time_is_seen(repo: Path):
    if not can_watch(repo):
        return  # Where only size and time are looked at, this is known not to be seen.
    path = repo / "shop/store.py"
    with Engine.open(repo) as engine:
        path.write_text("def one(): ...\n", "utf-8")
        engine.refresh()
        engine.refresh()
        before = path.stat()
        path.write_text("def two(): ...\n", "utf-8")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert names(engine, "two") == ["shop/store.py"]


def can_watch(repo: Path) -> bool:
    watch = watched({"": repo}, frozenset())
    if watch is not None:
        watch.close()
    return watch is not None


def replaced(repo: Path) -> None:
    (repo / "new").write_text("def wanted(): ...\n", "utf-8")
    (repo / "new").replace(repo / "shop/store.py")


def put_in_a_new_folder(repo: Path) -> None:
    write_files(repo, {"deep/in/a/wanted.py": "def wanted(): ...\n"})


def moved_in(repo: Path) -> None:
    write_files(repo.parent / "elsewhere", {"sub/wanted.py": "def wanted(): ...\n"})
    (repo.parent / "elsewhere").rename(repo / "moved")


def let_in_by_a_rule(repo: Path) -> None:
    write_files(repo, {"built/wanted.py": "def wanted(): ...\n", ".gitignore": "*.log\n"})


def let_in_by_git(repo: Path) -> None:
    write_files(repo, {"built/wanted.py": "def wanted(): ...\n"})
    subprocess.run(["git", "add", "-f", "built/wanted.py"], cwd=repo, check=True)


def written_by_another_name(repo: Path) -> None:
    (repo.parent / "other-name").write_text("def wanted(): ...\n", "utf-8")


def more_than_the_system_keeps(repo: Path) -> None:
    kept = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text()) if _IS_LINUX else 1
    with (repo / "a.log").open("w") as one, (repo / "b.log").open("w") as other:
        for _ in range(kept):
            one.write("x")
            one.flush()
            other.write("x")
            other.flush()
    (repo / "shop/store.py").write_text("def wanted(): ...\n", "utf-8")


_IS_LINUX = Path("/proc/sys/fs/inotify").exists()


@pytest.mark.parametrize(
    "change",
    [
        replaced,
        put_in_a_new_folder,
        moved_in,
        let_in_by_a_rule,
        let_in_by_git,
        written_by_another_name,
        more_than_the_system_keeps,
    ],
)
def test_every_kind_of_change_is_seen_at_once(
    engine: Engine, repo: Path, change: Callable[[Path], None]
):
    if change is written_by_another_name:
        os.link(repo / "shop/store.py", repo.parent / "other-name")
        engine.refresh()
        engine.rebuild()
        engine.refresh()
    assert names(engine, "wanted") == []
    change(repo)
    assert len(names(engine, "wanted")) == 1
    for number in range(3):  # And it is seen what happens to the same files after that.
        for row in engine.index.symbols_named("wanted"):
            (repo / row.path).write_text(f"def later_{number}(): ...\ndef wanted(): ...\n", "utf-8")
        assert len(names(engine, f"later_{number}")) == 1


def test_what_is_gone_is_not_found(engine: Engine, repo: Path):
    assert engine.prepare().total
    (repo / "shop/store.py").unlink()
    assert "shop/store.py" not in names(engine, "load_user")
    (repo / "shop").rename(repo / "built" / "shop")
    engine.prepare()
    assert not [path for path in engine.index.file_table().paths if path.startswith("shop/")]


def test_other_settings_hold_from_the_next_question_on(engine: Engine):
    engine.use_settings(Settings.model_validate({"workspace": {"include_ignored": ["built/**"]}}))
    assert names(engine, "made") == ["built/made.py"]
    engine.use_settings(Settings())
    assert names(engine, "made") == []


def test_files_of_several_folders_are_told_by_their_labels(repo: Path, tmp_path: Path):
    write_files(tmp_path / "other", {"a.py": "def a(): ...\n"})
    folders = {"shop": repo, "other": tmp_path / "other"}
    watch = watched(folders, {"shop/built/"})
    if watch is None:
        return  # This system cannot watch; that the change is seen is another test's business.
    (repo / "built/more.py").write_text("x", "utf-8")
    (repo / "shop/store.py").write_text("x", "utf-8")
    (tmp_path / "other/a.py").write_text("x", "utf-8")
    changed = frozenset({"shop/shop/store.py", "other/a.py"})
    assert watch.changes() == changed
    assert watch.changes() == changed  # until they are taken in
    watch.settle(changed)
    assert watch.changes() == frozenset()
    watch.close()
    assert watch.changes() is None


def test_folders_on_a_disk_of_others_or_too_many_are_not_watched(repo: Path, monkeypatch):
    monkeypatch.setattr(folder_watch, "_OUR_SHARE", 0.0)
    assert watched({"": repo}, frozenset()) is None
    monkeypatch.setattr(folder_watch, "_OUR_SHARE", 0.5)
    assert watched({"": repo, "again": repo}, frozenset()) is None
    assert watched({"": Path("/proc/self")}, frozenset()) is None
