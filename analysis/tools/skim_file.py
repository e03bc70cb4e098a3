"""The tool that shows a file's shape under the name of iterative mode."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from analysis.tools.get_file_outline import LIMIT, outlined
from analysis.tools.tool import ToolContext, ToolResult, tool


@tool(LIMIT)
def skim_file(
    context: ToolContext,
    path: str,
    symbol: str | None = None,
    from_line: Annotated[int, Field(ge=1)] = 1,
) -> ToolResult:
    """Show what a file imports and defines: line ranges and signatures, no bodies.

    Classes of a large file come folded.

    Args:
        path: File, relative to the root.
        symbol: Only the members of this definition: unfolds it.
        from_line: Only definitions from this line on: the rest of a long outline.
    """
    return outlined(context, path, symbol, from_line)
