"""Whether code outside of a class gives its variables other values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from analysis.parsing.facts.codes import NONE, B, C, E, O, U
from analysis.parsing.facts.rows import Binding, position
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import (
    Bound,
    ClassValue,
    FunctionValue,
    Instance,
    LambdaValue,
)

if TYPE_CHECKING:
    from analysis.references.search.resolver import CodeResolver

Where = tuple[str, int, int]
"""File, scope and place of a use."""

OURS = (ClassValue, Instance, FunctionValue, Bound, LambdaValue)
"""Values through which definitions of the code base can be reached."""

# Attributes that are everywhere are not looked for: it would take longer than it is worth.
_MAX_FILES = 200


class KnownValues(Protocol):
    """Who tells what inference knows for certain."""

    def of(self, where: Where, expression: int) -> bool:
        """Return whether an expression can be nothing else than what was inferred."""


class OutsideAssignments:
    """Looks for assignments to the variables of classes."""

    def __init__(self, resolver: CodeResolver, certainty: KnownValues) -> None:
        self._resolver = resolver
        self._certainty = certainty
        self._known: dict[tuple[ClassValue, str], bool] = {}

    def sets(self, owner: ClassValue, name: str) -> bool:
        """Return whether other code can give a variable of a class another value."""
        key = (owner, name)
        if key not in self._known:
            self._known[key] = True
            paths = self._resolver.library.files_with_identifier(name)
            self._known[key] = len(paths) > _MAX_FILES or any(
                self._sets_in(path, owner, name)
                for path in paths
                if is_script(path) is is_script(owner.path)
            )
        return self._known[key]

    def _sets_in(self, path: str, owner: ClassValue, name: str) -> bool:
        """Return whether a file sets a variable on objects of a class, or declares it below."""
        facts = self._resolver.facts(path)
        name_id = facts.name_id(name)
        own = self._resolver.classes.scope_of(owner) if path == owner.path else NONE
        ancestry = self._resolver.classes.ancestry
        bound: set[int] = set()
        for index in range(len(facts.classes)):
            row = facts.classes[index]
            rows = facts.bound_in(row.scope, name_id)
            bound.update(facts.bindings[i].place for i in rows)
            if not rows or row.scope == own:
                continue
            is_below = owner in ancestry(ClassValue(path, index)).order
            if is_below and not all(self._is_nothing(facts, facts.bindings[i]) for i in rows):
                return True
        for use in facts.occurrences_of(name_id):
            place = position(use.line, use.column)
            if use.kind != O.ATTRIBUTE or use.use != U.WRITE or place in bound:
                continue
            values = self._resolver.infer(path, use.scope, use.reference, place)
            classes = [v.cls if isinstance(v, Instance) else v for v in values]
            is_possible = not values or any(
                isinstance(cls, ClassValue) and owner in ancestry(cls).order for cls in classes
            )
            if is_possible and not self._assigns_nothing(
                path, use.scope, facts, place, facts.attribute_row(use.reference, name_id)
            ):
                return True
        return False

    def _is_nothing(self, facts: Facts, binding: Binding) -> bool:
        if binding.kind != B.ASSIGN or binding.a == NONE:
            return False
        return facts.expressions[binding.a][:2] == (E.CONSTANT, C.NONE)

    def _assigns_nothing(
        self, path: str, scope: int, facts: Facts, place: int, attribute: int
    ) -> bool:
        """Return whether every assignment to an attribute assigns no object of the code base."""
        values = facts.assigned_to(attribute)
        where = (path, scope, place)
        infer = self._resolver.infer
        return bool(values) and all(
            value != NONE
            and self._certainty.of(where, value)
            and not any(isinstance(item, OURS) for item in infer(path, scope, value, place))
            for value in values
        )
