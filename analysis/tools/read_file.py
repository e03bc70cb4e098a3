"""The tool that reads a file from its start: the last resort."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from analysis.errors import ToolRetry
from analysis.tools.get_file_outline import WHOLE_FILE, outline_in, outline_lines, outline_summary
from analysis.tools.path_argument import file_meant
from analysis.tools.read_lines import numbered_part
from analysis.tools.tool import Shown, ToolContext, ToolResult, tool

if TYPE_CHECKING:
    from analysis.models import FileOutline

LIMIT = 8_000
_FIRST_LINES = 8
_FIRST_CHARS = 500


@tool(LIMIT)
def read_file(
    context: ToolContext, path: str, from_line: Annotated[int, Field(ge=1)] = 1
) -> ToolResult:
    """Read a file, up to 8,000 characters. The last resort.

    For configuration and prose. For code look at single definitions where you can.

    Args:
        path: File, relative to the root.
        from_line: First line: the rest of a long file.
    """
    file = file_meant(path, context.code)
    outline = outline_in(context, file)
    if outline.symbols and "get_file_outline" in context.offered and file not in context.outlined:
        return _refused(context, outline)
    return file_from(context, outline, from_line)


def file_from(context: ToolContext, outline: FileOutline, from_line: int) -> ToolResult:
    """Return a file from a line on, with its outline as the short form.

    Raises:
        ToolRetry: The file is not that long.
    """
    file = outline.path
    n_lines = len(context.code.lines(file))
    if from_line > max(n_lines, 1):
        raise ToolRetry(f"Line {from_line} is behind the end of {file}, which has {n_lines}.")
    text, last = numbered_part(context, file, from_line, n_lines, LIMIT)
    shown = (Shown(file, from_line, last),) if last >= from_line else ()
    return ToolResult(text, "low", file_summary(context, outline), shown, paths=(file,))


def _refused(context: ToolContext, outline: FileOutline) -> ToolResult:
    """Return the outline instead of the file; the next call of the same kind is answered."""
    context.outlined.add(outline.path)
    context.code.note_outline(outline.path)
    text = (
        f"{outline.path} is code and was not read: see its outline first, which is this. Read what "
        f"matters with read_symbol; call read_file again if you need all of it.\n"
        f"{outline_lines(outline, WHOLE_FILE)}"
    )
    summary = outline_summary(outline)
    return ToolResult(text, "high", summary, paths=(outline.path,), ok=False, problem="retry")


def file_summary(context: ToolContext, outline: FileOutline) -> str:
    """Return a file's outline, or its first lines and size where it has none."""
    if outline.symbols:
        return outline_lines(outline, WHOLE_FILE)
    lines = context.code.lines(outline.path)
    text = "\n".join(f"{n}| {line}" for n, line in enumerate(lines[:_FIRST_LINES], 1))
    size = sum(len(line) + 1 for line in lines)
    head = f"{outline.path}: {len(lines)} lines, {size} characters, starts with"
    return f"{head}\n{text[:_FIRST_CHARS]}"
