"""The tool that shows what a file defines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from analysis.errors import ToolRetry
from analysis.tools.outline_text import folded, head_of, lines_of
from analysis.tools.path_argument import file_meant
from analysis.tools.read_hints import how_to_read
from analysis.tools.tool import Shown, ToolContext, ToolResult, tool

if TYPE_CHECKING:
    from analysis.models import FileOutline, SymbolInfo

LIMIT = 2_500
WHOLE_FILE = 1_400
"""Most characters of the first look at a file; what is folded away then can be unfolded."""
# A summary names what is there, without signatures.
_SUMMARY = 300
# The line that says how to see the rest.
_NOTE = 140
_FIRST_LINES = 5
_FIRST_CHARS = 400


@tool(LIMIT)
def get_file_outline(
    context: ToolContext,
    path: str,
    symbol: str | None = None,
    from_line: Annotated[int, Field(ge=1)] = 1,
) -> ToolResult:
    """Show what a file imports and defines: line ranges and signatures, no bodies.

    The cheapest look at a file; use it before any other. Classes of a large file come folded.
    Next: read_symbol with a name of the outline.

    Args:
        path: File, relative to the root.
        symbol: Only the members of this definition: unfolds it.
        from_line: Only definitions from this line on: the rest of a long outline.
    """
    return outlined(context, path, symbol, from_line)


def outlined(context: ToolContext, path: str, symbol: str | None, from_line: int) -> ToolResult:
    """Return the outline of a file, or the members of one of its definitions.

    Raises:
        ToolRetry: There is no such file or definition.
    """
    file = file_meant(path, context.code)
    outline = outline_in(context, file)
    if symbol is not None:
        return _unfolded(context, outline, symbol, from_line)
    text = (
        outline_lines(outline, _first_look(from_line), from_line)
        if outline.symbols
        else _start(context, file)
    )
    if from_line == 1:
        context.outlined.add(file)
    context.code.note_outline(file)
    return ToolResult(
        text,
        "high",
        summary=outline_summary(outline),
        found=tuple(
            Shown(file, info.decorated_line, info.line_end, info.qualified_name)
            for info in outline.symbols
        ),
        paths=(file,),
    )


def outline_in(context: ToolContext, path: str) -> FileOutline:
    """Return the outline of a file that may be shown.

    Raises:
        ToolRetry: It cannot be read any more.
    """
    outline = context.code.outline(path)
    if outline is None:
        raise ToolRetry(f"{path} cannot be read. Find another file.")
    return outline


def outline_lines(outline: FileOutline, max_chars: int, from_line: int = 1) -> str:
    """Return a file's outline, folded to fit, and how to unfold it."""
    lines = [*head_of(outline), *(f"({problem})" for problem in outline.problems)]
    room = max_chars - sum(len(line) + 1 for line in lines) - _NOTE
    result = folded(outline.symbols, room, from_line)
    lines += result.lines
    if result.next_line is not None:
        lines.append(
            f"({result.n_left} more definitions from line {result.next_line} on: "
            f"from_line={result.next_line})"
        )
    elif result.folded:
        lines.append(f"(to unfold: symbol={result.folded[0]!r})")
    return "\n".join(lines)


def outline_summary(outline: FileOutline) -> str:
    """Return a file in one line: its size and the names it defines."""
    names = ", ".join(symbol.name for symbol in outline.symbols)
    head = f"{outline.path}: {outline.language}, {outline.line_count} lines"
    text = f"{head}; defines {names}" if names else head
    return text if len(text) <= _SUMMARY else f"{text[: _SUMMARY - 1]}…"


def _unfolded(context: ToolContext, outline: FileOutline, name: str, from_line: int) -> ToolResult:
    """Return the members of one definition."""
    from analysis.tools.definitions import symbol_in

    info = symbol_in(outline, name)
    head = f"{outline.path}: {info.qualified_name}, lines {lines_of(info)}"
    result = folded(info.children, LIMIT - len(head) - len(name) - _NOTE, from_line)
    lines = [head, *result.lines]
    if result.next_line is not None:
        lines.append(
            f"({result.n_left} more from line {result.next_line} on: "
            f"symbol={name!r}, from_line={result.next_line})"
        )
    if not info.children:
        lines.append("(it has no members; read it with read_symbol)")
    context.code.note_outline(outline.path)
    return ToolResult(
        "\n".join(lines),
        "high",
        summary=_members(head, info),
        found=tuple(
            Shown(outline.path, child.decorated_line, child.line_end, child.qualified_name)
            for child in info.children
        ),
        paths=(outline.path,),
    )


def _members(head: str, info: SymbolInfo) -> str:
    text = f"{head}; members {', '.join(child.name for child in info.children)}"
    return text if len(text) <= _SUMMARY else f"{text[: _SUMMARY - 1]}…"


def _start(context: ToolContext, path: str) -> str:
    """Return how a file starts that defines nothing, and how long it is."""
    n_lines = len(context.code.lines(path))
    excerpt = context.code.excerpt(path, 1, _FIRST_LINES, _FIRST_CHARS, max_line=120)
    rest = f"({n_lines - excerpt.line_end} more lines: {how_to_read(context, 1, n_lines)})"
    head = f"{path}: {n_lines} lines, defines nothing"
    more = [rest] if n_lines > excerpt.line_end else []
    return "\n".join([head, *([excerpt.text] if excerpt.text else []), *more])


def _first_look(from_line: int) -> int:
    """Return how many characters an outline may take: less where the model sees it first."""
    return WHOLE_FILE if from_line == 1 else LIMIT
