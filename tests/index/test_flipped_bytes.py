"""A byte that was changed anywhere in the index: built anew or said, never a wrong answer."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.errors import IndexUnavailable
from analysis.index.code_index import CodeIndex
from analysis.index.seal import put_seal, seal_path, seal_state
from tests.index.code_base import CodeBase, found

FILES = {
    f"pkg/m{i}.py": f"import wombat_{i % 3}\n\n\ndef kiwi_{i}(ocelot):\n    return ocelot + {i}\n"
    for i in range(12)
}


def everything(index: CodeIndex) -> dict[str, object]:
    """All that a reader can learn of the index."""
    with index.view() as view:
        chunks = view.chunk_table()
        return {
            "paths": list(view.file_table().paths),
            "chunks": [chunks.line_start.tolist(), chunks.line_end.tolist()],
            "terms": {term: found(index, term) for term in ("kiwi", "ocelot", "wombat")},
            "names": view.symbol_names(),
            "symbols": [view.symbols_named(name) for name in view.symbol_names()],
            "outlines": [view.outline(path) for path in FILES],
            "facts": [view.facts(path) for path in FILES],
            "identifiers": {n: view.files_with_identifier(n) for n in ("ocelot", "wombat_1")},
        }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[CodeBase, dict[str, object], Path]:
    folder = tmp_path_factory.mktemp("flips")
    base = CodeBase(folder, FILES)
    index = base.indexed()
    truth = everything(index)
    index.close()
    shutil.copytree(base.cache, folder / "as-built", copy_function=shutil.copy2)
    return base, truth, folder / "as-built"


def restored(built: tuple[CodeBase, dict[str, object], Path]) -> tuple[CodeBase, dict[str, object]]:
    base, truth, as_built = built
    shutil.rmtree(base.cache)
    shutil.copytree(as_built, base.cache, copy_function=shutil.copy2)
    return base, truth


def flip(path: Path, at: int, bit: int) -> None:
    """Change one bit of a file, and leave its time as it was."""
    state = path.stat()
    with path.open("r+b") as stream:
        stream.seek(at)
        (byte,) = stream.read(1)
        stream.seek(at)
        stream.write(bytes([byte ^ (1 << bit)]))
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


def check_true_in_the_end(base: CodeBase, truth: dict[str, object]) -> None:
    """Check that a reader learns the truth, after at most one that learns of the damage."""
    for _ in range(2):
        index = base.open()
        try:
            index.refresh()
            assert everything(index) == truth
            return
        except IndexUnavailable:
            continue
        finally:
            index.close()
    raise AssertionError("the damage was told twice")


@pytest.mark.parametrize("seed", range(40))
def test_a_flipped_bit_is_never_a_wrong_answer(built, seed: int):
    base, truth = restored(built)
    chance = random.Random(seed)
    files = sorted(path for path in base.cache.iterdir() if path.stat().st_size)
    # Half of them in the small files.
    path = files[seed % len(files)] if seed % 2 else max(files, key=lambda p: p.stat().st_size)
    flip(path, chance.randrange(path.stat().st_size), chance.randrange(8))
    check_true_in_the_end(base, truth)


@pytest.mark.parametrize("seed", range(40))
def test_without_a_seal_damage_that_shows_is_told_once(built, seed: int):
    """As after a writer was killed: what SQLite cannot see is believed, but nothing fails twice."""
    base, _ = restored(built)
    (path,) = base.cache.glob("*.sqlite")
    seal_path(path).unlink()
    chance = random.Random(seed)
    for _ in range(6):
        flip(path, chance.randrange(path.stat().st_size), chance.randrange(8))
    failures = 0
    for _ in range(3):
        index = base.open()
        try:
            index.refresh()
            everything(index)
        except IndexUnavailable:
            failures += 1
        finally:
            index.close()
    assert failures <= 1


def test_a_copied_index_is_used_as_it_is(built):
    base, truth = restored(built)
    (path,) = base.cache.glob("*.sqlite")
    assert seal_state(path) == "intact"
    index = base.open()
    assert index.refresh().parsed == 0
    assert everything(index) == truth


def test_a_server_that_runs_notices_too(built):
    base, truth = restored(built)
    index = base.open()
    index.refresh()
    (path,) = base.cache.glob("*.sqlite")
    flip(path, path.stat().st_size // 2, 3)
    report = index.refresh()
    assert report.parsed == len(FILES)
    assert any("damaged" in note for note in report.notes)
    assert everything(index) == truth


def test_a_seal_comes_back_after_a_kill(built):
    base, truth = restored(built)
    (path,) = base.cache.glob("*.sqlite")
    seal_path(path).unlink()
    index = base.open()
    assert index.refresh().parsed == 0
    assert seal_state(path) == "intact"
    assert everything(index) == truth


def test_to_look_at_the_seal_gives_up_no_lock(built):
    """Otherwise another process takes itself for the last, and removes the log that is in use."""
    base, _ = restored(built)
    index = base.open()
    index.refresh()
    base.write("pkg/m0.py", "def kiwi_0(ocelot):\n    return 7\n", age=9)
    (path,) = base.cache.glob("*.sqlite")
    with index.view():
        index.refresh()  # What is read stays in the log.
        put_seal(path, with_checksum=True)
        log = path.with_name(path.name + "-wal")
        before = log.stat().st_ino, log.stat().st_size
        assert before[1] > 0
        other = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]);"
        other += " c.execute('SELECT count(*) FROM files').fetchone(); c.close()"
        subprocess.run([sys.executable, "-c", other, str(path)], check=True)
        assert (log.stat().st_ino, log.stat().st_size) == before
    index.close()
    base.write("pkg/m0.py", FILES["pkg/m0.py"])


def test_two_that_write_in_turn_leave_a_seal_that_holds(built):
    base, _ = restored(built)
    first, second = base.open(), base.open()
    for age, index in enumerate((first, second, first, second), start=1):
        base.write("pkg/m0.py", f"def kiwi_0(ocelot):\n    return {age}\n", age=age)
        assert index.refresh().parsed == 1
    (path,) = base.cache.glob("*.sqlite")
    assert seal_state(path) == "intact"
    first.close()
    second.close()
    assert seal_state(path) == "intact"
    assert base.open().refresh().parsed == 0
    base.write("pkg/m0.py", FILES["pkg/m0.py"])
