"""The tool that reads one definition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from analysis.json_output import symbol_shape
from analysis.models import FileOutline, SymbolChoice, SymbolDetail, SymbolInfo
from analysis.parsing.find_symbols import find_symbols, walk
from analysis.tools.definitions import file_defining, symbol_in, without_module
from analysis.tools.fitting import (
    MAX_LINE,
    compact,
    cost,
    numbered,
    numbered_chars,
    with_text_cut,
)
from analysis.tools.outline_file import outline_in, places_of
from analysis.tools.outline_writer import folded, line_of, lines_of
from analysis.tools.overrides import overridden_shape, overridden_words, overriding
from analysis.tools.path_argument import file_meant
from analysis.tools.second_look import new_lines
from analysis.tools.tool import Shown, ToolContext, ToolOutput, ToolResult, tool

if TYPE_CHECKING:
    from collections.abc import Sequence

LIMIT = 6_000
# A class that is too long is shown by its first lines and its members.
_HEAD_CHARS = 1_500
_MEMBERS_CHARS = 3_000
_NOTE = 160
_DOC_NOTE = 80
# What stands around the names in the first line, namesakes included.
_HEAD_WORDS = 120
# Lines of decorators and parameters before a docstring.
_MOST_SIGNATURE = 40
_FOR_AGENTS = (
    "Read one function, class or method with its whole source, by name. Prefer it to reading "
    "files or line ranges: it is exact and stays so when lines move. If the name is ambiguous the "
    "error lists the choices: give 'path', or 'NAME:LINE'. A body that is too long ends with a "
    "line that says which lines are missing: fetch those with read_lines, or one method by its "
    "qualified name. Next: callers, callees or find_references."
)


@tool(LIMIT, title="Read a definition", served_as=("read_symbol", _FOR_AGENTS))
def read_symbol(
    context: ToolContext, name: Annotated[str, Field(min_length=1)], path: str | None = None
) -> ToolOutput:
    """Read one function, class or method with its source, by name.

    Exact and cheap; prefer it to read_lines and read_file. Of a class that is too long you get
    its start and its members. Next: who uses it, or read_symbol of what it uses.

    Args:
        name: Plain or qualified name: 'login', 'Session.login', 'login:42'.
        path: Its file, relative to the root; may be left out if only one file defines the name.
    """
    if path is None:
        name, path = without_module(context.index, name)
        file = path or file_defining(context, name)
    else:
        file = file_meant(path, context.code)
    outline = outline_in(context, file)
    info = symbol_in(outline, name)
    return DefinitionRead(outline, info, overriding(context, outline.path, info))


@dataclass(frozen=True, slots=True)
class DefinitionRead(ToolOutput):
    """A definition in a file."""

    outline: FileOutline
    info: SymbolInfo
    overridden_in: tuple[SymbolChoice, ...] = ()
    """Methods of other classes that are proven to stand in its place."""

    def text(self, context: ToolContext) -> ToolResult:
        """Return its source with numbers; of a long class its first lines and its members."""
        return self.within(context, LIMIT)

    def n_chars(self, context: ToolContext) -> int:
        """Return how many characters it takes as a whole, with its docstring."""
        lines = context.code.lines(self.outline.path)
        first = self.info.decorated_line
        size = numbered_chars(lines[first - 1 : self.info.line_end], first)
        head = len(self.outline.path) + len(self.info.qualified_name)
        head += len(overridden_words(self.overridden_in))
        return size + head + _HEAD_WORDS + _NOTE

    def within(self, context: ToolContext, limit: int) -> ToolResult:
        """Return it in at most so many characters; a long docstring goes before any code."""
        info, file, code = self.info, self.outline.path, context.code
        head = f"{file}: {info.qualified_name} ({info.kind}){self._namesakes()}"
        head += overridden_words(self.overridden_in)
        summary = f"{file}: {line_of(info)}"
        start, end = info.decorated_line, info.line_end
        room = limit - len(head) - 1 - _NOTE
        n_chars = numbered_chars(code.lines(file)[start - 1 : end], start)
        if n_chars <= room + _NOTE:
            room += _NOTE  # Nothing is left to tell of.
        members = [c for c in info.children if c.kind in ("method", "class", "function")]
        if n_chars > room and info.kind in ("class", "interface") and members:
            return self._large(context, head, summary)
        is_long = n_chars > room and file not in context.in_sight
        doc = docstring_lines(code.lines(file), start, end) if is_long else None
        if doc is not None:
            return self._without_docstring(context, head, summary, room, doc)
        excerpt = new_lines(context, file, (start, end), room, MAX_LINE)
        lines = [head, excerpt.text]
        if excerpt.line_end < end:
            rest = context.how_to_read(excerpt.line_end + 1, end)
            lines.append(f"({end - excerpt.line_end} more lines: {rest})")
        shown = Shown(file, start, excerpt.line_end, info.qualified_name)
        return ToolResult("\n".join(lines), "medium", summary, (shown,), paths=(file,))

    def data(self, context: ToolContext, max_tokens: int) -> dict[str, Any]:
        """Return what an outline says of it, and its source."""
        info, path = self.info, self.outline.path
        lines = context.code.lines(path)[info.decorated_line - 1 : info.line_end]
        body = numbered(lines, info.decorated_line)
        around = next((i for i in walk(self.outline) if info in i.children), None)
        parent = around.qualified_name if around else None
        detail = SymbolDetail(path, info, body, parent, len(body), self.outline.answered_by)
        shape = compact({"symbol": symbol_shape(detail)})["symbol"]
        # The body shows both.
        shape.pop("signature", None)
        shape.pop("docstring", None)
        shape |= overridden_shape(self.overridden_in)
        if "children" in shape:
            # The body shows them, if it is there as a whole.
            children = shape.pop("children")
            if cost(shape | {"children": children}) > max_tokens:
                shape["children"] = [
                    {name: child[name] for name in ("qualified_name", "line")} for child in children
                ]
        return with_text_cut(shape, "body", max_tokens, first_line=info.decorated_line)

    def _without_docstring(
        self, context: ToolContext, head: str, summary: str, room: int, doc: tuple[int, int]
    ) -> ToolResult:
        """Return a definition with only the first line of its docstring."""
        info, file, code = self.info, self.outline.path, context.code
        first = code.excerpt(file, info.decorated_line, doc[0], room, MAX_LINE)
        room -= len(first.text)
        n_chars = numbered_chars(code.lines(file)[doc[1] : info.line_end], doc[1] + 1)
        if n_chars <= room + _NOTE - _DOC_NOTE:
            room = n_chars  # Nothing is left to tell of but the docstring.
        rest = code.excerpt(file, doc[1] + 1, info.line_end, room, MAX_LINE)
        where = context.how_to_read(doc[0] + 1, doc[1])
        lines = [head, first.text, f"({doc[1] - doc[0]} lines of docstring: {where})", rest.text]
        if rest.line_end < info.line_end:
            where = context.how_to_read(rest.line_end + 1, info.line_end)
            lines.append(f"({info.line_end - rest.line_end} more lines: {where})")
        shown = (
            Shown(file, first.line_start, first.line_end, info.qualified_name),
            Shown(file, rest.line_start, rest.line_end, info.qualified_name),
        )
        return ToolResult("\n".join(lines), "medium", summary, shown, paths=(file,))

    def _namesakes(self) -> str:
        """Return where else that name is defined in the file: a setter, an overload, a branch."""
        others = [
            lines_of(other)
            for other in find_symbols(self.outline, self.info.qualified_name)
            if other.qualified_name == self.info.qualified_name and other != self.info
        ]
        return f", also at {', '.join(others[:5])}" if others else ""

    def _large(self, context: ToolContext, head: str, summary: str) -> ToolResult:
        """Return a long class by its first lines and its members."""
        info, file = self.info, self.outline.path
        first = min(child.decorated_line for child in info.children)
        start = info.decorated_line
        excerpt = context.code.excerpt(file, start, max(first - 1, start), _HEAD_CHARS, MAX_LINE)
        room = _MEMBERS_CHARS - len(head) - _NOTE
        page = folded(info.children, room, excerpt.line_end + 1)
        lines = [head, excerpt.text, *page.lines]
        if page.next_line is not None:
            where = f"symbol={info.qualified_name!r}, from_line={page.next_line}"
            lines.append(f"({page.n_left} more members: get_file_outline, {where})")
        name = next(child.qualified_name for child in info.children if child.kind != "variable")
        lines.append(f"(to line {info.line_end}; read a member by its name, as in {name!r})")
        shown = Shown(file, start, excerpt.line_end, info.qualified_name)
        found = places_of(file, info.children)
        return ToolResult("\n".join(lines), "medium", summary, (shown,), found, (file,))


def docstring_lines(lines: Sequence[str], start: int, end: int) -> tuple[int, int] | None:
    """Return first and last line of a Python docstring of several lines; None if there is none.

    Args:
        lines: Of the file.
        start: First line of the definition.
        end: Its last line.
    """
    for number in range(start, min(start + _MOST_SIGNATURE, end)):
        if not lines[number - 1].rstrip().endswith(":"):
            continue
        text = lines[number].strip().lstrip("rRuU")
        quote = text[:3]
        if quote not in ('"""', "'''"):
            return None
        if quote in text[3:]:
            return None  # It is on one line.
        for last in range(number + 2, end + 1):
            if quote in lines[last - 1]:
                return (number + 1, last)
        return None
    return None
