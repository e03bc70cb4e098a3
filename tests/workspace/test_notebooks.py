"""Notebooks as one text: markers, formats, damage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analysis.workspace.files import LocalFileBackend
from analysis.workspace.notebooks import flatten_notebook
from tests.workspace.repositories import write


def test_every_line_is_found_in_its_cell() -> None:
    cells = [
        {"cell_type": "code", "source": "a\r\nb\n"},
        {"cell_type": "code", "source": ""},
        {"cell_type": "raw", "source": ["r"]},
        {"cell_type": "code", "source": "c"},
    ]
    source = flatten_notebook("n.ipynb", json.dumps({"cells": cells}))
    assert source is not None
    assert source.text == "# %%\na\nb\n# %%\n# %% [raw]\n# r\n# %%\nc\n"
    cells_at = [(cell.number, cell.kind, cell.line_start, cell.line_end) for cell in source.cells]
    assert cells_at == [
        (1, "code", 2, 3),
        (2, "code", 5, 4),
        (3, "raw", 6, 6),
        (4, "code", 8, 8),
    ]


def test_worksheets_of_old_notebooks() -> None:
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1"]}]}], "nbformat": 3}
    source = flatten_notebook("n.ipynb", json.dumps(old))
    assert source is not None
    assert source.text == "# %%\nx = 1\n"


@pytest.mark.parametrize(
    "data",
    ["", "{", "[]", "{}", "null", '{"cells": 3}', "[" * 100_000, "1" * 5000, '{"worksheets": [1]}'],
)
def test_what_is_no_notebook_has_no_text(tmp_path: Path, data: str) -> None:
    files = LocalFileBackend(write(tmp_path, {"n.ipynb": data}))
    loaded = files.load("n.ipynb")
    assert (loaded.source, loaded.skip) == (None, "unreadable")
    assert files.read("n.ipynb").text == ""


def test_a_damaged_notebook_says_so(tmp_path: Path) -> None:
    files = LocalFileBackend(write(tmp_path, {"n.ipynb": "{"}))
    assert files.read("n.ipynb").notes == ("The notebook is damaged: its cells cannot be read.",)


@pytest.mark.parametrize(
    "cell",
    [None, 3, {}, {"source": 3}, {"source": [1, "x"]}, {"cell_type": 1}, {"source": "\ud800"}],
)
def test_odd_cells_do_no_harm(cell: Any) -> None:
    source = flatten_notebook("n.ipynb", json.dumps({"cells": [cell, {"source": "end"}]}))
    assert source is not None
    source.text.encode()
    assert source.cells[-1].number == 2


def test_a_large_notebook_is_measured_by_its_cells(tmp_path: Path) -> None:
    outputs = [{"data": {"image/png": "A" * 2_000_000}}]
    cell = {"cell_type": "code", "source": "x = 1", "outputs": outputs}
    huge = {"cell_type": "code", "source": "x = 1\n" * 200_000, "outputs": []}
    files = LocalFileBackend(
        write(
            tmp_path,
            {"a.ipynb": json.dumps({"cells": [cell]}), "b.ipynb": json.dumps({"cells": [huge]})},
        )
    )
    assert [file.path for file in files.scan().files] == ["a.ipynb", "b.ipynb"]
    assert [files.load(name).skip for name in ("a.ipynb", "b.ipynb")] == [None, "too_large"]
