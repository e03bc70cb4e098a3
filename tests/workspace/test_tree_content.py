"""A tree shows what is searched: what is left out for its content is counted, not listed."""

from __future__ import annotations

from pathlib import Path

from analysis.workspace.files import LocalFileBackend
from tests.index.code_base import CodeBase
from tests.workspace.repositories import write


def test_a_tree_shows_what_is_searched(tmp_path: Path):
    tree = {"a.py": "x = 1\n", "b/c.js": "\0" * 50, "b/d.js": "y\n", "e.js": "var a=1;" * 9000}
    files = LocalFileBackend(write(tmp_path, tree))
    shown = files.get_tree()
    assert [entry.path for entry in shown.entries] == ["b", "a.py"]
    assert [entry.path for entry in shown.entries[0].children] == ["b/d.js"]
    assert (shown.file_count, shown.skipped) == (2, {"binary": 1, "minified": 1})
    assert files.get_tree("b").skipped == {"binary": 1}


def test_source_that_is_not_searched_is_named(tmp_path: Path):
    base = CodeBase(tmp_path, {"a.py": "x = 1\n", "b.js": "\0" * 50, "logo": "\0"})
    assert base.indexed().refresh().notes == ("Not searched for what is in them: 'b.js' (binary).",)
