"""Modules that are files and folders, and what their paths lead to."""

from __future__ import annotations

import re
from posixpath import basename, dirname, splitext
from typing import TYPE_CHECKING

from analysis.references.grammars.source import is_part
from analysis.references.grammars.visible import Seen

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.index.symbols import SymbolRow
    from analysis.references.grammars.meaning import Meanings
    from analysis.references.grammars.source import SourceFile

RELATIVE = frozenset({"crate", "self", "super"})
"""Words that begin a path of the crate itself."""


def _target_of(path: str, crate: str) -> str:
    """Return the folder of tests and the like that a file of a crate is in; empty for others."""
    first = path[len(crate) :].lstrip("/").partition("/")[0]
    return first if first in ("tests", "benches", "examples") else ""


class PathModules:
    """Finds what a name is in a module, by itself or at the end of a path."""

    def __init__(self, meanings: Meanings) -> None:
        self._meanings = meanings
        self._crates: dict[str, str] | None = None

    def plain(
        self, file: SourceFile, node: Node, text: str, named: list[SymbolRow]
    ) -> tuple[SymbolRow, ...] | None:
        """Return what a name is in Rust: of the module around, or brought in by a ``use``."""
        own = self._module_at(file, node)
        visible = self._meanings.visible
        bound = [
            item
            for place, item in visible.imports(file)
            if item.name == text and self._module_at(file, place) == own
        ]
        for item in bound:
            if self._is_outside(file, item.path[0]):
                return None
            again = [row for row in named if row.info.name == item.path[-1]]
            return self._found(file, own, item.path[:-1], again)
        here = [
            row
            for row in named
            if row.path == file.path and row.info.qualified_name == ".".join([*own, text])
        ]
        if here:
            return tuple(here)
        if own and any(
            item.path == ("super",) and item.name == "*" and self._module_at(file, place) == own
            for place, item in visible.imports(file)
        ):
            outer = [
                row
                for row in named
                if row.path == file.path and row.info.qualified_name == ".".join([*own[:-1], text])
            ]
            if outer:
                return tuple(outer)
            bound_above = [
                item
                for place, item in visible.imports(file)
                if item.name == text and self._module_at(file, place) == own[:-1]
            ]
            for item in bound_above:
                if self._is_outside(file, item.path[0]):
                    return None
                return self._found(file, own[:-1], item.path[:-1], named)
        return ()

    def member(self, file: SourceFile, receiver: Node, parts: list[str], text: str) -> Seen | None:
        """Return what a name is in a module of Rust; None if the path leads to a type."""
        if parts[0] == "Self" or parts[-1][:1].isupper():
            return None
        own = self._module_at(file, receiver)
        path = tuple(parts)
        if parts[0] not in RELATIVE:
            bound = [
                item
                for place, item in self._meanings.visible.imports(file)
                if item.name == parts[0] and self._module_at(file, place) in (own, own[:-1])
            ]
            if bound:
                path = (*bound[0].path, *parts[1:])
        named = self._meanings.visible.candidates(file, text)
        if self._is_outside(file, path[0]) and not self._is_module(file, own, path[0]):
            return Seen(is_known=True)
        rows = self._found(file, own, path, named)
        return Seen(rows, is_known=bool(rows))

    def _is_module(self, file: SourceFile, own: tuple[str, ...], name: str) -> bool:
        rows = self._meanings.visible.candidates(file, name)
        return any(row.info.kind == "module" for row in rows) or any(
            self._file_module(path)[-1:] == (name,) for path in self._same_crate(file.path)
        )

    def _same_crate(self, path: str) -> list[str]:
        crate = self._crate_folder(path)
        start = f"{crate}/" if crate else ""
        return [
            other
            for other in self._meanings.code.paths()
            if other.endswith(".rs") and other.startswith(start)
        ]

    def _found(
        self,
        file: SourceFile,
        own: tuple[str, ...],
        path: tuple[str, ...],
        named: list[SymbolRow],
    ) -> tuple[SymbolRow, ...]:
        """Return the definitions outside of types whose module a path leads to."""
        crates = self._crate_names()
        crate = crates.get(path[0]) if path else None
        home = crate if crate is not None else self._crate_folder(file.path)
        rest = path[1:] if path and (path[0] == "crate" or crate is not None) else path
        wanted = tuple(part for part in rest if part not in RELATIVE)
        rows = [
            row
            for row in named
            if self._crate_folder(row.path) == home
            and not self._is_member(row)
            and (_target_of(row.path, home) in ("", _target_of(file.path, home)))
        ]
        exact = [
            row for row in rows if self._module_of(row)[-len(wanted) :] == wanted or not wanted
        ]
        if path and path[0] == "super" and not wanted:
            above = (*self._file_module(file.path), *own)[:-1]
            return tuple(row for row in exact if self._module_of(row) == above)
        if path and (path[0] in ("self", "crate") or crate is not None) and not wanted:
            wanted = (*self._file_module(file.path), *own) if path[0] == "self" else ()
            exact = [row for row in exact if self._module_of(row) == wanted]
        # A module can hand on what others define, so the only one of a name in its crate is meant.
        is_handed_on = not exact and bool(rows) and self._hands_on(home, wanted, rows[0].info.name)
        found = exact or (rows if is_handed_on else [])
        return tuple(found) if len({row.path for row in found}) == 1 else ()

    def _hands_on(self, home: str, module: tuple[str, ...], name: str) -> bool:
        """Return whether a module of a crate may hand on a name that the crate defines."""
        for path in self._meanings.code.paths():
            is_own = path.endswith(".rs") and self._crate_folder(path) == home
            if not is_own or self._file_module(path) != module:
                continue
            file = self._meanings.files.get(path)
            items = [item for _, item in self._meanings.visible.imports(file)] if file else []
            named = [item for item in items if item.name == name] or [
                item for item in items if item.name == "*"
            ]
            return file is not None and any(
                item.path and not self._is_outside(file, item.path[0]) for item in named
            )
        return False

    def _is_member(self, row: SymbolRow) -> bool:
        if row.info.kind in ("method", "property") or is_part(row):
            return True
        return bool(row.parent) and not any(
            other.info.qualified_name == row.parent
            and other.info.kind == "module"
            and not is_part(other)
            for other in self._meanings.code.symbols_in(row.path)
        )

    def _module_of(self, row: SymbolRow) -> tuple[str, ...]:
        return (*self._file_module(row.path), *row.info.qualified_name.split(".")[:-1])

    def _module_at(self, file: SourceFile, node: Node) -> tuple[str, ...]:
        """Return the modules of a file that a node stands in."""
        for row in file.around(node):
            if row.info.kind == "module" and not is_part(row):
                return tuple(row.info.qualified_name.split("."))
        return ()

    def _file_module(self, path: str) -> tuple[str, ...]:
        """Return the modules from its crate down to a file."""
        crate = self._crate_folder(path)
        inner = splitext(path[len(crate) :].lstrip("/"))[0].split("/")
        if inner and inner[0] in ("src", "tests", "benches", "examples"):
            inner = inner[1:]
        return tuple(inner[:-1] if inner and inner[-1] in ("mod", "lib", "main") else inner)

    def _is_outside(self, file: SourceFile, first: str) -> bool:
        """Return whether a path begins in a crate that is not of the code base."""
        return (
            first not in RELATIVE
            and first not in self._crate_names()
            and not self._is_module(file, (), first)
        )

    def _crate_names(self) -> dict[str, str]:
        if self._crates is None:
            code = self._meanings.code
            self._crates = {}
            for path in code.paths():
                if basename(path) == "Cargo.toml":
                    match = re.search(r"^name\s*=\s*\"([^\"]+)\"", code.text(path), re.MULTILINE)
                    if match:
                        self._crates[match[1].replace("-", "_")] = dirname(path)
        return self._crates

    def _crate_folder(self, path: str) -> str:
        folders = [
            folder
            for folder in self._crate_names().values()
            if not folder or path.startswith(f"{folder}/")
        ]
        return max(folders, key=len, default="")
