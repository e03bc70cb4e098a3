"""What TypeScript's types say a value is: names with type arguments, lookups, aliases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import NONE, B, E
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.values import (
    EXTERNAL,
    ClassValue,
    Environment,
    Instance,
    TypeAt,
    TypeVariable,
    Value,
    Values,
    VariableAt,
    unique,
)
from analysis.references.types.generics import THIS

if TYPE_CHECKING:
    from analysis.references.types.resolver import TypeResolver


class ScriptTypes:
    """Evaluates types of scripts."""

    def __init__(self, resolver: TypeResolver) -> None:
        self._resolver = resolver

    def of_form(self, facts: Facts, where: tuple[str, int, int], expression: int) -> Values:
        """Return what a type says that is no name."""
        path, scope, place = where
        row = facts.expressions[expression]
        if row.kind == E.THIS and row.b != NONE:
            return (TypeVariable(path, THIS, NONE, row.b),)
        if row.kind == E.LOOKUP:
            return self._looked_up(facts, where, row.a, row.b)
        if row.kind == E.TYPE_OF:
            return self._resolver.infer(path, scope, row.a, place)
        return self._resolver.infer(path, scope, expression, place)

    def _looked_up(self, facts: Facts, where: tuple[str, int, int], base: int, name: int) -> Values:
        """Return the type of a member, as in ``T["name"]``, or of an element."""
        path, scope, place = where
        resolver = self._resolver
        values = resolver.annotation(path, scope, base, place)
        return resolver.generics.looked_up(values, ("" if name == NONE else facts.names[name],))

    def named(
        self,
        facts: Facts,
        where: tuple[str, int, int],
        expression: int,
        arguments: tuple[int, ...],
    ) -> Values:
        """Return what a type is that is named, with or without type arguments."""
        path, scope, place = where
        resolver = self._resolver
        given = tuple(TypeAt(path, scope, item, place) for item in arguments)
        found: list[Value] = []
        for definition in resolver.names.types_named(facts, where, expression):
            if isinstance(definition, ClassValue):
                found.append(Instance(definition, given))
            elif isinstance(definition, VariableAt):
                found += self._of_type_binding(definition, given)
            elif definition == EXTERNAL:
                found.append(EXTERNAL)
        return unique(found)

    def _of_type_binding(self, definition: VariableAt, given: tuple[TypeAt, ...]) -> Values:
        home = self._resolver.facts(definition.path)
        binding = home.bindings[definition.binding]
        if binding.kind == B.TYPE_PARAMETER:
            name = home.names[binding.name]
            return (TypeVariable(definition.path, name, binding.a, binding.scope),)
        if binding.kind != B.ALIAS:
            return self._resolver.bound_by(definition.path, definition.binding)
        values = self._resolver.annotation(
            definition.path, binding.eval_scope, binding.a, binding.place
        )
        around = Environment(definition.path, binding.eval_scope, given)
        return self._resolver.generics.bound(values, around)
