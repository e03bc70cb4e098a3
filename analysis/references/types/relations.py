"""Members of types that stand for each other, as an interface's member and its implementations.

In TypeScript a use of a member is a use of all members that it overrides or that override it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import S
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import ClassValue, SymbolRef

if TYPE_CHECKING:
    from analysis.references.types.resolver import TypeResolver


class Relations:
    """Tells which members are related."""

    def __init__(self, resolver: TypeResolver) -> None:
        self._resolver = resolver
        self._declared: dict[SymbolRef, frozenset[SymbolRef]] = {}

    def declared(self, symbol: SymbolRef) -> frozenset[SymbolRef]:
        """Return a member in its type and in all types above that declare it."""
        if symbol not in self._declared:
            self._declared[symbol] = self._find(symbol)
        return self._declared[symbol]

    def _find(self, symbol: SymbolRef) -> frozenset[SymbolRef]:
        cls = self.class_of(symbol)
        if cls is None or symbol.name == "constructor":
            return frozenset({symbol})
        return frozenset({symbol, *self._members_above(cls, symbol.name)})

    def _members_above(self, cls: ClassValue, name: str) -> list[SymbolRef]:
        classes = self._resolver.classes
        return [
            SymbolRef(item.path, classes.scope_of(item), name)
            for item in classes.ancestry(cls).order
            if classes.bindings(item, name)
        ]

    def class_of(self, symbol: SymbolRef) -> ClassValue | None:
        """Return the type that a member of a script belongs to; None for anything else."""
        if not is_script(symbol.path):
            return None
        row = self._resolver.facts(symbol.path).scopes[symbol.scope]
        return ClassValue(symbol.path, row.owner) if row.kind == S.CLASS else None

    def is_meant(self, target: SymbolRef, symbols: frozenset[SymbolRef]) -> bool:
        """Return whether one of the symbols is, or stands for, the target."""
        if target in symbols:
            return True
        if not symbols or self.class_of(target) is None:
            return False
        wanted = self.declared(target)
        return any(not wanted.isdisjoint(self.declared(symbol)) for symbol in symbols)

    def overridden(self, target: SymbolRef) -> frozenset[SymbolRef]:
        """Return the members of a Python class's bases that a member overrides."""
        facts = self._resolver.facts(target.path)
        row = facts.scopes[target.scope]
        if is_script(target.path) or row.kind != S.CLASS:
            return frozenset()
        members = self._members_above(ClassValue(target.path, row.owner), target.name)
        return frozenset(members) - {target}

    def roots(self, symbol: SymbolRef) -> tuple[ClassValue, ...]:
        """Return the types that declare a member first, above the type that it belongs to."""
        found = [cls for item in self.declared(symbol) if (cls := self.class_of(item)) is not None]
        first = [
            cls
            for cls in found
            if not any(o != cls and o in self._resolver.classes.ancestry(cls).order for o in found)
        ]
        return tuple(first)
