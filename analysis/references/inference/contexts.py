"""What is expected where an expression stands: by a declaration, a parameter, a return type.

An object literal's keys and a callback's parameters mean what is expected of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from analysis.parsing.facts.codes import ANYTHING, NONE, B, E, P, S
from analysis.parsing.facts.rows import Binding, Expression
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.values import (
    Bound,
    ClassValue,
    Container,
    FunctionType,
    FunctionValue,
    Instance,
    IteratorOf,
    Known,
    ModuleValue,
    TypeArgument,
    Value,
    Values,
    unique,
)

if TYPE_CHECKING:
    from analysis.references.inference.resolver import Resolver

_PLACED = (E.OBJECT, E.FUNCTION, E.LIST, E.CHOICE, E.CALL, E.NEW, E.SATISFIES, E.AWAIT, E.STAR)
# Files whose places are remembered; at some 50 kB each this is 20 MB.
_MAX_FILES = 400
# Methods of arrays that hand each element to their first argument.
_ITERATING = frozenset(
    {"map", "forEach", "filter", "find", "findIndex", "some", "every", "flatMap", "findLast"}
)


# Methods that take what is an element from then on.
_TAKING = frozenset({"push", "unshift", "add", "includes", "indexOf", "fill"})

_Role = Literal[
    "argument", "assigned", "element", "same", "typed", "declared", "member", "returned", "free"
]


@dataclass(frozen=True, slots=True)
class _ExpectedAt:
    """Where an expression stands."""

    role: _Role
    row: int
    position: int = 0


@dataclass(frozen=True, slots=True)
class Expected:
    """What is expected of an expression."""

    values: Values
    is_known: bool
    """False if it could be something that was not found out."""


_NOTHING = Expected((), is_known=True)
_UNKNOWN = Expected((), is_known=False)


class Contexts:
    """Finds what is expected of expressions."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._places: dict[str, dict[int, list[_ExpectedAt]]] = {}
        self._rows: dict[str, dict[tuple[int, int], int]] = {}

    def of_object(self, path: str, cls: int) -> Expected:
        """Return what is expected of an object literal, given by its class."""
        row = self._resolver.facts(path).classes[cls]
        return self._of_literal(path, E.OBJECT, cls, row.outer, row.place)

    def parameter(self, path: str, function: int, position: int) -> Values:
        """Return what a function without annotations is called with where it stands."""
        row = self._resolver.facts(path).functions[function]
        expected = self._of_literal(path, E.FUNCTION, function, row.outer, row.place)
        found: list[Value] = []
        for value in expected.values:
            found += self._parameter_of(value, position)
        return unique(found)

    def _of_literal(self, path: str, kind: E, owner: int, scope: int, place: int) -> Expected:
        self._index(path)
        expression = self._rows[path].get((kind, owner))
        if expression is None:
            return _UNKNOWN
        return self.of(path, expression, scope, place)

    def of(self, path: str, expression: int, scope: int, place: int) -> Expected:
        """Return what is expected of an expression."""
        self._index(path)
        places = self._places[path].get(expression, [])
        found: list[Value] = []
        is_known = bool(places)
        for item in places:
            key = ("expected", path, expression, scope, place, item)
            values = self._resolver.once(
                key,
                lambda item=item: self._at(path, item, scope, place),  # type: ignore[misc]
            )
            found += values
            is_known &= bool(values) or item.role == "free"
        return Expected(unique(found), is_known)

    def _at(self, path: str, item: _ExpectedAt, scope: int, place: int) -> Values:
        resolver = self._resolver
        facts = resolver.facts(path)
        if item.role == "typed":
            return resolver.annotation(path, scope, item.row, place)
        if item.role == "declared":
            binding = facts.bindings[item.row]
            return resolver.annotation(path, binding.eval_scope, binding.a, binding.place)
        if item.role == "assigned":
            return resolver.infer(path, scope, item.row, place)
        if item.role == "same":
            return self.of(path, item.row, scope, place).values
        if item.role == "element":
            elements = resolver.elements
            outer = self.of(path, item.row, scope, place).values
            return unique([v for value in outer for v in elements.of(value, by_key=True)])
        if item.role == "member":
            return self._of_member(path, facts, item.row)
        if item.role == "returned":
            return self._of_returned(path, facts, item.row)
        if item.role == "argument":
            return self._of_argument(path, item, scope, place)
        return ()

    def _of_member(self, path: str, facts: Facts, index: int) -> Values:
        """Return what the object literal around a value expects of the member."""
        binding = facts.bindings[index]
        owner = facts.scopes[binding.scope].owner
        outer = self.of_object(path, owner)
        name = facts.names[binding.name]
        attributes = self._resolver.attributes
        return unique([v for value in outer.values for v in attributes.of(value, name)])

    def _of_returned(self, path: str, facts: Facts, function: int) -> Values:
        row = facts.functions[function]
        if row.returns != NONE:
            return self._resolver.annotation(path, row.scope, row.returns, row.place)
        expected = self._of_literal(path, E.FUNCTION, function, row.outer, row.place)
        calls = self._resolver.calls
        return unique([v for value in expected.values for v in calls.returned_by(value)])

    def _of_argument(self, path: str, item: _ExpectedAt, scope: int, place: int) -> Values:
        """Return what the called function's parameter says."""
        resolver = self._resolver
        facts = resolver.facts(path)
        kind, callee, _ = facts.expressions[item.row]
        called, types = resolver.calls.applied(path, scope, callee, place)
        found: list[Value] = []
        for value in resolver.infer(path, scope, called, place):
            for target in self._targets(value, is_new=kind == E.NEW):
                found += self._from_parameter(path, item, scope, place, target, types)
        if not found and facts.expressions[called].kind == E.ATTRIBUTE and item.position == 0:
            found += self._iterating(path, facts, scope, called, place)
            found += self._loaded(path, facts, scope, called, place)
        return unique(found)

    def _targets(
        self, value: Value, *, is_new: bool
    ) -> list[tuple[FunctionValue, Instance | None]]:
        """Return the functions that a call runs, each with what it is called on."""
        methods = self._resolver.attributes.methods
        if isinstance(value, FunctionValue):
            return [(value, None)]
        if isinstance(value, Bound):
            on = value.receiver if isinstance(value.receiver, Instance) else None
            return [(value.function, on)]
        if isinstance(value, ClassValue) and is_new:
            return [(function, Instance(value)) for function in methods(value, "constructor")]
        if isinstance(value, Instance):
            name = "new" if is_new else "__call__"
            return [(function, value) for function in methods(value.cls, name)]
        return []

    def _from_parameter(
        self,
        path: str,
        item: _ExpectedAt,
        scope: int,
        place: int,
        target: tuple[FunctionValue, Instance | None],
        types: tuple[TypeArgument, ...],
    ) -> Values:
        function, receiver = target
        resolver = self._resolver
        facts = resolver.facts(function.path)
        row = facts.functions[function.index]
        if not row.parameter_count:
            return ()
        position = min(item.position, row.parameter_count - 1)
        parameter = facts.parameters[row.parameters + position]
        if parameter.annotation == NONE or (position < item.position and parameter.kind != P.REST):
            return ()
        values = resolver.annotation(function.path, row.scope, parameter.annotation, row.place)
        if parameter.kind == P.REST:
            values = unique([v for x in values for v in resolver.elements.of(x, by_key=True)])
        environments = [resolver.calls.receiver_environment(function, receiver)]
        generics = resolver.generics
        if generics.parameters(function.path, row.scope):
            arguments = types or self._from_result(path, item.row, scope, place, function)
            arguments = self._from_others(path, item, scope, place, function, arguments)
            environments.append(generics.of_call(function, arguments))
        return generics.bound(values, *environments)

    def _from_result(
        self, path: str, call: int, scope: int, place: int, function: FunctionValue
    ) -> tuple[TypeArgument, ...]:
        """Return type arguments as they follow from what is expected of the call's result."""
        resolver = self._resolver
        row = resolver.facts(function.path).functions[function.index]
        expected = self.of(path, call, scope, place).values
        if row.returns == NONE or not expected:
            return ()
        names = resolver.facts(function.path).names
        return tuple(
            Known(
                resolver.generics.matched(
                    function.path, row.scope, row.returns, names[parameter.name], expected
                )
            )
            for parameter in resolver.generics.parameters(function.path, row.scope)
        )

    def _from_others(
        self,
        path: str,
        item: _ExpectedAt,
        scope: int,
        place: int,
        function: FunctionValue,
        known: tuple[TypeArgument, ...],
    ) -> tuple[TypeArgument, ...]:
        """Return type arguments with those filled in that the other arguments of a call tell."""
        from analysis.references.inference.calls import CallArguments

        facts = self._resolver.facts(path)
        arguments = tuple(facts.items(facts.expressions[item.row].b))
        others = tuple(
            NONE if facts.expressions[a].kind in (E.FUNCTION, E.OBJECT) else a for a in arguments
        )
        call = CallArguments(path, scope, place, others)
        told = self._resolver.calls.type_arguments(function, call)
        return tuple(
            known[number] if number < len(known) and known[number] != Known(()) else argument
            for number, argument in enumerate(told)
        )

    def _iterating(self, path: str, facts: Facts, scope: int, called: int, place: int) -> Values:
        """Return what ``array.map`` and ``array.push`` and their kin expect."""
        _, receiver, name = facts.expressions[called]
        method = facts.names[name]
        if method not in _ITERATING and method not in _TAKING:
            return ()
        given = self._resolver.infer(path, scope, receiver, place)
        arrays = tuple(v for v in given if isinstance(v, Container | IteratorOf))
        if method in _ITERATING:
            return arrays
        elements = self._resolver.elements
        return unique([v for array in arrays for v in elements.of(array, by_key=True)])

    def _loaded(self, path: str, facts: Facts, scope: int, called: int, place: int) -> Values:
        """Return the module that ``import("x").then`` hands to its argument."""
        _, receiver, name = facts.expressions[called]
        if facts.names[name] != "then":
            return ()
        given = self._resolver.infer(path, scope, receiver, place)
        return tuple(value for value in given if isinstance(value, ModuleValue))

    def _parameter_of(self, value: Value, position: int) -> Values:
        """Return what a function that is expected is called with at a position."""
        resolver = self._resolver
        if isinstance(value, Container | IteratorOf):
            return resolver.elements.of(value, by_key=True) if position == 0 else ()
        if isinstance(value, ModuleValue):
            return (value,) if position == 0 else ()
        environments = value.environments if isinstance(value, FunctionType) else ()
        called = value.function if isinstance(value, FunctionType) else value
        for function, receiver in self._targets(called, is_new=False):
            facts = resolver.facts(function.path)
            row = facts.functions[function.index]
            if position >= row.parameter_count:
                continue
            annotation = facts.parameters[row.parameters + position].annotation
            if annotation == NONE:
                continue
            found = resolver.annotation(function.path, row.scope, annotation, row.place)
            around = resolver.calls.receiver_environment(function, receiver)
            return resolver.generics.bound(found, around, *environments)
        return ()

    def _index(self, path: str) -> None:
        """Note where the expressions of a file stand."""
        if path in self._places:
            return
        if len(self._places) >= _MAX_FILES:
            self._places.clear()
            self._rows.clear()
        index = _PlaceIndex(self._resolver.facts(path))
        self._places[path], self._rows[path] = index.places, index.rows


class _PlaceIndex:
    """Where the expressions of a file stand that something can be expected of."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._kinds = facts.expressions.column(0)
        self.places: dict[int, list[_ExpectedAt]] = {}
        self.rows: dict[tuple[int, int], int] = {}
        for number, row in enumerate(facts.expressions):
            self._expression(number, row)
        for number, binding in enumerate(facts.bindings):
            self._binding(number, binding)
        for number, function in enumerate(facts.functions):
            for item in facts.items(function.return_values):
                self._note(item, "returned", number)

    def _note(self, expression: int, role: _Role, row: int, position: int = 0) -> None:
        if expression != NONE and self._kinds[expression] in _PLACED:
            self.places.setdefault(expression, []).append(_ExpectedAt(role, row, position))

    def _expression(self, number: int, row: Expression) -> None:
        if row.kind in (E.OBJECT, E.FUNCTION):
            self.rows[row.kind, row.a] = number
        elif row.kind in (E.CALL, E.NEW):
            for position, item in enumerate(self._facts.items(row.b)):
                self._note(item, "argument", number, position)
        elif row.kind == E.LIST:
            for item in self._facts.items(row.a):
                self._note(item, "element", number)
        elif row.kind == E.CHOICE:
            for item in self._facts.items(row.a):
                self._note(item, "same", number)
        elif row.kind in (E.AWAIT, E.STAR):
            self._note(row.a, "same", number)
        elif row.kind == E.ASSIGNED:
            self._note(row.b, "assigned", row.a)
        elif row.kind in (E.CAST, E.SATISFIES) and row.a != NONE:
            is_any = self._facts.expressions[row.a][:2] == (E.UNKNOWN, ANYTHING)
            self._note(row.b, "free" if is_any else "typed", row.a)

    def _binding(self, number: int, binding: Binding) -> None:
        if binding.kind == B.ANNOTATED:
            self._note(binding.b, "declared", number)
        elif binding.kind == B.FUNCTION and self._is_member(binding):
            expression = self.rows.get((E.FUNCTION, binding.a), NONE)
            self._note(expression, "member", number)
        elif binding.kind in (B.ASSIGN, B.EXPORT):
            role: _Role = "member" if self._is_member(binding) else "free"
            self._note(binding.a, role, number)

    def _is_member(self, binding: Binding) -> bool:
        return self._facts.scopes[binding.scope].kind == S.CLASS
