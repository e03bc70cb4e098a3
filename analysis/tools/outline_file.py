"""The tools that show what a file defines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from analysis.errors import NotFound
from analysis.models import FileOutline, SymbolInfo
from analysis.tools.definitions import symbol_in
from analysis.tools.fitting import cost, shortened
from analysis.tools.outline_writer import folded, head_of, lines_of
from analysis.tools.path_argument import file_meant
from analysis.tools.tool import Shown, ToolContext, ToolOutput, ToolResult, tool

if TYPE_CHECKING:
    from collections.abc import Sequence

LIMIT = 2_500
WHOLE_FILE = 1_400
"""Most characters of the first look at a file; what is folded away then can be unfolded."""
# A summary names what is there, without signatures.
_SUMMARY = 300
# The line that says how to see the rest.
_NOTE = 140
# What the shape around the text takes, and the least that says anything; code has about so many
# characters a token.
_SHAPE_TOKENS = 60
_LEAST_TOKENS = 100
_CHARS_PER_TOKEN = 3
_FIRST_LINES = 5
_FIRST_CHARS = 400
_FOR_AGENTS = (
    "Show what a file imports and defines: names, signatures and line ranges, no bodies. Use it "
    "before reading a file; it costs a tenth of the file's tokens. A line of it is a range of "
    "lines and what is defined there; members of large files come folded, and the last line says "
    "how to unfold them. Next: read_symbol with a name of them."
)


@tool(LIMIT, title="Skim a file", served_as=("outline", _FOR_AGENTS), needs_index=False)
def get_file_outline(
    context: ToolContext,
    path: str,
    symbol: str | None = None,
    from_line: Annotated[int, Field(ge=1)] = 1,
) -> ToolOutput:
    """Show what a file imports and defines: line ranges and signatures, no bodies.

    The cheapest look at a file; use it before any other. Classes of a large file come folded.
    Next: read_symbol with a name of the outline.

    Args:
        path: File, relative to the root.
        symbol: Only the members of this definition: unfolds it.
        from_line: Only definitions from this line on: the rest of a long outline.
    """
    outline = outline_in(context, file_meant(path, context.code))
    return Outlined(outline, None if symbol is None else symbol_in(outline, symbol), from_line)


@tool(LIMIT)
def skim_file(
    context: ToolContext,
    path: str,
    symbol: str | None = None,
    from_line: Annotated[int, Field(ge=1)] = 1,
) -> ToolOutput:
    """Show what a file imports and defines: line ranges and signatures, no bodies.

    Classes of a large file come folded.

    Args:
        path: File, relative to the root.
        symbol: Only the members of this definition: unfolds it.
        from_line: Only definitions from this line on: the rest of a long outline.
    """
    return get_file_outline.function(context, path, symbol, from_line)


@dataclass(frozen=True, slots=True)
class Outlined(ToolOutput):
    """The outline of a file, or the members of one of its definitions."""

    outline: FileOutline
    symbol: SymbolInfo | None = None
    from_line: int = 1

    @property
    def symbols(self) -> tuple[SymbolInfo, ...]:
        """The definitions at the top of it."""
        return self.outline.symbols if self.symbol is None else self.symbol.children

    def text(self, context: ToolContext) -> ToolResult:
        """Return a line a definition, folded to fit, and how to unfold the rest."""
        path = self.outline.path
        if self.symbol is not None:
            text, summary = self._members(self.symbol)
        elif self.symbols:
            # Less where the model sees the file first.
            most = WHOLE_FILE if self.from_line == 1 else LIMIT
            text, summary = (
                outline_lines(self.outline, most, self.from_line),
                summary_of(self.outline),
            )
        else:
            text, summary = _start(context, path), summary_of(self.outline)
        if self.symbol is None and self.from_line == 1:
            context.outlined.add(path)
        context.code.note_outline(path)
        return ToolResult(
            text, "high", summary=summary, found=places_of(path, self.symbols), paths=(path,)
        )

    def data(self, context: ToolContext, max_tokens: int) -> dict[str, Any]:
        """Return ``{path, outline}``: a line a definition, folded to fit, and how to unfold it."""
        max_chars = max(max_tokens - _SHAPE_TOKENS, _LEAST_TOKENS) * _CHARS_PER_TOKEN
        while True:
            if self.symbol is not None:
                text, _ = self._members(self.symbol, max_chars)
            elif self.symbols:
                text = outline_lines(self.outline, max_chars, self.from_line)
            else:
                text = _start(context, self.outline.path)
            shape: dict[str, Any] = {"path": self.outline.path, "outline": text}
            if self.outline.answered_by:
                shape["answered_by"] = self.outline.answered_by
            if cost(shape) <= max_tokens or max_chars <= _LEAST_TOKENS:
                return shape
            max_chars = max_chars * 3 // 4

    def _members(self, info: SymbolInfo, max_chars: int = LIMIT) -> tuple[str, str]:
        """Return the members of a definition, and a short form."""
        name = info.qualified_name
        head = f"{self.outline.path}: {name}, lines {lines_of(info)}"
        page = folded(info.children, max_chars - len(head) - len(name) - _NOTE, self.from_line)
        lines = [head, *page.lines]
        if page.next_line is not None:
            lines.append(
                f"({page.n_left} more from line {page.next_line} on: "
                f"symbol={name!r}, from_line={page.next_line})"
            )
        if not info.children:
            lines.append("(it has no members; read it with read_symbol)")
        members = ", ".join(child.name for child in info.children)
        return "\n".join(lines), shortened(f"{head}; members {members}", _SUMMARY)


def outline_in(context: ToolContext, path: str) -> FileOutline:
    """Return the outline of a file that may be shown.

    Raises:
        NotFound: It cannot be read any more.
    """
    outline = context.code.outline(path)
    if outline is None:
        raise NotFound(f"{path} cannot be read.", "Find another file.")
    return outline


def outline_lines(outline: FileOutline, max_chars: int, from_line: int = 1) -> str:
    """Return a file's outline, folded to fit, and how to unfold it."""
    lines = [*head_of(outline), *(f"({problem})" for problem in outline.problems)]
    room = max_chars - sum(len(line) + 1 for line in lines) - _NOTE
    page = folded(outline.symbols, room, from_line)
    lines += page.lines
    if page.next_line is not None:
        lines.append(
            f"({page.n_left} more definitions from line {page.next_line} on: "
            f"from_line={page.next_line})"
        )
    elif page.folded:
        lines.append(f"(to unfold: symbol={page.folded[0]!r})")
    return "\n".join(lines)


def summary_of(outline: FileOutline) -> str:
    """Return a file in one line: its size and the names it defines."""
    names = ", ".join(symbol.name for symbol in outline.symbols)
    head = f"{outline.path}: {outline.language}, {outline.line_count} lines"
    return shortened(f"{head}; defines {names}" if names else head, _SUMMARY)


def places_of(path: str, symbols: Sequence[SymbolInfo]) -> tuple[Shown, ...]:
    """Return where definitions of a file stand."""
    return tuple(
        Shown(path, info.decorated_line, info.line_end, info.qualified_name) for info in symbols
    )


def _start(context: ToolContext, path: str) -> str:
    """Return how a file starts that defines nothing, and how long it is."""
    n_lines = len(context.code.lines(path))
    excerpt = context.code.excerpt(path, 1, _FIRST_LINES, _FIRST_CHARS, max_line=120)
    rest = f"({n_lines - excerpt.line_end} more lines: {context.how_to_read(1, n_lines)})"
    head = f"{path}: {n_lines} lines, defines nothing"
    more = [rest] if n_lines > excerpt.line_end else []
    return "\n".join([head, *([excerpt.text] if excerpt.text else []), *more])
