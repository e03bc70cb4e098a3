"""What speaks against an undecided receiver being an object of the class in question.

A receiver whose type is not known still shows its shape: all attributes that are used on it.
If no class of the family has them all, it is hardly one of them. That is no proof, as anybody can
give an object more attributes: such a use is told last and called unlikely, and never left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import NONE, E, O, S
from analysis.parsing.facts.rows import Occurrence, position
from analysis.parsing.facts.tables import Facts
from analysis.references.inference.calls import CallArguments
from analysis.references.scopes.values import ClassValue, SymbolRef, Value, Values

if TYPE_CHECKING:
    from analysis.references.search.resolver import CodeResolver

# Attributes that are everywhere are not enumerated: it would take longer than it is worth.
_MAX_FILES = 80
# Receivers whose attributes are remembered; at some 500 bytes each this is 10 MB.
_MAX_REMEMBERED = 20_000
_NO_ARGUMENTS = CallArguments("", 0, 0, ())


class Likelihood:
    """Weighs candidates that were not decided."""

    def __init__(self, resolver: CodeResolver) -> None:
        self._resolver = resolver
        self._kept: dict[str, Values | None] = {}
        self._used: dict[tuple[str, int], dict[int, set[str]]] = {}

    def speaks_against(self, path: str, occurrence: Occurrence, symbol: SymbolRef) -> bool:
        """Return whether an undecided occurrence hardly means a symbol."""
        facts = self._resolver.facts(path)
        scope = self._resolver.facts(symbol.path).scopes[symbol.scope]
        if scope.kind != S.CLASS or occurrence.reference == NONE:
            return False
        cls = ClassValue(symbol.path, scope.owner)
        if occurrence.kind == O.KEY:
            return self._has_other_keys(facts, occurrence, cls)
        if occurrence.kind != O.ATTRIBUTE:
            return False
        # A member of a script's type is also meant where a type above declares it.
        types = self._resolver.relations.roots(symbol) or (cls,)
        return all(self._is_of_another(path, facts, occurrence, c, symbol.name) for c in types)

    def _is_of_another(
        self, path: str, facts: Facts, occurrence: Occurrence, cls: ClassValue, name: str
    ) -> bool:
        """Return whether an attribute is hardly the member of a class or of one below it."""
        if self._has_other_shape(path, facts, occurrence, cls):
            return True
        possible = self._possible(path, facts, occurrence)
        return possible is not None and not any(
            self._has_member(value, cls, name) for value in possible
        )

    def _files_with(self, name: str) -> Sequence[str]:
        return self._resolver.library.files_with_identifier(name)

    def _has_other_keys(self, facts: Facts, occurrence: Occurrence, cls: ClassValue) -> bool:
        """Return whether an object literal has keys that no class of the family has."""
        keys = [facts.names[name] for name in facts.names_bound_in(occurrence.scope)]
        owner = self._resolver.classes.owner
        strange = [key for key in keys if owner(cls, key) is None]
        # An intersection or a mapped type may add a few keys.
        if len(strange) * 2 <= len(keys):
            return False
        family = self._resolver.families.below(cls)
        return family is not None and not any(self._has_all(item, strange) for item in family)

    def _has_other_shape(
        self, path: str, facts: Facts, occurrence: Occurrence, cls: ClassValue
    ) -> bool:
        """Return whether attributes are used on the receiver that no class of the family has."""
        classes = self._resolver.classes
        ancestry = classes.ancestry(cls)
        if ancestry.external or not ancestry.complete:
            return False
        used = self._used_on(path, facts, occurrence)
        strange = [text for text in used if classes.owner(cls, text) is None]
        if not strange:
            return False
        family = self._resolver.families.below(cls)
        if family is None:
            return False
        return not any(self._has_all(member, strange) for member in family)

    def _has_all(self, cls: ClassValue, names: list[str]) -> bool:
        classes = self._resolver.classes
        ancestry = classes.ancestry(cls)
        if ancestry.external or not ancestry.complete:
            return True
        return all(classes.owner(cls, name) is not None for name in names)

    def _used_on(self, path: str, facts: Facts, occurrence: Occurrence) -> set[str]:
        """Return the attributes used on the same receiver, where it is surely the same."""
        around = self._around(path, facts, occurrence.reference, occurrence.scope)
        key = (path, occurrence.reference)
        if key not in self._used:
            if len(self._used) >= _MAX_REMEMBERED:
                self._used.clear()
            used: dict[int, set[str]] = {}
            for row in facts.attributes_of(occurrence.reference):
                name = facts.names[row.name]
                if not name.startswith("__"):
                    scope = self._around(path, facts, row.reference, row.scope)
                    used.setdefault(scope, set()).add(name)
            self._used[key] = used
        return self._used[key].get(around, set())

    def _around(self, path: str, facts: Facts, expression: int, scope: int) -> int:
        """Return the scope within which equal expressions are the same object."""
        row = facts.expressions[expression]
        while row.kind == E.ATTRIBUTE:
            row = facts.expressions[row.a]
        if row.kind != E.NAME:
            return scope
        found = self._resolver.names.lookup(path, scope, row.a)
        if found is None:
            return scope
        if len(found.bindings) > 1:
            return scope if scope == found.scope else -1 - scope
        return found.scope

    def _possible(self, path: str, facts: Facts, occurrence: Occurrence) -> Values | None:
        """Return what ``x.name`` can be for an unknown ``x``: what any class calls ``name``.

        None if that is not known, or if the receiver has another form.
        """
        row = facts.expressions[occurrence.reference]
        is_call = row.kind == E.CALL
        if is_call:
            row = facts.expressions[row.a]
        if row.kind != E.ATTRIBUTE:
            return None
        place = position(occurrence.line, occurrence.column)
        if self._resolver.infer(path, occurrence.scope, row.a, place):
            return None
        name = facts.names[row.b]
        if name not in self._kept:
            self._kept[name] = self._any_member(name)
        values = self._kept[name]
        if values is None or not is_call:
            return values
        results = [self._resolver.calls.result(value, _NO_ARGUMENTS) for value in values]
        return tuple(v for result in results for v in result) if all(results) else None

    def _any_member(self, name: str) -> Values | None:
        paths = self._files_with(name)
        if len(paths) > _MAX_FILES:
            return None
        values: dict[Value, None] = {}
        for path in paths:
            facts = self._resolver.facts(path)
            name_id = facts.name_id(name)
            for index in range(len(facts.classes)):
                scope = facts.classes[index].scope
                if not facts.bound_in(scope, name_id):
                    continue
                self._resolver.begin()
                found = self._resolver.attributes.member_of(ClassValue(path, index), name)
                if not found:
                    return None
                values |= dict.fromkeys(found)
        return tuple(values)

    def _has_member(self, value: Value, cls: ClassValue, name: str) -> bool:
        """Return whether ``value.name`` could be the member of the class."""
        meant = self._resolver.definitions.of_member(value, name)
        symbol = SymbolRef(cls.path, self._resolver.classes.scope_of(cls), name)
        return symbol in meant.symbols or not meant.certain
