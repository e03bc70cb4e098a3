"""The tools that look at code: folders, outlines, definitions and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from analysis.mcp.budget import compact, cost, with_lists_cut, with_text_cut
from analysis.mcp.tool import Arguments, Tool

if TYPE_CHECKING:
    from analysis.engine import Engine
    from analysis.stopping import StopFlag


class TreeArguments(Arguments):
    """Which folder to list."""

    path: str = Field("", description="Folder, relative to the root; all of it if empty.")


def _tree(engine: Engine, wanted: TreeArguments, stop: StopFlag) -> dict[str, Any]:
    from analysis.json_output import plain

    # Whole upper levels are kept first, so that half as many entries are still an overview.
    n_entries = wanted.max_tokens // 20
    while True:
        shape: dict[str, Any] = compact(plain(engine.tree(wanted.path, n_entries)))
        if cost(shape) <= wanted.max_tokens or n_entries <= 1:
            return with_lists_cut(shape, ("entries",), wanted.max_tokens)
        n_entries //= 2


TREE = Tool(
    "tree",
    "List files",
    "List the searchable files below a folder, nested, and count what is left out of the search by "
    "reason. Use it once to learn the layout of an unknown code base, instead of ls or find; to "
    "find code use analyze. When 'truncated' is true, list a folder of it. Next: outline.",
    TreeArguments,
    _tree,
    needs_index=False,
)


class OutlineArguments(Arguments):
    """Which file to skim."""

    path: str = Field(description="File, relative to the root.")


def _outline(engine: Engine, wanted: OutlineArguments, stop: StopFlag) -> dict[str, Any]:
    from analysis.json_output import plain
    from analysis.mcp.access import readable

    found = engine.outline(readable(engine, wanted.path))
    shape: dict[str, Any] = compact(plain(found))
    shape["imports"] = [{"text": item.text, "line": item.line} for item in found.imports]
    for slimmer in (_without_docstrings, _with_names_below, _without_children):
        if cost(shape) > wanted.max_tokens:
            shape = slimmer(shape)
    return with_lists_cut(shape, ("symbols", "imports"), wanted.max_tokens)


def _without_docstrings(shape: dict[str, Any]) -> dict[str, Any]:
    """Return the outline with names and signatures only."""

    def slim(symbol: dict[str, Any]) -> dict[str, Any]:
        kept = {key: value for key, value in symbol.items() if key not in ("docstring", "name")}
        if "children" in kept:
            kept["children"] = [slim(child) for child in kept["children"]]
        return kept

    return {**shape, "symbols": [slim(symbol) for symbol in shape["symbols"]]}


def _with_names_below(shape: dict[str, Any]) -> dict[str, Any]:
    """Return the outline with names and lines only below the top level."""

    def slim(symbol: dict[str, Any]) -> dict[str, Any]:
        kept = {key: symbol[key] for key in ("qualified_name", "line", "line_end")}
        return kept | _below(symbol)

    def _below(symbol: dict[str, Any]) -> dict[str, Any]:
        children = symbol.get("children")
        return {"children": [slim(child) for child in children]} if children else {}

    return {**shape, "symbols": [symbol | _below(symbol) for symbol in shape["symbols"]]}


def _without_children(shape: dict[str, Any]) -> dict[str, Any]:
    """Return the outline with the top level only, and how much lies below."""

    def slim(symbol: dict[str, Any]) -> dict[str, Any]:
        kept = {key: value for key, value in symbol.items() if key != "children"}
        return kept | {"n_children": len(symbol["children"])} if "children" in symbol else kept

    return {**shape, "symbols": [slim(symbol) for symbol in shape["symbols"]]}


OUTLINE = Tool(
    "outline",
    "Skim a file",
    "Show what a file imports and defines: names, signatures and line ranges, no bodies. Use it "
    "before reading a file; it costs a tenth of the file's tokens. Large files come with "
    "less about nested definitions ('n_children' counts them). Next: read_symbol with a name of "
    "them.",
    OutlineArguments,
    _outline,
    needs_index=False,
)


class ReadSymbolArguments(Arguments):
    """Which definition to read."""

    name: str = Field(
        min_length=1, description="Plain or qualified name: 'login', 'Session.login', 'login:42'."
    )
    path: str | None = Field(
        None, description="Its file, relative to the root; without it the name must be unique."
    )


def _read_symbol(engine: Engine, wanted: ReadSymbolArguments, stop: StopFlag) -> dict[str, Any]:
    from analysis.json_output import symbol_shape
    from analysis.mcp.access import file_of_symbol, readable

    path = wanted.path or file_of_symbol(engine, wanted.name, stop)
    shape = symbol_shape(engine.symbol(readable(engine, path), wanted.name))
    first_line = shape["decorated_line"]
    shape = compact({"symbol": shape})["symbol"]
    if cost(shape) > wanted.max_tokens and "children" in shape:
        shape["children"] = [
            {"qualified_name": child["qualified_name"], "line": child["line"]}
            for child in shape["children"]
        ]
    elif "children" in shape:
        del shape["children"]  # The body shows them.
    return with_text_cut(shape, "body", wanted.max_tokens, first_line=first_line)


READ_SYMBOL = Tool(
    "read_symbol",
    "Read a definition",
    "Read one function, class or method with its whole source, by name. Prefer it to reading "
    "files or line ranges: it is exact and stays so when lines move. If the name is ambiguous the "
    "error lists the choices: give 'path', or 'NAME:LINE'. A body that is too long ends with a "
    "line that says which lines are missing: fetch those with read_lines, or one method by its "
    "qualified name. Next: callers, callees or find_references.",
    ReadSymbolArguments,
    _read_symbol,
)


class ReadLinesArguments(Arguments):
    """Which lines to read."""

    path: str = Field(description="File, relative to the root.")
    line_start: int = Field(1, ge=1, description="First line, counted from 1.")
    line_end: int | None = Field(None, ge=1, description="Last line; the end of the file if none.")


def _read_lines(engine: Engine, wanted: ReadLinesArguments, stop: StopFlag) -> dict[str, Any]:
    from analysis.mcp.access import readable

    path = readable(engine, wanted.path)
    line_count = engine.files.read(path).text.count("\n") + 1
    line_end = min(wanted.line_end or line_count, line_count)
    code = engine.files.read_lines(path, wanted.line_start, max(line_end, wanted.line_start))
    shape = {
        "path": path,
        "line_start": wanted.line_start,
        "line_end": wanted.line_start + code.removesuffix("\n").count("\n"),
        "code": code.removesuffix("\n"),
    }
    return with_text_cut(shape, "code", wanted.max_tokens, first_line=wanted.line_start)


READ_LINES = Tool(
    "read_lines",
    "Read lines",
    "Read a range of lines of a file as it stands. Use it for what has no name: configuration, "
    "prose, the rest of a long body; for code with a name use read_symbol. What does not fit "
    "'max_tokens' is named in the last line: ask again from there.",
    ReadLinesArguments,
    _read_lines,
    needs_index=False,
)
