"""Which references of documents cite a place in the code, as the code is numbered now."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from analysis.documents.document_check import DocumentCheck
from analysis.documents.reanchored import Reanchored
from analysis.models import RefState

_NOWHERE = frozenset({RefState.GONE, RefState.AMBIGUOUS})


@dataclass(frozen=True, slots=True)
class CitingReference:
    """A reference of a document to a place that was asked for."""

    document: Path
    found: Reanchored
    """The reference, and what became of it."""
    line_start: int
    """Where the cited code is now; 0 if that cannot be told."""
    line_end: int


def citing_references(
    document: Path,
    check: DocumentCheck,
    path: str,
    line_start: int | None = None,
    line_end: int | None = None,
) -> list[CitingReference]:
    """Return the references of a document to a file, or to lines of it, from the top down.

    Code that is gone or ambiguous is cited in its file, but at no line of it. A reference that the
    text does not link any more cites nothing.

    Args:
        document: Where the document lies.
        check: What became of it.
        path: The file, as it is called now.
        line_start: First line that counts, 1-based; None for the whole file.
        line_end: Last line that counts; None for the first one alone.
    """
    found = []
    for item in check.references:
        if item.change == "removed" or (item.new_path or item.reference.path) != path:
            continue
        start, end = place_now(item)
        if line_start is not None and not (start <= (line_end or line_start) and line_start <= end):
            continue
        found.append(CitingReference(document, item, start, end))
    return sorted(found, key=lambda one: (one.line_start, one.line_end))


def place_now(item: Reanchored) -> tuple[int, int]:
    """Return the lines where cited code is now, 0 and 0 if that cannot be told."""
    if item.new_line_start is not None:
        return item.new_line_start, item.new_line_end or item.new_line_start
    if item.reference.state in _NOWHERE:
        return 0, 0
    return item.reference.line_start, item.reference.line_end
