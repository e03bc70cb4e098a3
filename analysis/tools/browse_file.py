"""The tool that reads on in a file: iterative mode's reading."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from analysis.tools.get_file_outline import outline_in
from analysis.tools.path_argument import file_meant
from analysis.tools.read_file import LIMIT, file_from
from analysis.tools.tool import ToolContext, ToolResult, tool


@tool(LIMIT)
def browse_file(
    context: ToolContext, path: str, from_line: Annotated[int, Field(ge=1)] = 1
) -> ToolResult:
    """Read a file from a line on, up to 8,000 characters. skim_file is cheaper.

    Args:
        path: File, relative to the root.
        from_line: First line: the rest of a long file.
    """
    outline = outline_in(context, file_meant(path, context.code))
    return file_from(context, outline, from_line)
