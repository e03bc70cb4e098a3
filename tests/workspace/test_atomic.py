"""Files are written whole or not at all, and never over another."""

from __future__ import annotations

import errno
import os
import resource
import signal
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from analysis.errors import OutputUnwritable
from analysis.workspace.atomic import create_unique, write_atomically


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_write_replaces_and_makes_folders(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b.md"
    write_atomically(path, "one\n")
    write_atomically(path, "zwölf\n")
    assert path.read_bytes() == "zwölf\n".encode()
    assert names(path.parent) == ["b.md"]


def test_permissions_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    write_atomically(path, "x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    path.chmod(0o600)
    write_atomically(path, "y")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_unique_names_count_up_even_in_a_race(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = list(
            threads.map(lambda n: create_unique(tmp_path, "doc", ".md", f"{n}\n"), range(20))
        )
    assert len(set(made)) == 20
    assert sorted(path.read_text() for path in made) == sorted(f"{n}\n" for n in range(20))
    assert names(tmp_path) == sorted(["doc.md", *(f"doc-{n}.md" for n in range(2, 21))])


def test_a_file_where_a_folder_is_needed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputUnwritable, match="cannot be written"):
        create_unique(tmp_path / "file", "doc", ".md", "x")
    with pytest.raises(OutputUnwritable):
        write_atomically(tmp_path / "file" / "doc.md", "x")


def test_a_link_in_place_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "root").mkdir()
    (tmp_path / "root/.scope").symlink_to("../outside")
    with pytest.raises(OutputUnwritable, match="leads outside"):
        create_unique(tmp_path / "root/.scope", "a", ".md", "x", within=tmp_path / "root")
    assert names(tmp_path / "outside") == []
    made = create_unique(tmp_path / "root/new", "a", ".md", "x", within=tmp_path / "root")
    assert made.read_text() == "x"


def test_a_folder_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "doc.md").mkdir()
    with pytest.raises(OutputUnwritable):
        write_atomically(tmp_path / "doc.md", "x")
    assert names(tmp_path) == ["doc.md"]


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    write_atomically(path, "old")
    # The limit on a file's size stands for a full disk: the write fails part-way.
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    previous = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(OutputUnwritable) as caught:
            write_atomically(path, "new" * 10_000)
        with pytest.raises(OutputUnwritable):
            create_unique(tmp_path, "b", ".md", "new" * 10_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, previous)
    assert os.strerror(errno.EFBIG) in caught.value.message
    assert (names(tmp_path), path.read_text()) == (["a.md"], "old")
