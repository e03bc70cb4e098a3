"""How a tree, an outline and a definition look to people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from analysis.cli.console import shown_path
from analysis.models import FileOutline, FileTree, SymbolDetail, TreeEntry
from analysis.tools.outline_writer import definitions, lines_of

if TYPE_CHECKING:
    from rich.console import RenderableType

_LEXERS = {"tsx": "typescript", "jsx": "javascript"}


def place(root: Path, path: str, line: int, line_end: int | None = None) -> Text:
    """Return ``path:line`` in a form that terminals make clickable."""
    span = f"{line}-{line_end}" if line_end is not None and line_end != line else f"{line}"
    uri = (root / path).absolute().as_uri()
    text = Text.assemble((shown_path(root, path), "cyan"), (f":{span}", "green"))
    text.stylize(f"link {uri}")
    return text


def tree_text(tree: FileTree) -> Text:
    """Return the listing, with what was left out below it."""
    text = Text()
    for entry, depth in _walk(tree.entries):
        name = entry.path.rsplit("/", 1)[-1]
        text.append("  " * depth)
        text.append(f"{name}/\n" if entry.is_dir else name, style="bold" if entry.is_dir else "")
        if not entry.is_dir:
            text.append(f"  {_size(entry.size)}\n", style="dim")
    text.append(f"{tree.file_count} files", style="bold")
    if tree.truncated:
        text.append(", listing shortened (raise --limit to see all)")
    if tree.skipped:
        left_out = ", ".join(f"{count} {reason}" for reason, count in sorted(tree.skipped.items()))
        text.append(f"; left out: {left_out}", style="dim")
    return text


def outline_text(root: Path, outline: FileOutline) -> Text:
    """Return the file's definitions, indented by nesting, each with its lines."""
    text = place(root, outline.path, 1)
    text.append(f"  {outline.language}, {outline.line_count} lines\n", style="dim")
    if outline.docstring:
        text.append(f"  {outline.docstring}\n", style="italic")
    if outline.imports:
        modules = dict.fromkeys(item.module or item.text for item in outline.imports)
        text.append(f"  imports {', '.join(modules)}\n", style="dim")
    symbols = list(definitions(outline.symbols))
    width = max((len(lines_of(info)) for info, _ in symbols), default=0)
    for info, depth in symbols:
        text.append(f"  {lines_of(info):>{width}}  ", style="green")
        text.append("  " * depth + info.signature)
        text.append(f"  {info.docstring}\n" if info.docstring else "\n", style="dim italic")
    if not symbols:
        text.append("  no definitions\n", style="dim")
    for problem in outline.problems:
        text.append(f"  {problem}\n", style="yellow")
    text.rstrip()
    return text


def symbol_text(root: Path, detail: SymbolDetail) -> list[RenderableType]:
    """Return a definition's place and its source with line numbers."""
    info = detail.info
    heading = place(root, detail.path, info.decorated_line, info.line_end)
    heading.append(f"  {info.kind} ", style="dim")
    heading.append(info.qualified_name, style="bold")
    return [heading, highlighted(detail.path, detail.body, info.decorated_line)]


def highlighted(path: str, code: str, start_line: int) -> RenderableType:
    """Return source with line numbers, coloured where the terminal can."""
    from rich.syntax import Syntax

    from analysis.parsing.languages import language_of

    language = language_of(path)
    return Syntax(
        code,
        _LEXERS.get(language, language),
        line_numbers=True,
        start_line=start_line,
        theme="ansi_dark",
        background_color="default",
    )


def _walk(entries: tuple[TreeEntry, ...]) -> Iterator[tuple[TreeEntry, int]]:
    """Yield entries in the order of a listing, with their depth."""
    pending = [(entry, 0) for entry in reversed(entries)]
    while pending:
        entry, depth = pending.pop()
        yield entry, depth
        pending += [(child, depth + 1) for child in reversed(entry.children)]


def _size(n_bytes: int) -> str:
    """Return a size as people read it."""
    return f"{n_bytes} B" if n_bytes < 1024 else f"{n_bytes / 1024:.0f} KB"
