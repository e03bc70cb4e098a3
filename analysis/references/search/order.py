"""The order in which uses are listed."""

from __future__ import annotations

from collections.abc import Iterable

from analysis.models import Reference


def in_order(references: Iterable[Reference]) -> tuple[Reference, ...]:
    """Return uses in order of path and place, likely ones first and those in tests last."""
    return tuple(
        sorted(references, key=lambda r: (r.is_test, r.unlikely, r.path, r.line, r.column))
    )
