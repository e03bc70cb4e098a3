"""Members of types that stand for each other, as an interface's member and its implementations.

In TypeScript a use of a member is a use of all members that it overrides or that override it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import S
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import ClassValue, ScopeRef

if TYPE_CHECKING:
    from analysis.references.types.resolver import TypeResolver


class Relations:
    """Tells which members are related."""

    def __init__(self, resolver: TypeResolver) -> None:
        self._resolver = resolver
        self._declared: dict[tuple[ScopeRef, str], frozenset[ScopeRef]] = {}

    def declared(self, home: ScopeRef, name: str) -> frozenset[ScopeRef]:
        """Return the homes of a member in its type and in all types above that declare it."""
        key = (home, name)
        if key not in self._declared:
            self._declared[key] = self._find(home, name)
        return self._declared[key]

    def _find(self, home: ScopeRef, name: str) -> frozenset[ScopeRef]:
        cls = self.class_of(home)
        if cls is None:
            return frozenset({home})
        classes = self._resolver.classes
        above = classes.ancestry(cls).order
        owners = [item for item in above if classes.bindings(item, name)]
        return frozenset({home, *(ScopeRef(item.path, classes.scope_of(item)) for item in owners)})

    def class_of(self, home: ScopeRef) -> ClassValue | None:
        """Return the type whose members are at home there; None outside of scripts."""
        if not is_script(home.path):
            return None
        row = self._resolver.facts(home.path).scopes[home.scope]
        return ClassValue(home.path, row.owner) if row.kind == S.CLASS else None

    def is_meant(self, target: ScopeRef, name: str, homes: frozenset[ScopeRef]) -> bool:
        """Return whether what is at one of the homes is, or stands for, the target."""
        if target in homes:
            return True
        if not homes or self.class_of(target) is None:
            return False
        wanted = self.declared(target, name)
        return any(not wanted.isdisjoint(self.declared(home, name)) for home in homes)

    def roots(self, home: ScopeRef, name: str) -> tuple[ClassValue, ...]:
        """Return the types that declare a member first, above the type at a home."""
        homes = self.declared(home, name)
        found = [cls for item in homes if (cls := self.class_of(item)) is not None]
        first = [
            cls
            for cls in found
            if not any(o != cls and o in self._resolver.classes.ancestry(cls).order for o in found)
        ]
        return tuple(first)
