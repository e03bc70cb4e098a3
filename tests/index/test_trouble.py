"""Damaged files, folders that cannot be written, full disks: said, and never a wrong answer."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.errors import IndexUnavailable
from analysis.index import store
from analysis.index.seal import seal_path
from analysis.index.store import create_file, remove_file
from tests.index.code_base import CodeBase, found

N_FILES = 60


@pytest.fixture
def base(tmp_path: Path) -> CodeBase:
    body = "\n".join(f"def part_{i}(wombat):\n    return wombat + {i}\n" for i in range(40))
    return CodeBase(tmp_path, {f"m{i}.py": f"name_{i} = 'kiwi'\n{body}" for i in range(N_FILES)})


def database(base: CodeBase) -> Path:
    (path,) = base.cache.glob("*.sqlite")
    return path


def overwrite(path: Path, start: float, data: bytes) -> None:
    with path.open("r+b") as stream:
        stream.seek(int(path.stat().st_size * start))
        stream.write(data)


DAMAGE = {
    "not a database": lambda path: path.write_bytes(b"nonsense" * 1000),
    "empty": lambda path: path.write_bytes(b""),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "header": lambda path: overwrite(path, 0, b"\xff" * 100),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_file_is_built_anew(base: CodeBase, damage):
    index = base.indexed()
    index.close()
    damage(database(base))
    index = base.open()
    with contextlib.suppress(IndexUnavailable):  # some damage shows only when it is read
        found(index, "wombat")
    report = index.refresh()
    assert (report.total, report.parsed, report.complete) == (N_FILES, N_FILES, True)
    assert len(found(index, "wombat")) == N_FILES
    assert base.open().refresh().parsed == 0


def test_damage_that_shows_late_is_mended_by_the_next_refresh(base: CodeBase):
    base.indexed().close()
    path = database(base)
    seal_path(path).unlink()  # as after a writer was killed
    n_pages = path.stat().st_size // 4096
    for page in range(8, n_pages):
        overwrite(path, page * 4096 / path.stat().st_size, b"\xee" * 512)
    index = base.open()
    with pytest.raises(IndexUnavailable, match="cannot be read"):
        [index.outline(f"m{i}.py") for i in range(N_FILES)]
    report = index.refresh()
    assert report.parsed == N_FILES
    assert any("damaged" in note for note in report.notes)
    assert len(index.outline("m7.py").symbols) == 41


def test_a_file_of_another_version_is_built_anew(base: CodeBase):
    base.indexed().close()
    conn = sqlite3.connect(database(base))
    conn.execute("UPDATE meta SET value = 0 WHERE key = 'format'")
    conn.commit()
    conn.close()
    index = base.open()
    assert "another version" in index.notices[0]
    assert index.refresh().parsed == N_FILES


def test_a_file_that_vanishes_under_an_open_index_is_made_again(base: CodeBase):
    index = base.indexed()
    for path in base.cache.glob("*.sqlite*"):
        path.unlink()
    assert index.refresh().parsed == N_FILES
    assert len(found(index, "wombat")) == N_FILES
    assert base.open().refresh().parsed == 0


def test_without_a_folder_to_write_the_index_is_in_memory(base: CodeBase):
    base.cache.write_text("a file where the folder should be")
    index = base.open()
    assert "held in memory" in index.notices[0]
    assert index.refresh().parsed == N_FILES
    assert index.refresh().parsed == 0
    assert len(found(index, "wombat")) == N_FILES
    assert index.status().path is None
    assert index.rebuild().parsed == N_FILES


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal"])
def test_a_pipe_beside_the_index_is_not_waited_for(base: CodeBase, suffix: str):
    base.indexed().close()
    path = database(base)
    pipe = path.with_name(path.name + suffix)
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    index = base.open()
    assert "damaged" in index.notices[0]
    assert (index.refresh().parsed, index.status().path) == (N_FILES, str(path))
    assert base.open().refresh().parsed == 0


@contextlib.contextmanager
def held(path: Path, begin: str) -> Iterator[None]:
    """Hold an index file as another program may; SQLite tells connections apart, not processes."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute(begin)
        other.execute("UPDATE meta SET value = value")
        yield
        other.execute("ROLLBACK")


def test_a_file_that_another_program_holds_for_itself_is_not_waited_for(
    base: CodeBase, monkeypatch: pytest.MonkeyPatch
):
    base.indexed().close()
    monkeypatch.setattr(store, "_BUSY_TIMEOUT_S", 0.1)
    started = time.monotonic()
    with held(database(base), "BEGIN EXCLUSIVE"):
        index = base.open()
        assert "End the program that holds it" in index.notices[0]
        report = index.refresh()
        assert (report.parsed, report.complete) == (N_FILES, True)
        assert len(found(index, "wombat")) == N_FILES
    assert time.monotonic() - started < 30
    assert base.open().refresh().parsed == 0  # What lay on the disk is used again.


def test_a_file_that_another_program_writes_for_ever_is_gone_on_with_in_memory(
    base: CodeBase, monkeypatch: pytest.MonkeyPatch
):
    index = base.indexed()
    monkeypatch.setattr(store, "_BUSY_TIMEOUT_S", 0.1)
    base.write("m1.py", "quokka = 1\n", age=1)
    index.close()
    index = base.open()
    with contextlib.closing(sqlite3.connect(database(base), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        report = index.refresh()
        assert (report.parsed, report.complete) == (1, True)
        assert any("held in memory" in note for note in report.notes)
        assert found(index, "quokka") == ["m1.py"]
        other.execute("ROLLBACK")
    assert base.open().refresh().parsed == 1


def test_a_file_that_gets_out_of_reach_is_told_and_made_up_for(base: CodeBase):
    index = base.indexed()
    index.close()
    base.cache.rename(base.root.parent / "aside")
    with pytest.raises(IndexUnavailable, match="unable to open"):
        found(index, "wombat")
    assert index.refresh().complete
    assert len(found(index, "wombat")) == N_FILES


FULL_DISK = """
import resource, sys
from pathlib import Path
from tests.index.code_base import CodeBase, found
base = CodeBase(Path(sys.argv[1]), {})
index = base.open()
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
report = index.refresh()
assert report.complete and report.total == 60, report
assert any("held in memory" in note for note in report.notes), report
assert len(found(index, "wombat")) == 60
assert index.refresh().parsed == 0
"""


def test_on_a_full_disk_the_index_goes_on_in_memory(base: CodeBase):
    subprocess.run([sys.executable, "-c", FULL_DISK, str(base.root.parent)], check=True)
    assert len(found(base.indexed(), "wombat")) == N_FILES


def test_two_versions_at_once_do_not_write_into_one_file(base: CodeBase):
    old = base.indexed()
    path = database(base)
    remove_file(path)
    create_file(path, "other")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as newer:
        newer.execute("UPDATE meta SET value = 'newer' WHERE key = 'parsers'")
    before = path.read_bytes()
    base.write("a.py", "def kiwi_again(): ...\n", age=1)
    report = old.refresh()
    assert any("another version" in note for note in report.notes)
    assert old.status().path is None
    assert [row.path for row in old.symbols_named("kiwi_again")] == ["a.py"]
    assert path.read_bytes() == before
    old.close()
