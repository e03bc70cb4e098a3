"""An index that somebody prepared and sealed: built anew once at most, and nothing of it is run."""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from pathlib import Path

import pytest

from analysis.errors import IndexUnavailable
from analysis.index.code_index import CodeIndex
from analysis.index.seal import put_seal, seal_path
from tests.index.code_base import CodeBase
from tests.index.test_flipped_bytes import FILES, check_true_in_the_end, everything

BOMB = zlib.compress(bytes(300_000_000), 1)
ENDLESS = """ALTER TABLE files RENAME TO kept;
CREATE VIEW files AS WITH RECURSIVE c(n) AS
 (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n id, 'a' || n path, 1 size, 1 mtime_ns, x'' hash,
 1 segment, '' language, 1 line_count, NULL skipped FROM c"""


def prepared(folder: Path, sql: str, values: tuple[object, ...], *, is_sealed: bool) -> CodeBase:
    folder.mkdir(exist_ok=True)
    base = CodeBase(folder, FILES)
    base.indexed().close()
    (path,) = base.cache.glob("*.sqlite")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as conn:
        for statement in sql.split(";\n"):
            conn.execute(statement, values)
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if is_sealed:
        put_seal(path, with_checksum=True)
    else:
        seal_path(path).unlink()
    return base


def truth_of(folder: Path) -> dict[str, object]:
    folder.mkdir()
    index = CodeBase(folder, FILES).indexed()
    try:
        return everything(index)
    finally:
        index.close()


@pytest.mark.parametrize("is_sealed", [True, False])
@pytest.mark.parametrize(
    ("sql", "values"),
    [
        ("UPDATE details SET outline = ? WHERE file_id = 3", (BOMB,)),
        ("UPDATE details SET outline = ?", (zlib.compress(b"[" * 90_000),)),
        ("UPDATE details SET outline = 'text'", ()),
        ("UPDATE details SET outline = ?", (zlib.compress(b'{"imports": 5}'),)),
        ("UPDATE files SET line_count = 9223372036854775807", ()),
        ("UPDATE files SET path = '../../outside/' || path", ()),
        ("UPDATE files SET hash = zeroblob(50000), mtime_ns = 'x'", ()),
        ("UPDATE segments SET chunks = zeroblob(50000)", ()),
        ("UPDATE segments SET n_chunks = 4294967295", ()),
        ("UPDATE postings SET data = x'ffffffffffff'", ()),
        ("UPDATE postings SET data = 'text'", ()),
        ("UPDATE identifiers SET data = x'ffffff'", ()),
        ("UPDATE symbols SET decorators = '[[['", ()),
        ("UPDATE meta SET value = 'x' WHERE key = 'generation'", ()),
        (ENDLESS, ()),
        ("CREATE TRIGGER t AFTER UPDATE ON meta BEGIN DELETE FROM files; END", ()),
    ],
)
def test_what_cannot_be_is_told_once_and_mended(
    tmp_path: Path, sql: str, values: tuple[object, ...], is_sealed: bool
):
    base = prepared(tmp_path / "a", sql, values, is_sealed=is_sealed)
    check_true_in_the_end(base, truth_of(tmp_path / "b"))


def test_a_file_that_contradicts_itself_is_mended_and_not_held_in_memory(tmp_path: Path):
    sql = "UPDATE meta SET value = 0 WHERE key = 'last_segment'"
    base = prepared(tmp_path, sql, (), is_sealed=True)
    base.write("pkg/m0.py", "def kiwi_new(): ...\n", age=1)
    index = base.open()
    try:
        report = index.refresh()
        assert report.total == len(FILES)
        assert any("damaged" in note for note in report.notes)
        assert index.status().path is not None
        assert [row.path for row in index.symbols_named("kiwi_new")] == ["pkg/m0.py"]
    finally:
        index.close()


def test_what_comes_back_is_no_damage(tmp_path: Path):
    """As a bug of ours would: a file that is built anew for it again and again helps nobody."""
    failures: list[type[Exception]] = []
    for _ in range(3):
        sql = "UPDATE postings SET data = 'text'"
        base = prepared(tmp_path / "a", sql, (), is_sealed=True)
        index = base.open()
        try:
            index.refresh()
            everything(index)
        except (IndexUnavailable, TypeError) as error:
            failures.append(type(error))
        finally:
            index.close()
        if failures[-1] is IndexUnavailable:
            again = base.open()
            again.refresh()
            everything(again)
            again.close()
    assert failures == [IndexUnavailable, TypeError, TypeError]


@pytest.mark.parametrize("facts", [BOMB, zlib.compress(b"cos\nsystem\n(S'false'\ntR."), b"x", "x"])
def test_prepared_facts_are_no_facts(tmp_path: Path, facts: object):
    from analysis.parsing.facts.tables import DamagedFacts, unpack

    base = prepared(
        tmp_path,
        "UPDATE details SET facts = ?"
        " WHERE file_id = (SELECT id FROM files WHERE path = 'pkg/m0.py')",
        (facts,),
        is_sealed=True,
    )
    index: CodeIndex = base.open()
    try:
        with index.view() as view:
            raw = view.facts("pkg/m0.py")
        with pytest.raises(DamagedFacts):
            unpack(raw)
    except IndexUnavailable:
        assert isinstance(facts, str)
    finally:
        index.close()
