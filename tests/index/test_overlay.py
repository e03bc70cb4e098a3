"""While a file is open in an editor, its buffer is what is found; the disk afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import NotFound
from tests.index.code_base import CodeBase, found

SHAPES = "def area(shape):\n    # the wombat measures\n    return shape.width\n"


@pytest.fixture
def base(tmp_path: Path) -> CodeBase:
    return CodeBase(
        tmp_path,
        {
            "a.py": "from shapes import area\n",
            "shapes.py": SHAPES,
            "z.py": "def last():\n    return 'wombat'\n",
            ".gitignore": "secret/\n",
        },
    )


def test_the_buffer_wins_in_every_reading_and_nothing_of_it_is_stored(base: CodeBase):
    index = base.indexed()
    base.buffers.open("shapes.py", "import ocelot\n\n\nclass Square:\n    side = 1\n", 2)
    with index.view() as view:
        files, chunks = view.file_table(), view.chunk_table()
        shapes = files.index_of["shapes.py"]
        assert files.line_counts[shapes] == 5
        first, n = int(chunks.first_chunk[shapes]), int(chunks.n_chunks[shapes])
        assert (chunks.file_idx[first : first + n] == shapes).all()
        assert (chunks.file_idx == shapes).sum() == n
        covered = [
            line
            for i in range(first, first + n)
            for line in range(chunks.line_start[i], chunks.line_end[i] + 1)
        ]
        assert covered == [1, 2, 3, 4, 5]
        (hit,) = view.postings("squar").chunk_idx[-1:].tolist()
        assert view.chunk_symbol(hit)[0] == "Square"
        assert view.document_frequency("squar") == len(view.postings("squar"))
        assert view.terms_with_prefix("ocel") == ["ocelot"]
    assert found(index, "wombat") == ["z.py"]
    assert found(index, "ocelot") == ["shapes.py"]
    assert index.files_with_identifier("area") == ["a.py"]
    assert index.files_with_identifier("ocelot") == ["shapes.py"]
    assert list(index.occurrences("ocelot")) == [("shapes.py", 1, 7)]
    assert index.symbols_named("area") == []
    with index.view() as view:
        assert [row.info.name for row in view.symbols_in("shapes.py")] == ["Square", "side"]
        assert view.imports("shapes.py")[0].module == "ocelot"
    assert index.symbol_names() == ["Square", "area", "last", "side"]
    assert index.outline("shapes.py").imports[0].module == "ocelot"
    assert index.refresh().parsed == 0
    assert found(base.open(), "ocelot") == ["shapes.py"]  # another reader of the same buffers
    base.buffers.close("shapes.py")
    assert found(index, "wombat") == ["shapes.py", "z.py"]
    assert index.symbols_named("area")[0].path == "shapes.py"


def test_each_version_is_seen(base: CodeBase):
    index = base.indexed()
    for version, animal in enumerate(("koala", "panda", "lemur")):
        base.buffers.open("shapes.py", f"{animal} = 1\n", version)
        assert index.files_with_identifier(animal) == ["shapes.py"]
    assert index.files_with_identifier("koala") == []
    base.buffers.close("shapes.py")
    base.buffers.open("shapes.py", "tapir = 1\n", 0)  # opened again: the editor counts anew
    assert index.files_with_identifier("tapir") == ["shapes.py"]


def test_a_file_that_is_only_in_the_editor_is_found(base: CodeBase):
    index = base.indexed()
    base.buffers.open("new.py", "def fresh_kiwi():\n    pass\n", 1)
    assert found(index, "kiwi") == ["new.py"]
    assert index.outline("new.py").symbols[0].name == "fresh_kiwi"
    base.buffers.close("new.py")
    with pytest.raises(NotFound):
        index.outline("new.py")


def test_an_open_file_that_is_ignored_stays_out(base: CodeBase):
    base.write("secret/key.py", "kiwi = 1\n")
    index = base.indexed()
    base.buffers.open("secret/key.py", "kiwi = 2\n", 1)
    base.buffers.open("blob.py", "\0kiwi", 1)
    assert found(index, "kiwi") == []
    assert index.files_with_identifier("kiwi") == []


def test_a_stored_change_under_an_open_buffer(base: CodeBase):
    index = base.indexed()
    base.buffers.open("shapes.py", "ocelot = 1\n", 1)
    assert found(index, "ocelot") == ["shapes.py"]
    base.write("shapes.py", "lemur = 1\n", age=1)
    base.write("a.py", "panda = 1\n", age=1)
    assert index.refresh().parsed == 2
    assert (found(index, "ocelot"), found(index, "lemur")) == (["shapes.py"], [])
    assert found(index, "panda") == ["a.py"]
    base.buffers.close("shapes.py")
    assert (found(index, "ocelot"), found(index, "lemur")) == ([], ["shapes.py"])
