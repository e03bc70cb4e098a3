"""Finds which definition a model means by a name."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING

from analysis.errors import AmbiguousSymbol, NotFound
from analysis.models import Position, SymbolChoice
from analysis.parsing.find_symbols import find_symbols, walk
from analysis.retrieval.file_roles import is_aside

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analysis.index.code_index import CodeIndex
    from analysis.index.symbols import SymbolRow
    from analysis.models import FileOutline, SymbolInfo
    from analysis.tools.tool import ToolContext

_MOST_CHOICES = 20
_OWNERS = 5


def symbol_in(outline: FileOutline, name: str) -> SymbolInfo:
    """Return the definition in a file that a plain or qualified name means.

    ``NAME:LINE`` tells namesakes apart; of those that stand one after the other under the same
    full name (overloads, branches) the longest is meant.

    Raises:
        NotFound: There is none; what is alike is named.
        AmbiguousSymbol: There are several.
    """
    plain, line = split_name(name)
    found = find_symbols(outline, plain)
    if line is not None:
        found = [info for info in found if info.decorated_line <= line <= info.line_end] or found
        found = found[:1]
    if len({info.qualified_name for info in found}) > 1:
        raise AmbiguousSymbol(
            f"{len(found)} definitions in {outline.path} are called {plain!r}.",
            _choices((outline.path, info) for info in found),
            f"Choose one by its qualified name or its line, as in '{plain}:{found[0].line}'.",
        )
    if not found:
        names = {info.name: info.qualified_name for info in reversed(list(walk(outline)))}
        near = get_close_matches(plain.rpartition(".")[2][:100], names, n=3)
        why = f"There is no definition {plain!r} in {outline.path}."
        raise NotFound(why, _question(names[match] for match in near))
    return max(found, key=lambda info: info.line_end - info.line)


def rows_named(index: CodeIndex, name: str) -> list[SymbolRow]:
    """Return the definitions of the code base that a plain or qualified name can mean."""
    plain, _ = split_name(name)
    rows = index.symbols_named(plain.rpartition(".")[2])
    return [row for row in rows if f".{row.info.qualified_name}".endswith(f".{plain}")]


def file_defining(context: ToolContext, name: str) -> str:
    """Return the one file that defines a name.

    Raises:
        NotFound: None does; what is alike is named.
        AmbiguousSymbol: Several do.
    """
    rows = rows_named(context.index, name)
    allowed = frozenset(context.code.allow(row.path for row in rows))
    rows = [row for row in rows if row.path in allowed]
    n_files = len({row.path for row in rows})
    if n_files == 1:
        return rows[0].path
    if not rows:
        search = "analyze" if "analyze" in context.offered else "a search"
        near = near_names(context.index, name)
        raise NotFound(f"No file defines {name!r}.", f"{near} Find its name with {search}.".strip())
    rows.sort(key=lambda row: (is_aside(row.path), row.path, row.info.line))
    raise AmbiguousSymbol(
        f"{name!r} is defined in {n_files} files.",
        _choices((row.path, row.info) for row in rows),
        "Give the path of the one you mean.",
    )


def without_module(index: CodeIndex, name: str) -> tuple[str, str | None]:
    """Return a name without the module in front of it, and the file that the module is.

    Models write ``shop.orders.Order.total`` for what the file ``shop/orders.py`` defines. A name
    that is known as it stands, or not at all, comes back unchanged, with no file.
    """
    parts = split_name(name)[0].split(".")
    if len(parts) == 1 or rows_named(index, name):
        return name, None
    rows = index.symbols_named(parts[-1])
    for n_module in range(1, len(parts)):
        rest = ".".join(parts[n_module:])
        for row in rows:
            if row.info.qualified_name == rest and _is_module(row.path, parts[:n_module]):
                return rest, row.path
    return name, None


def place_of(index: CodeIndex, name: str, path: str | None) -> Position | None:
    """Return where a file defines a name; None without a file."""
    if path is None:
        return None
    found = [row.info for row in rows_named(index, name) if row.path == path]
    return Position(path, found[0].name_line, found[0].name_column) if found else None


def _is_module(path: str, parts: list[str]) -> bool:
    """Return whether a file is the module of that dotted name, or ends with it."""
    stem = path.rpartition(".")[0].removesuffix("/__init__")
    return f"/{stem}".endswith(f"/{'/'.join(parts)}")


def split_name(name: str) -> tuple[str, int | None]:
    """Return a name as code spells it, and the line if it is ``NAME:LINE``."""
    clean = name.strip().strip("`'\"").removesuffix("()").replace("::", ".").replace("#", ".")
    plain, colon, line = clean.rpartition(":")
    if colon and line.isdecimal() and len(line) < 9:
        return plain, int(line)
    return clean, None


def _choices(found: Iterable[tuple[str, SymbolInfo]]) -> tuple[SymbolChoice, ...]:
    return tuple(
        SymbolChoice(path, info.qualified_name, info.kind, info.line, info.signature)
        for path, info in islice(found, _MOST_CHOICES)
    )


def _question(near: Iterable[str]) -> str:
    names = ", ".join(near)
    return f"Did you mean {names}?" if names else ""


def near_names(index: CodeIndex, name: str) -> str:
    """Return which names of the code base are alike, as a question; empty if none is."""
    owner, _, plain = split_name(name)[0][-200:].rpartition(".")
    if members := _near_members(index, owner, plain):
        return _question(members)
    names = [known for known in index.symbol_names() if known[:1].lower() == plain[:1].lower()]
    return _question(get_close_matches(plain, names, n=3, cutoff=0.75))


def _near_members(index: CodeIndex, owner: str, name: str) -> list[str]:
    """Return the members of a definition that are alike."""
    found: list[str] = []
    for row in rows_named(index, owner)[:_OWNERS] if owner else ():
        for info in find_symbols(index.outline(row.path), row.info.qualified_name):
            names = [child.name for child in info.children]
            near = get_close_matches(name, names, n=2, cutoff=0.75)
            found += [f"{info.qualified_name}.{match}" for match in near]
    return list(dict.fromkeys(found))[:3]
