"""Says how to read on, by the tools that the model has."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.tools.tool import ToolContext

_READERS = ("browse_file", "read_file")


def how_to_read(context: ToolContext, first: int, last: int) -> str:
    """Return what to call for the lines of a file from ``first`` to ``last``."""
    if "read_lines" not in context.offered:
        for name in _READERS:
            if name in context.offered:
                return f"{name}, from_line={first}"
    return f"read_lines, {first}-{last}"
