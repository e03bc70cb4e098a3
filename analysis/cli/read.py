"""``scope tree``, ``scope outline`` and ``scope symbol``: look at the code without a question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli.options import FormatOption, Output, RepoOption, opened, relative_to_repo

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from analysis.file_tree import FileTree, TreeEntry
    from analysis.models import FileOutline, SymbolDetail

FileArgument = Annotated[str, typer.Argument(help="File of the code base.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(tree)
    app.command()(outline)
    app.command()(symbol)


def tree(
    path: Annotated[str, typer.Argument(help="Folder to list.", show_default="all")] = "",
    *,
    repo: RepoOption = Path(),
    output_format: FormatOption = Output.text,
    limit: Annotated[int, typer.Option(min=1, help="At most so many entries.")] = 1000,
) -> None:
    """List the files that are searched, and count the others."""
    with opened(repo) as engine:
        found = engine.tree(relative_to_repo(engine, path) if path else "", max_entries=limit)
    if output_format is Output.json:
        from analysis.cli.console import write_data
        from analysis.json_output import plain

        write_data(plain(found), "json")
        return
    from analysis.cli.console import show

    show(_tree_text(found))


def outline(
    file: FileArgument, *, repo: RepoOption = Path(), output_format: FormatOption = Output.text
) -> None:
    """Show a file's imports and definitions, without the bodies."""
    with opened(repo) as engine:
        found = engine.outline(relative_to_repo(engine, file))
        root = engine.root
    if output_format is Output.json:
        from analysis.cli.console import write_data
        from analysis.json_output import plain

        write_data(plain(found), "json")
        return
    from analysis.cli.console import show

    show(_outline_text(root, found))


def symbol(
    file: FileArgument,
    name: Annotated[str, typer.Argument(help="Plain or qualified name, as in Class.method.")],
    *,
    repo: RepoOption = Path(),
    output_format: FormatOption = Output.text,
) -> None:
    """Show one definition with its source."""
    with opened(repo) as engine:
        found = engine.symbol(relative_to_repo(engine, file), name)
        root = engine.root
    if output_format is Output.json:
        from analysis.cli.console import write_data
        from analysis.json_output import symbol_shape

        write_data(symbol_shape(found), "json")
        return
    from analysis.cli.console import show

    show(*_symbol_text(root, found))


def _tree_text(tree: FileTree) -> Text:
    """Return the listing, with what was left out below it."""
    from rich.text import Text

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


def _outline_text(root: Path, outline: FileOutline) -> Text:
    """Return the file's definitions, indented by nesting, each with its lines."""
    from analysis.cli.console import place
    from analysis.tools.outline_writer import definitions, lines_of

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


def _symbol_text(root: Path, detail: SymbolDetail) -> list[RenderableType]:
    """Return a definition's place and its source with line numbers."""
    from analysis.cli.console import highlighted, place

    info = detail.info
    heading = place(root, detail.path, info.decorated_line, info.line_end)
    heading.append(f"  {info.kind} ", style="dim")
    heading.append(info.qualified_name, style="bold")
    return [heading, highlighted(detail.path, detail.body, info.decorated_line)]


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
