"""What an index says about a code base, fresh, changed, and read again by another."""

from __future__ import annotations

import importlib.metadata
import shutil
from pathlib import Path

import pytest

from analysis.errors import NotFound
from analysis.index.schema import parsers_fingerprint
from analysis.parsing.grammars import GRAMMAR_PACKAGES
from analysis.stopping import StopFlag
from tests.index.code_base import CodeBase, found

GREETER = '''\
"""Says hello."""
import os
from . import words


class Greeter:
    """Greets people."""

    @property
    def name(self) -> str:
        return os.environ["NAME"]

    def greet(self, other):
        return words.hello(other)
'''
WORDS = """\
def hello(name):
    # the wombat waves
    return f"hello {name}"
"""


@pytest.fixture
def base(tmp_path: Path) -> CodeBase:
    return CodeBase(tmp_path, {"pkg/greeter.py": GREETER, "pkg/words.py": WORDS, "a.md": "# Hi\n"})


def test_first_refresh_reads_everything_and_the_second_nothing(base: CodeBase):
    index = base.open()
    first, second = index.refresh(), index.refresh()
    assert (first.total, first.parsed, first.complete) == (3, 3, True)
    assert (second.total, second.parsed, second.complete) == (3, 0, True)
    again = base.open().refresh()
    assert (again.total, again.parsed) == (3, 0)
    assert index.notices == ()


def test_outline_comes_back_as_it_was_parsed(base: CodeBase):
    from analysis.parsing.outline import outline_of

    outline = base.indexed().outline("pkg/greeter.py")
    assert outline == outline_of("pkg/greeter.py", GREETER)
    assert outline.symbols[0].children[0].decorators == ("property",)


def test_symbols_are_found_by_name_and_file(base: CodeBase):
    index = base.indexed()
    (row,) = index.symbols_named("greet")
    assert (row.path, row.info.line, row.parent) == ("pkg/greeter.py", 13, "Greeter")
    with index.view() as view:
        names = [row.info.qualified_name for row in view.symbols_in("pkg/greeter.py")]
    assert names == ["Greeter", "Greeter.name", "Greeter.greet"]
    assert index.symbol_names() == ["Greeter", "greet", "hello", "name"]
    assert index.symbols_named("Greet") == []


def test_identifiers_and_occurrences(base: CodeBase):
    base.write("lib.js", "const é$ = $hello + hello(hello$)\n")
    index = base.indexed()
    assert index.files_with_identifier("hello") == ["lib.js", "pkg/greeter.py", "pkg/words.py"]
    places = list(index.occurrences("hello"))
    assert places == [
        ("lib.js", 1, 20),
        ("pkg/greeter.py", 1, 8),
        ("pkg/greeter.py", 14, 21),
        ("pkg/words.py", 1, 4),
        ("pkg/words.py", 3, 13),
    ]
    assert list(index.occurrences("hello", within=["lib.js"])) == [("lib.js", 1, 20)]
    assert index.files_with_identifier("é$") == ["lib.js"]


def test_postings_count_by_field(base: CodeBase):
    index = base.indexed()
    assert found(index, "wombat") == ["pkg/words.py"]
    with index.view() as view:
        postings = view.postings("wombat")
        assert postings.counts.tolist() == [[0, 0, 0, 1]]
        (chunk,) = postings.chunk_idx.tolist()
        table = view.chunk_table()
        assert (table.line_start[chunk], table.line_end[chunk]) == (1, 3)
        assert view.chunk_symbol(chunk) == ("hello", "function")
        assert table.kind_name(chunk) == "function"
        assert view.terms_with_prefix("womb") == ["wombat"]
        assert view.document_frequency("wombat") == 1


def test_only_what_changed_is_read_again(base: CodeBase):
    index = base.indexed()
    base.write("pkg/words.py", WORDS.replace("wombat", "ocelot"), age=1)
    base.write("pkg/new.py", "wallaby = 1\n")
    base.remove("a.md")
    report = index.refresh()
    assert (report.total, report.parsed, report.removed) == (3, 2, 1)
    assert found(index, "wombat") == []
    assert found(index, "ocelot") == ["pkg/words.py"]
    assert found(index, "wallabi") == ["pkg/new.py"]
    assert index.files_with_identifier("wombat") == []
    assert index.files_with_identifier("Hi") == []
    with pytest.raises(NotFound):
        index.outline("a.md")


def test_a_new_time_alone_parses_nothing(base: CodeBase):
    index = base.indexed()
    base.write("pkg/words.py", WORDS, age=5)
    report = index.refresh()
    assert (report.parsed, report.unchanged) == (0, 1)
    assert index.refresh().unchanged == 0


def test_named_paths_are_read_again(base: CodeBase):
    index = base.indexed()
    base.write("pkg/words.py", "koala = 1\n", age=1)
    base.write("pkg/greeter.py", "panda = 1\n", age=1)
    assert index.refresh_paths(["pkg/words.py"]).parsed == 1
    assert (found(index, "koala"), found(index, "panda")) == (["pkg/words.py"], [])
    base.write("pkg/other.py", "lemur = 1\n")
    assert index.refresh_paths(["pkg/other.py"]).parsed == 1  # a new file
    assert (found(index, "lemur"), found(index, "panda")) == (["pkg/other.py"], [])
    base.remove("pkg/other.py")
    assert index.refresh_paths(["pkg/other.py"]).removed == 1
    assert index.status().total == 3
    base.write(".gitignore", "*.md\n")  # a new rule: everything is looked at
    report = index.refresh_paths([".gitignore"])
    assert (report.parsed, report.removed, found(index, "panda")) == (2, 1, ["pkg/greeter.py"])
    shutil.rmtree(base.root / "pkg")
    assert index.refresh_paths(["pkg"]).removed == 2
    assert index.refresh_paths(["no/such/file.py", ""]).complete


def test_many_small_changes_leave_few_segments(base: CodeBase):
    index = base.indexed()
    for age in range(1, 30):
        base.write("pkg/words.py", f"def animal_{age}(): return 'kiwi'\n", age=age)
        base.write(f"pkg/more_{age}.py", f"tapir = {age}\n")
        assert index.refresh().parsed == 2
        assert found(index, "kiwi") == ["pkg/words.py"]
        assert len(found(index, "tapir")) == age
    assert index.status().segments < 12
    assert len(index.files_with_identifier("tapir")) == 29
    assert index.outline("pkg/greeter.py").symbols[0].name == "Greeter"


def test_rebuild_reads_everything_again(base: CodeBase):
    index = base.indexed()
    report = index.rebuild()
    assert (report.total, report.parsed) == (3, 3)
    assert found(index, "wombat") == ["pkg/words.py"]


def test_what_is_left_out_when_read_is_not_read_again(base: CodeBase):
    base.write("gen.py", "# Code generated by a tool. DO NOT EDIT.\nx = 1\n")
    base.write("data.txt", "a\0b")
    index = base.indexed()
    report = index.refresh()
    assert report.skipped == {"generated": 1, "binary": 1}
    assert (report.total, report.parsed) == (3, 0)
    assert found(index, "gen") == []


def test_a_stopped_refresh_is_incomplete_and_goes_on_later(base: CodeBase):
    stop = StopFlag()
    stop.set()
    index = base.open()
    assert index.refresh(stop=stop).complete is False
    assert index.refresh().complete is True
    status = index.status()
    assert (status.files, status.total, status.complete) == (3, 3, True)


def test_segments_of_any_size_are_merged_until_they_are_full():
    import sqlite3

    from analysis.index.merge import segments_to_merge

    def check(sizes: list[int], merged: list[int], dead: int | None = None) -> None:
        conn = sqlite3.connect(":memory:")
        conn.execute("CREATE TABLE segments (id INTEGER PRIMARY KEY, n_chunks, files BLOB)")
        conn.execute("CREATE TABLE files (segment)")
        for segment, size in enumerate(sizes):
            conn.execute("INSERT INTO segments VALUES (?, ?, zeroblob(12))", (segment, size))
            for _ in range(1 if segment == dead else 2):
                conn.execute("INSERT INTO files VALUES (?)", (segment,))
        assert segments_to_merge(conn) == merged
        conn.close()

    check([5] * 7, [])
    check([5] * 8, list(range(8)))
    check([5] * 7 + [50] * 7, [])
    check([5] * 7 + [60_000] + [50] * 8, list(range(8, 16)))
    check([4100] * 8, list(range(8)))
    check([20_000] * 8, [0, 1, 2])
    check([33_000] * 20, [])
    check([5, 60_000, 5], [1], dead=1)


def test_an_index_knows_the_versions_that_its_parsers_say_of_themselves():
    packages = ("tree-sitter", *GRAMMAR_PACKAGES)
    said = "-".join(importlib.metadata.version(package) for package in packages)
    assert parsers_fingerprint().partition("-")[2] == said
