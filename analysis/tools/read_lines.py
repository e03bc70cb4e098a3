"""The tool that reads a range of lines."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from analysis.errors import ToolRetry
from analysis.tools.path_argument import file_meant
from analysis.tools.read_hints import how_to_read
from analysis.tools.tool import Shown, ToolContext, ToolResult, tool

LIMIT = 8_000
_MAX_LINE = 600
_NOTE = 120


@tool(LIMIT)
def read_lines(
    context: ToolContext,
    path: str,
    line_start: Annotated[int, Field(ge=1)],
    line_end: Annotated[int, Field(ge=1)],
) -> ToolResult:
    """Read lines of a file with their numbers.

    Use it for what has no name: the lines around a match, the rest of a long body, configuration.
    For code with a name use read_symbol.

    Args:
        path: File, relative to the root.
        line_start: First line, counted from 1.
        line_end: Last line.
    """
    file = file_meant(path, context.code)
    n_lines = len(context.code.lines(file))
    if line_end < line_start:
        raise ToolRetry(f"Lines {line_start}-{line_end} are no range: first to last.")
    if line_start > n_lines:
        raise ToolRetry(f"Line {line_start} is behind the end of {file}, which has {n_lines}.")
    text, last = numbered_part(context, file, line_start, line_end, LIMIT)
    shown = Shown(file, line_start, last)
    summary = f"{file}: lines {line_start}-{last} were read"
    return ToolResult(text, "medium", summary, (shown,), paths=(file,))


def numbered_part(
    context: ToolContext, path: str, start: int, end: int, limit: int
) -> tuple[str, int]:
    """Return numbered lines under the name of their file, with what is left, and the last line.

    Args:
        context: What tools work on.
        path: A file.
        start: First line.
        end: Last line; the last of the file if that comes before.
        limit: The most characters.
    """
    n_lines = len(context.code.lines(path))
    head = f"{path}: {n_lines} lines"
    excerpt = context.code.excerpt(path, start, end, limit - len(head) - _NOTE, _MAX_LINE)
    wanted = min(end, n_lines)
    lines = [head, excerpt.text]
    if excerpt.line_end < wanted:
        rest = how_to_read(context, excerpt.line_end + 1, wanted)
        lines.append(f"({wanted - excerpt.line_end} more lines: {rest})")
    return "\n".join(lines), excerpt.line_end
