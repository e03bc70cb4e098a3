"""What stands for type parameters: of classes, aliases and functions that are used with types."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import NONE, B, E
from analysis.parsing.facts.rows import Binding
from analysis.references.scopes.values import (
    ClassValue,
    Container,
    Environment,
    FunctionType,
    FunctionValue,
    Instance,
    Known,
    TypeArgument,
    TypeAt,
    TypeVariable,
    Value,
    Values,
    unique,
)

if TYPE_CHECKING:
    from analysis.references.types.resolver import TypeResolver

# Types within types beyond this depth are taken for their bounds.
_MAX_DEPTH = 5
# At some 500 bytes each this is 10 MB.
_MAX_REMEMBERED = 20_000

THIS = "this"
"""The name of the type variable that stands for the receiver's own type."""


class Generics:
    """Replaces type variables by what stands for them."""

    def __init__(self, resolver: TypeResolver) -> None:
        self._resolver = resolver
        self._parameters: dict[tuple[str, int], tuple[Binding, ...]] = {}
        self._environments: dict[tuple[Instance, ClassValue], Environment | None] = {}

    def parameters(self, path: str, scope: int) -> tuple[Binding, ...]:
        """Return the type parameters that are declared in a scope, in order."""
        key = (path, scope)
        if key not in self._parameters:
            facts = self._resolver.facts(path)
            rows = [i for name in facts.names_bound_in(scope) for i in facts.bound_in(scope, name)]
            bindings = [facts.bindings[index] for index in sorted(rows)]
            self._parameters[key] = tuple(b for b in bindings if b.kind == B.TYPE_PARAMETER)
        return self._parameters[key]

    def environment(self, receiver: Instance, owner: ClassValue) -> Environment | None:
        """Return what stands for the type parameters of a class that a receiver inherits from."""
        key = (receiver, owner)
        if key not in self._environments:
            if len(self._environments) >= _MAX_REMEMBERED:
                self._environments.clear()
            self._environments[key] = None
            start = Environment(
                receiver.cls.path, self._scope(receiver.cls), receiver.arguments, receiver
            )
            self._environments[key] = self._above(receiver.cls, start, owner)
        return self._environments.get(key)

    def _above(
        self, cls: ClassValue, environment: Environment, owner: ClassValue
    ) -> Environment | None:
        if cls == owner:
            return environment
        for base in self._resolver.classes.applied_bases(cls):
            if owner not in self._resolver.classes.ancestry(base.cls).order or base.cls == cls:
                continue
            arguments = tuple(_within(item, (environment,)) for item in base.arguments)
            above = Environment(base.cls.path, self._scope(base.cls), arguments, environment.this)
            return self._above(base.cls, above, owner)
        return None

    def _scope(self, cls: ClassValue) -> int:
        """Return the scope in which a class's type parameters are bound."""
        facts = self._resolver.facts(cls.path)
        return facts.scopes[facts.classes[cls.index].scope].parent

    def bound(self, values: Values, *environments: Environment | None) -> Values:
        """Return values with their type variables replaced, as far as it is known by what."""
        known = tuple(item for item in environments if item is not None)
        if not known:
            return values
        return unique([inner for value in values for inner in self._bound(value, known)])

    def _bound(self, value: Value, environments: tuple[Environment, ...]) -> Values:
        if isinstance(value, TypeVariable):
            for environment in environments:
                solved = self._solved(value, environment)
                if solved:
                    return solved
        elif isinstance(value, Instance) and value.arguments:
            arguments = tuple(_within(item, environments) for item in value.arguments)
            return (Instance(value.cls, arguments),)
        elif isinstance(value, Container) and value.of_types and not value.environments:
            return (replace(value, environments=environments),)
        elif isinstance(value, FunctionValue) and self._is_type(value):
            return (FunctionType(value, environments),)
        return (value,)

    def _is_type(self, function: FunctionValue) -> bool:
        """Return whether a function is one that a type describes."""
        facts = self._resolver.facts(function.path)
        row = facts.functions[function.index]
        return row.name != NONE and not facts.names[row.name]

    def looked_up(self, values: Values, members: tuple[str, ...]) -> Values:
        """Return the members of types, looked up one in the other; an element if unnamed."""
        resolver = self._resolver
        for name in members:
            found: list[Value] = []
            for value in values:
                if isinstance(value, TypeVariable):
                    found.append(replace(value, members=(*value.members, name)))
                elif name:
                    found += resolver.attribute_of(value, name)
                else:
                    found += resolver.elements_of(value, by_key=True)
            values = unique(found)
        return values

    def _solved(self, variable: TypeVariable, environment: Environment) -> Values:
        if variable.path != environment.path:
            return ()
        if variable.members:
            plain = replace(variable, members=())
            return self.looked_up(self._solved(plain, environment), variable.members)
        if variable.name == THIS:
            return self._receiver(variable, environment)
        if variable.scope != environment.scope:
            return ()
        key = ("solved", variable, environment)
        return self._resolver.once(key, lambda: self._argument(variable, environment))

    def _receiver(self, variable: TypeVariable, environment: Environment) -> Values:
        this = environment.this
        if this is None:
            return ()
        owner = self._resolver.facts(variable.path).scopes[variable.scope].owner
        cls = ClassValue(variable.path, owner)
        return (this,) if cls in self._resolver.classes.ancestry(this.cls).order else ()

    def _argument(self, variable: TypeVariable, environment: Environment) -> Values:
        facts = self._resolver.facts(variable.path)
        name = facts.name_id(variable.name)
        for index, binding in enumerate(self.parameters(variable.path, variable.scope)):
            if binding.name != name:
                continue
            given: Values = ()
            if index < len(environment.arguments):
                given = self.evaluate(environment.arguments[index])
            if given or binding.b == NONE:
                return given
            default = TypeAt(
                variable.path, variable.scope, binding.b, binding.place, (environment,)
            )
            return self.evaluate(default)
        return ()

    def evaluate(self, argument: TypeArgument) -> Values:
        """Return what a type argument stands for."""
        if isinstance(argument, Known):
            return argument.values
        values = self._resolver.annotation(
            argument.path, argument.scope, argument.expression, argument.place
        )
        return self.bound(values, *argument.environments)

    def of_call(self, function: FunctionValue, arguments: tuple[TypeArgument, ...]) -> Environment:
        """Return the environment of a function that is called with these types."""
        scope = self._resolver.facts(function.path).functions[function.index].scope
        return Environment(function.path, scope, arguments)

    def matched(self, path: str, scope: int, annotation: int, name: str, given: Values) -> Values:
        """Return what a type parameter in an annotation is, given the values it stands for."""
        facts = self._resolver.facts(path)
        kind, a, b = facts.expressions[annotation]
        if kind == E.NAME:
            return given if facts.names[a] == name else ()
        if kind == E.UNION:
            left = self.matched(path, scope, a, name, given)
            return left or self.matched(path, scope, b, name, given)
        if kind == E.FUNCTION:
            returns = facts.functions[a].returns
            results = [v for value in given for v in self._resolver.returned_by(value)]
            return self.matched(path, scope, returns, name, unique(results)) if returns >= 0 else ()
        if kind != E.SUBSCRIPT:
            return ()
        arguments = (
            facts.items(facts.expressions[b].a) if facts.expressions[b].kind == E.TUPLE else (b,)
        )
        found: list[Value] = []
        for value in given:
            if isinstance(value, Instance):
                for number, item in enumerate(arguments[: len(value.arguments)]):
                    inner = self.evaluate(value.arguments[number])
                    found += self.matched(path, scope, item, name, inner)
            else:
                elements = self._resolver.elements_of(value, by_key=True)
                found += (
                    self.matched(path, scope, arguments[-1], name, elements) if arguments else ()
                )
        return unique(found)


def _within(argument: TypeArgument, environments: tuple[Environment, ...]) -> TypeArgument:
    """Return a type argument that is read in environments, if it has none yet."""
    if isinstance(argument, Known) or argument.environments:
        return argument
    if max(item.depth for item in environments) > _MAX_DEPTH:
        return argument
    return replace(argument, environments=environments)
