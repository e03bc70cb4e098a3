"""The tool that reads on in a file: iterative mode's reading."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from analysis.errors import ToolRetry
from analysis.tools.get_file_outline import outline_in
from analysis.tools.meant import file_meant
from analysis.tools.read_file import file_summary
from analysis.tools.read_lines import LIMIT, numbered_part
from analysis.tools.tool import Shown, ToolContext, ToolResult, tool


@tool(LIMIT)
def browse_file(
    context: ToolContext, path: str, from_line: Annotated[int, Field(ge=1)] = 1
) -> ToolResult:
    """Read a file from a line on, up to 8,000 characters. skim_file is cheaper.

    Args:
        path: File, relative to the root.
        from_line: First line: the rest of a long file.
    """
    file = file_meant(path, context.code)
    n_lines = len(context.code.lines(file))
    if from_line > max(n_lines, 1):
        raise ToolRetry(f"Line {from_line} is behind the end of {file}, which has {n_lines}.")
    text, last = numbered_part(context, file, from_line, n_lines, LIMIT, "browse_file, from_line=")
    summary = file_summary(context, outline_in(context, file))
    shown = (Shown(file, from_line, last),) if last >= from_line else ()
    return ToolResult(text, "low", summary, shown, paths=(file,))
