"""The tools that read lines of files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from analysis.errors import BadInput
from analysis.llm.messages import Priority
from analysis.models import FileOutline, Span
from analysis.parsing.sections import has_sections
from analysis.tools.fitting import numbered, with_text_cut
from analysis.tools.outline_file import WHOLE_FILE, outline_in, outline_lines, summary_of
from analysis.tools.path_argument import file_meant
from analysis.tools.second_look import new_lines
from analysis.tools.tool import Shown, ToolContext, ToolOutput, ToolResult, tool

LIMIT = 8_000
_MAX_LINE = 600
_NOTE = 120
_FIRST_LINES = 8
_FIRST_CHARS = 500
_FOR_AGENTS = (
    "Read a range of lines of a file as it stands. Use it for what has no name: configuration, "
    "prose, the rest of a long body; for code with a name use read_symbol. What does not fit "
    "'max_tokens' is named in the last line: ask again from there."
)


@tool(LIMIT, served_as=("read_lines", _FOR_AGENTS), needs_index=False)
def read_lines(
    context: ToolContext,
    path: str,
    line_start: Annotated[int, Field(ge=1)] = 1,
    line_end: Annotated[int | None, Field(ge=1)] = None,
) -> ToolOutput:
    """Read lines of a file with their numbers.

    Use it for what has no name: the lines around a match, the rest of a long body, configuration.
    For code with a name use read_symbol.

    Args:
        path: File, relative to the root.
        line_start: First line, counted from 1.
        line_end: Last line; the end of the file if none.
    """
    file = file_meant(path, context.code)
    n_lines = _n_lines(context, file, line_start)
    end = n_lines if line_end is None else line_end
    if end < line_start:
        raise BadInput(f"Lines {line_start}-{end} are no range: first to last.")
    return LinesRead(file, line_start, min(end, n_lines))


@tool(LIMIT)
def read_file(
    context: ToolContext, path: str, from_line: Annotated[int, Field(ge=1)] = 1
) -> ToolOutput:
    """Read a file, up to 8,000 characters. The last resort.

    For configuration and prose. For code look at single definitions where you can.

    Args:
        path: File, relative to the root.
        from_line: First line: the rest of a long file.
    """
    outline = outline_in(context, file_meant(path, context.code))
    is_unseen = "get_file_outline" in context.offered and outline.path not in context.outlined
    if outline.symbols and not has_sections(outline) and is_unseen:
        return OutlineInstead(outline)
    return _rest_of(context, outline, from_line)


@tool(LIMIT)
def browse_file(
    context: ToolContext, path: str, from_line: Annotated[int, Field(ge=1)] = 1
) -> ToolOutput:
    """Read a file from a line on, up to 8,000 characters. skim_file is cheaper.

    Args:
        path: File, relative to the root.
        from_line: First line: the rest of a long file.
    """
    return _rest_of(context, outline_in(context, file_meant(path, context.code)), from_line)


@dataclass(frozen=True, slots=True)
class LinesRead(Span, ToolOutput):
    """Lines of a file."""

    whole: FileOutline | None = None
    """What the file defines, if it was to be read to its end."""

    def text(self, context: ToolContext) -> ToolResult:
        """Return numbered lines, with what is left; of a file its outline is the short form."""
        n_lines = len(context.code.lines(self.path))
        head = f"{self.path}: {n_lines} lines"
        room = LIMIT - len(head) - _NOTE
        lines_wanted = (self.line_start, self.line_end)
        excerpt = new_lines(context, self.path, lines_wanted, room, _MAX_LINE)
        last = excerpt.line_end
        lines = [head, excerpt.text]
        if last < self.line_end:
            rest = context.how_to_read(last + 1, self.line_end)
            lines.append(f"({self.line_end - last} more lines: {rest})")
        shown = (Shown(self.path, self.line_start, last),) if last >= self.line_start else ()
        summary = f"{self.path}: lines {self.line_start}-{last} were read"
        if self.whole is not None:
            summary = _file_summary(context, self.whole)
        priority: Priority = "medium" if self.whole is None else "low"
        return ToolResult("\n".join(lines), priority, summary, shown, paths=(self.path,))

    def data(self, context: ToolContext, max_tokens: int) -> dict[str, Any]:
        """Return ``{path, line_start, line_end, code}``."""
        lines = context.code.lines(self.path)[self.line_start - 1 : self.line_end]
        shape = {
            "path": self.path,
            "line_start": self.line_start,
            "line_end": max(self.line_end, self.line_start),
            "code": numbered(lines, self.line_start),
        }
        return with_text_cut(shape, "code", max_tokens, first_line=self.line_start)


@dataclass(frozen=True, slots=True)
class OutlineInstead(ToolOutput):
    """The outline instead of the file; the next call of the same kind is answered."""

    outline: FileOutline

    def text(self, context: ToolContext) -> ToolResult:
        """Return what to do, and the outline."""
        path = self.outline.path
        context.outlined.add(path)
        context.code.note_outline(path)
        text = (
            f"{path} is code and was not read: see its outline first, which is this. Read what "
            f"matters with read_symbol; call read_file again if you need all of it.\n"
            f"{outline_lines(self.outline, WHOLE_FILE)}"
        )
        summary = summary_of(self.outline)
        return ToolResult(text, "high", summary, paths=(path,), ok=False, problem="retry")


def _rest_of(context: ToolContext, outline: FileOutline, from_line: int) -> LinesRead:
    """Return a file from a line on."""
    n_lines = _n_lines(context, outline.path, from_line)
    return LinesRead(outline.path, from_line, n_lines, outline)


def _n_lines(context: ToolContext, path: str, first: int) -> int:
    """Return how many lines a file has.

    Raises:
        BadInput: They are fewer than ``first``.
    """
    n_lines = len(context.code.lines(path))
    if first > max(n_lines, 1):
        raise BadInput(f"Line {first} is behind the end of {path}, which has {n_lines}.")
    return n_lines


def _file_summary(context: ToolContext, outline: FileOutline) -> str:
    """Return a file's outline, or its first lines and size where it has none."""
    if outline.symbols and not has_sections(outline):
        return outline_lines(outline, WHOLE_FILE)
    lines = context.code.lines(outline.path)
    text = "\n".join(f"{n}| {line}" for n, line in enumerate(lines[:_FIRST_LINES], 1))
    size = sum(len(line) + 1 for line in lines)
    head = f"{outline.path}: {len(lines)} lines, {size} characters, starts with"
    return f"{head}\n{text[:_FIRST_CHARS]}"
