"""The tool that reads one definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from analysis.parsing.outline import find_symbols
from analysis.tools.definitions import file_defining, symbol_in, without_module
from analysis.tools.get_file_outline import outline_in
from analysis.tools.outline_text import folded, line_of, lines_of
from analysis.tools.path_argument import file_meant
from analysis.tools.read_hints import how_to_read
from analysis.tools.tool import Shown, ToolContext, ToolResult, tool

if TYPE_CHECKING:
    from analysis.models import FileOutline, SymbolInfo

LIMIT = 6_000
_MAX_LINE = 400
# A class that is too long is shown by its first lines and its members.
_HEAD_CHARS = 1_500
_MEMBERS_CHARS = 3_000
_NOTE = 160


@tool(LIMIT)
def read_symbol(
    context: ToolContext, name: Annotated[str, Field(min_length=1)], path: str | None = None
) -> ToolResult:
    """Read one function, class or method with its source, by name.

    Exact and cheap; prefer it to read_lines and read_file. Of a class that is too long you get
    its start and its members. Next: find_references, or read_symbol of what it uses.

    Args:
        name: Plain or qualified name: 'login', 'Session.login', 'login:42'.
        path: Its file, relative to the root; may be left out if only one file defines the name.
    """
    code = context.code
    if path is None:
        name, path = without_module(context.index, name)
    file = file_defining(context.index, code, name) if path is None else file_meant(path, code)
    outline = outline_in(context, file)
    info = symbol_in(outline, name)
    head = f"{file}: {info.qualified_name} ({info.kind}){_namesakes(outline, info)}"
    summary = f"{file}: {line_of(info)}"
    start, end = info.decorated_line, info.line_end
    room = LIMIT - len(head) - 1 - _NOTE
    members = [child for child in info.children if child.kind in ("method", "class", "function")]
    n_chars = sum(len(line) + 6 for line in code.lines(file)[start - 1 : end])
    if n_chars > room and info.kind in ("class", "interface") and members:
        return _large(context, file, info, head, summary)
    excerpt = code.excerpt(file, start, end, room, _MAX_LINE)
    lines = [head, excerpt.text]
    if excerpt.line_end < end:
        rest = how_to_read(context, excerpt.line_end + 1, end)
        lines.append(f"({end - excerpt.line_end} more lines: {rest})")
    shown = Shown(file, start, excerpt.line_end, info.qualified_name)
    return ToolResult("\n".join(lines), "medium", summary, (shown,), paths=(file,))


def _namesakes(outline: FileOutline, info: SymbolInfo) -> str:
    """Return where else that name is defined in the file: a setter, an overload, a branch."""
    others = [
        lines_of(other)
        for other in find_symbols(outline, info.qualified_name)
        if other.qualified_name == info.qualified_name and other != info
    ]
    return f", also at {', '.join(others[:5])}" if others else ""


def _large(
    context: ToolContext, file: str, info: SymbolInfo, head: str, summary: str
) -> ToolResult:
    """Return a long class by its first lines and its members."""
    first = min(child.decorated_line for child in info.children)
    start = info.decorated_line
    excerpt = context.code.excerpt(file, start, max(first - 1, start), _HEAD_CHARS, _MAX_LINE)
    room = _MEMBERS_CHARS - len(head) - _NOTE
    result = folded(info.children, room, excerpt.line_end + 1)
    lines = [head, excerpt.text, *result.lines]
    if result.next_line is not None:
        where = f"symbol={info.qualified_name!r}, from_line={result.next_line}"
        lines.append(f"({result.n_left} more members: get_file_outline, {where})")
    name = next(child.qualified_name for child in info.children if child.kind != "variable")
    lines.append(f"(to line {info.line_end}; read a member by its name, as in {name!r})")
    shown = Shown(file, start, excerpt.line_end, info.qualified_name)
    found = tuple(
        Shown(file, child.decorated_line, child.line_end, child.qualified_name)
        for child in info.children
    )
    return ToolResult("\n".join(lines), "medium", summary, (shown,), found, (file,))
