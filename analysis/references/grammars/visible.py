"""What a plain name can be, by what is seen from where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.references.grammars.bindings import binding_at, is_in_value
from analysis.references.grammars.classes import CLASS_KINDS, ClassRef
from analysis.references.grammars.imports import Imported, imported_by
from analysis.references.grammars.kinds import use_kind
from analysis.references.grammars.levels import is_plain_member
from analysis.references.grammars.source import (
    family_of,
    is_constructor,
    is_header,
    is_part,
    is_within,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.index.symbols import SymbolRow
    from analysis.references.grammars.meaning import Meanings
    from analysis.references.grammars.source import SourceFile


@dataclass(frozen=True, slots=True)
class Seen:
    """What a name can be."""

    rows: tuple[SymbolRow, ...] = ()
    is_known: bool = False
    """Whether it is these and nothing else; without any it is nothing of the code base."""


class Visible:
    """Finds what a name can be: members around, then the file, imports, the package."""

    def __init__(self, meanings: Meanings) -> None:
        self._meanings = meanings
        self._imports: dict[str, list[tuple[Node, Imported]]] = {}

    def rows(self, file: SourceFile, node: Node, text: str) -> Seen:
        """Return what a name without a receiver can be."""
        named = self.candidates(file, text)
        for item in self.imported(file, text):
            if item.path[-1] != text:
                named += self.candidates(file, item.path[-1])
        if not named:
            return Seen(is_known=True)
        found, is_closed = self._around(file, node, text)
        if found:
            return Seen(found, is_known=True)
        outer = self._outside(file, node, text, named)
        if outer is None:
            return Seen(is_known=True)
        if not outer:
            return Seen(is_known=file.rules.sees == "folder" and not self._has_wildcard(file))
        is_type = all(row.info.kind in CLASS_KINDS for row in outer)
        return Seen(outer, is_known=True) if is_closed or is_type else Seen()

    def candidates(self, file: SourceFile, text: str) -> list[SymbolRow]:
        """Return all definitions of a name in languages that the file can use."""
        family = family_of(file.path)
        named = self._meanings.code.symbols_named(text)
        return [row for row in named if family_of(row.path) == family and not is_part(row)]

    def full_name(self, row: SymbolRow) -> str:
        """Return the name of a definition with its package, with dots."""
        package = self._meanings.files.package(row.path)
        qualified = row.info.qualified_name.replace("\\", ".").replace("::", ".")
        return f"{package}.{qualified}" if package else qualified

    def prefixes(self, file: SourceFile, node: Node) -> Iterator[str]:
        """Yield what can stand before a name that is written short, the longest first."""
        package = self._meanings.files.package(file.path)
        done = set[str]()
        for row in file.around(node):
            full = self.full_name(row) if row.info.kind == "module" else ""
            while full and full != package:
                if full not in done:
                    done.add(full)
                    yield full
                full = full.rpartition(".")[0]
        yield package
        while file.rules.sees == "namespace" and package:
            package = package.rpartition(".")[0]
            yield package

    def imports(self, file: SourceFile) -> list[tuple[Node, Imported]]:
        """Return the names that imports bind in a file, each with the import's node."""
        if file.path not in self._imports:
            found: list[tuple[Node, Imported]] = []
            stack = [file.tree.root]
            while stack:
                node = stack.pop()
                key = file.key_of(node)
                if key in file.rules.imports:
                    found += [(node, item) for item in imported_by(file.text(node))]
                elif node.parent is None or key in file.rules.import_places:
                    stack.extend(reversed(node.children))
            self._imports[file.path] = found
        return self._imports[file.path]

    def imported(self, file: SourceFile, text: str) -> list[Imported]:
        """Return the imports that bind a name."""
        found = [item for _, item in self.imports(file) if item.name == text]
        if file.rules.imports_namespaces:
            found = [item for item in found if item.path[-1] != text]
        return found

    def _has_wildcard(self, file: SourceFile) -> bool:
        return any(item.name in ("*", ".") for _, item in self.imports(file))

    def _around(
        self, file: SourceFile, node: Node, text: str
    ) -> tuple[tuple[SymbolRow, ...], bool]:
        """Return members of the classes and modules around, and whether none is hidden."""
        is_closed = not is_nameless(file, node)
        classes = self._meanings.classes
        done: set[str] = set()
        is_type = use_kind(file, node) in ("type", "construction", "base")
        for row in file.around(node):
            qualified = row.info.qualified_name
            if row.info.kind not in CLASS_KINDS and row.info.kind != "module":
                qualified = qualified.rpartition(".")[0]
            if not qualified or qualified in done:
                continue
            found = classes.member(ClassRef(row.path, qualified), text)
            rows = [r for r in found.rows if self._is_plain(file, r, qualified)]
            rows = [r for r in rows if not is_constructor(r)]
            rows = self._meanings.levels.seen(file, node, rows, qualified)
            done.add(qualified)
            if is_type:
                rows = [r for r in rows if r.info.kind in CLASS_KINDS]
            if rows and not is_closed and rows[0].info.kind not in CLASS_KINDS:
                return (), False
            if rows and (found.is_closed or rows[0].parent == qualified):
                if text in file.rules.inherited and not found.is_closed:
                    return (), False
                return tuple(rows), True
            if row.info.kind in CLASS_KINDS and file.rules.plain_members:
                is_closed &= found.is_closed
        return (), is_closed

    def _is_plain(self, file: SourceFile, row: SymbolRow, around: str) -> bool:
        """Return whether a member can be named without a receiver."""
        is_type = row.info.kind in CLASS_KINDS
        needs = file.rules.needs_receiver
        if needs and re.search(needs, row.info.signature):
            return False
        if file.rules.plain_members or (is_type and not file.rules.uses_paths):
            return True
        return any(
            other.info.qualified_name == around
            and other.info.kind == "module"
            and not is_part(other)
            for other in self._meanings.code.symbols_in(row.path)
        ) and row.info.kind not in ("method", "property")

    def _outside(
        self, file: SourceFile, node: Node, text: str, named: list[SymbolRow]
    ) -> tuple[SymbolRow, ...] | None:
        """Return what is seen from outside of classes; None if it comes from elsewhere."""
        rules = file.rules
        if rules.sees == "folder":
            classes = self._meanings.classes
            return tuple(
                row
                for row in named
                if row.info.qualified_name == text and classes.same_unit(row.path, file.path)
            )
        if rules.hides_outer:
            named = [r for r in named if r.parent is None or not is_plain_member(r)]
        if rules.near_functions:
            named = [r for r in named if r.path == file.path or not is_plain_member(r)]
        if rules.file_private:
            named = [row for row in named if row.path == file.path or row.info.exported]
        own = [row for row in named if row.path == file.path and self._reaches(file, row, node)]
        if rules.uses_paths:
            return self._meanings.modules.plain(file, node, text, named)
        bound = self.imported(file, text)
        if bound:
            paths = {".".join(item.path) for item in bound}
            if rules.is_relative:
                return self._ending(named, paths)
            return tuple(row for row in named if self.full_name(row) in paths) or None
        found = self._prefixed(self.prefixes(file, node), text, own)
        if found or rules.sees == "file":
            return found
        if rules.sees == "code base":
            named = [row for row in named if self._is_linked(file, row)]
            near = [r for r in named if r.path == file.path and not r.info.exported]
            named = near or named
        found = self._prefixed(self.prefixes(file, node), text, named)
        if found:
            return found
        wild = [".".join(item.path) for item in self._wildcards(file)]
        return self._prefixed(wild, text, named, together=True)

    def _reaches(self, file: SourceFile, row: SymbolRow, node: Node) -> bool:
        """Return whether what a file defines in a part of it is seen from a place."""
        if file.rules.sees != "file":
            return True
        if row.parent:
            return False
        name = file.node_of(row)
        if name is not None and row.info.kind == "variable":
            part = file.part_of(name)
            if part and part != file.part_of(node):
                return False
        binding = binding_at(file, name) if name is not None else None
        if binding is None:
            return True
        is_seen = not binding.is_local or is_within(node, binding.scope)
        return is_seen and not is_in_value(binding, node)

    def _wildcards(self, file: SourceFile) -> Iterable[Imported]:
        if file.rules.imports_namespaces:
            return [Imported(item.path, "*") for _, item in self.imports(file)]
        return [item for _, item in self.imports(file) if item.name == "*"]

    def _prefixed(
        self, prefixes: Iterable[str], text: str, named: list[SymbolRow], *, together: bool = False
    ) -> tuple[SymbolRow, ...]:
        """Return the definitions below the first prefix that has any, or below all of them."""
        found: list[SymbolRow] = []
        for prefix in prefixes:
            wanted = f"{prefix}.{text}" if prefix else text
            found += [row for row in named if self.full_name(row) == wanted]
            if found and not together:
                break
        return tuple(dict.fromkeys(found))

    def _ending(self, named: list[SymbolRow], paths: set[str]) -> tuple[SymbolRow, ...]:
        return tuple(
            row
            for row in named
            if any(f".{self.full_name(row)}".endswith(f".{path}") for path in paths)
        )

    def _is_linked(self, file: SourceFile, row: SymbolRow) -> bool:
        """Return whether a file can name what another file defines."""
        if row.path == file.path or not file.rules.links or is_header(row.path):
            return True
        is_macro = row.info.signature.startswith("#")
        is_linked = row.info.kind in ("function", "method", "variable") and row.info.exported
        return is_linked and not is_macro and not row.parent


def is_nameless(file: SourceFile, node: Node) -> bool:
    """Return whether a class without a name stands around a place, the nearest of all."""
    above = node.parent
    while above is not None and above.parent is not None:
        if above.type in file.rules.holders:
            return above.parent.type in file.rules.anonymous
        above = above.parent
    return False
