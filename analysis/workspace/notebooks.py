"""Jupyter notebooks as one text: cells in order, outputs never read.

The text has the "percent" form that editors know: a line ``# %%`` above each cell, markdown as
comments, so that it parses as code and every cell can be found again by line.
"""

from __future__ import annotations

import json
from typing import Any, Literal, cast

from analysis.models import NotebookCell, SourceText
from analysis.workspace.decoding import normalize_newlines, without_surrogates

SUFFIX = ".ipynb"


def is_notebook(path: str) -> bool:
    """Return whether the path names a notebook."""
    return path.lower().endswith(SUFFIX)


def flatten_notebook(path: str, text: str, encoding: str = "utf-8") -> SourceText | None:
    """Return a notebook's cells as one text, or None if the text is not a notebook."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    cells = _cells_of(data)
    if cells is None:
        return None
    lines: list[str] = []
    ranges: list[NotebookCell] = []
    for number, cell in enumerate(cells, 1):
        kind = _kind_of(cell)
        body = _lines_of(cell)
        if kind != "code":
            body = [f"# {line}".rstrip() for line in body]
        lines.append("# %%" if kind == "code" else f"# %% [{kind}]")
        start = len(lines) + 1
        lines += body
        ranges.append(NotebookCell(number, kind, start, start + len(body) - 1))
    flat = "\n".join(lines) + "\n" if lines else ""
    return SourceText(path, flat, encoding, cells=tuple(ranges))


def _cells_of(data: Any) -> list[dict[str, Any]] | None:
    """Return the cells of a notebook of format 4, or of the worksheets of format 3."""
    if not isinstance(data, dict):
        return None
    cells = data.get("cells")
    if cells is None and isinstance(data.get("worksheets"), list):
        sheets = [sheet for sheet in data["worksheets"] if isinstance(sheet, dict)]
        cells = [cell for sheet in sheets for cell in sheet.get("cells") or []]
    if not isinstance(cells, list):
        return None
    return [cell if isinstance(cell, dict) else {} for cell in cells]


def _kind_of(cell: dict[str, Any]) -> Literal["code", "markdown", "raw"]:
    kind = cell.get("cell_type")
    if kind in ("code", "markdown"):
        # mypy does not narrow a str by membership.
        return cast(Literal["code", "markdown"], kind)
    return "markdown" if kind == "heading" else "raw"


def _lines_of(cell: dict[str, Any]) -> list[str]:
    """Return the source lines of a cell, as the notebook shows them."""
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str) or not source:
        return []
    lines = normalize_newlines(without_surrogates(source)).split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines
