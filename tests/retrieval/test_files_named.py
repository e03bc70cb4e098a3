"""Which files a path or a file name means."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.index.tables import FileTable
from analysis.retrieval.selection import files_named

PATHS = ("App.py", "src/app.py", "src/app.pyi", "lib/src/app.py", "b.py", "docs/Größe.MD")
FILES = FileTable(
    PATHS, ("",) * len(PATHS), np.zeros(len(PATHS), np.int32), {p: i for i, p in enumerate(PATHS)}
)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("app.py", ["src/app.py", "lib/src/app.py"]),
        ("App.py", ["App.py"]),
        ("APP.PY", ["App.py", "src/app.py", "lib/src/app.py"]),
        ("src/app.py", ["src/app.py"]),
        ("SRC/App.py", ["src/app.py", "lib/src/app.py"]),
        ("pp.py", []),
        ("src", []),
        ("größe.md", ["docs/Größe.MD"]),
        ("app.py\0b.py", []),
        ("", []),
    ],
)
def test_a_name_means_the_files_whose_path_ends_so(name: str, found: list[str]):
    assert [PATHS[i] for i in files_named(FILES, [name])] == found
