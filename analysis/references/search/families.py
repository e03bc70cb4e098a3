"""Classes and all that derive from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.references.scopes.values import ClassValue

if TYPE_CHECKING:
    from analysis.references.search.resolver import CodeResolver

# Families that are everywhere are not enumerated: it would take longer than it is worth.
_MAX_FILES = 80
_MAX_FAMILY = 150


class Families:
    """Finds the classes below a class."""

    def __init__(self, resolver: CodeResolver) -> None:
        self._resolver = resolver
        self._families: dict[ClassValue, frozenset[ClassValue] | None] = {}

    def below(self, cls: ClassValue) -> frozenset[ClassValue] | None:
        """Return a class and all below it; None if they are too many to tell."""
        if cls not in self._families:
            self._families[cls] = self._find(cls)
        return self._families[cls]

    def _find(self, cls: ClassValue) -> frozenset[ClassValue] | None:
        family = {cls}
        waiting = [cls]
        while waiting:
            paths = self._resolver.library.files_with_identifier(
                self._resolver.classes.name_of(waiting.pop())
            )
            if len(paths) > _MAX_FILES or len(family) > _MAX_FAMILY:
                return None
            for path in paths:
                for index in range(len(self._resolver.facts(path).classes)):
                    other = ClassValue(path, index)
                    if other in family:
                        continue
                    if cls in self._resolver.classes.ancestry(other).order:
                        family.add(other)
                        waiting.append(other)
        return frozenset(family)
