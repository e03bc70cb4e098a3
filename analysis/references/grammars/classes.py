"""Classes by name: their members, and what they inherit."""

from __future__ import annotations

from dataclasses import dataclass
from posixpath import dirname
from typing import TYPE_CHECKING

from analysis.parsing.grammars.paths import nodes_at
from analysis.references.grammars.source import family_of, is_part, rules_of

if TYPE_CHECKING:
    from analysis.index.symbols import SymbolRow
    from analysis.references.grammars.meaning import Meanings

CLASS_KINDS = frozenset({"class", "interface", "enum", "type"})
# Chains of bases are shorter; a longer one is a circle.
_MAX_BASES = 60


@dataclass(frozen=True, slots=True)
class ClassRef:
    """A class, by a file that defines it and its qualified name."""

    path: str
    qualified_name: str


@dataclass(frozen=True, slots=True)
class Members:
    """What a name can be in a class."""

    rows: tuple[SymbolRow, ...]
    is_closed: bool
    """Whether nothing that is not known can have a member of that name in its place."""


class ClassMembers:
    """Looks members up."""

    def __init__(self, meanings: Meanings) -> None:
        self._meanings = meanings
        self._bases: dict[ClassRef, tuple[tuple[ClassRef, ...], bool]] = {}

    def member(self, cls: ClassRef, name: str) -> Members:
        """Return the definitions that a member is, its own or the nearest inherited one."""
        seen: set[ClassRef] = set()
        level, is_closed = [cls], True
        while level and len(seen) < _MAX_BASES:
            found = [row for ref in level for row in self._own(ref, name)]
            if found:
                return Members(tuple(found), is_closed)
            seen.update(level)
            following: list[ClassRef] = []
            for ref in level:
                bases, all_known = self.bases(ref)
                is_closed &= all_known
                following += [base for base in bases if base not in seen]
            level = list(dict.fromkeys(following))
        return Members((), is_closed)

    def _own(self, cls: ClassRef, name: str) -> list[SymbolRow]:
        wanted = f"{cls.qualified_name}.{name}"
        companion = f"{cls.qualified_name}.companion.{name}"
        return [
            row
            for row in self._meanings.code.symbols_named(name)
            if row.info.qualified_name in (wanted, companion)
            and not is_part(row)
            and self.same_unit(row.path, cls.path)
            and (row.path == cls.path or self._is_only(cls))
        ]

    def _is_only(self, cls: ClassRef) -> bool:
        """Return whether no other class of that name can be meant where modules are files."""
        rules = rules_of(cls.path)
        if rules is None or not (rules.uses_paths or rules.defined_once):
            return True
        named = self._meanings.code.symbols_named(cls.qualified_name.rpartition(".")[2])
        homes = [
            row
            for row in named
            if row.info.kind in CLASS_KINDS
            and family_of(row.path) == family_of(cls.path)
            and (rules.uses_paths or row.info.qualified_name == cls.qualified_name)
        ]
        return len(homes) == 1 or (rules.defined_once and not homes)

    def same_unit(self, path: str, other: str) -> bool:
        """Return whether a class in one file can have members in the other."""
        if path == other:
            return True
        rules = rules_of(path)
        if rules is None or family_of(path) != family_of(other):
            return False
        package = self._meanings.files.package
        if rules.sees == "folder":
            return dirname(path) == dirname(other) and package(path) == package(other)
        return rules.is_open and package(path) == package(other)

    def bases(self, cls: ClassRef) -> tuple[tuple[ClassRef, ...], bool]:
        """Return what a class inherits from, and whether all of that is known."""
        known = self._bases.get(cls)
        if known is None:
            self._bases[cls] = ((), False)
            known = self._bases[cls] = self._read_bases(cls)
        return known

    def _read_bases(self, cls: ClassRef) -> tuple[tuple[ClassRef, ...], bool]:
        rows = self._definitions(cls)
        found: list[ClassRef] = []
        # Of a class that is only added to here, nobody knows what it inherits.
        all_known = any(not is_part(row) for row in rows)
        for row in rows:
            file = self._meanings.files.get(row.path)
            name = file.node_of(row) if file is not None else None
            if file is None or name is None:
                return tuple(found), False
            node = name.parent
            while node is not None and node.type not in file.rules.bases:
                node = node.parent if node.parent is not None else None
                if node is not None and node.type in file.rules.holders:
                    node = None
            if node is None:
                continue
            for base in nodes_at(node, file.rules.bases[node.type]):
                if not base.is_named:
                    continue
                types = self._meanings.types
                ref = types.class_of(types.named(file, base))
                all_known &= ref is not None
                if ref is not None and ref != cls:
                    found.append(ref)
        return tuple(found), all_known

    def _definitions(self, cls: ClassRef) -> list[SymbolRow]:
        """Return what defines a class, in all files that can have parts of it."""
        rules = rules_of(cls.path)
        code = self._meanings.code
        plain = cls.qualified_name.rpartition(".")[2]
        is_open = rules is not None and rules.is_open and not rules.uses_paths
        rows = code.symbols_named(plain) if is_open else code.symbols_in(cls.path)
        return [
            row
            for row in rows
            if row.info.qualified_name == cls.qualified_name
            and row.info.name == plain
            and self.same_unit(row.path, cls.path)
        ]

    def derives(self, cls: ClassRef, base: ClassRef) -> bool:
        """Return whether a class inherits from another one, by what is known."""
        level, seen = [cls], set[ClassRef]()
        while level:
            ref = level.pop()
            if ref == base:
                return True
            if ref not in seen:
                seen.add(ref)
                level += self.bases(ref)[0]
        return False
