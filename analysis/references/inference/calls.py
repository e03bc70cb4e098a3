"""What calling something gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import NONE, C, E, P, S
from analysis.parsing.facts.rows import FunctionRow
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import (
    EXTERNAL,
    Bound,
    ClassValue,
    Container,
    ContainerMethod,
    Environment,
    FunctionType,
    FunctionValue,
    Instance,
    IteratorOf,
    Known,
    LambdaValue,
    QuerySetMethod,
    TypeArgument,
    TypeAt,
    TypeVariable,
    Value,
    Values,
    unique,
)

if TYPE_CHECKING:
    from analysis.references.inference.resolver import Resolver

# Functions that return one of many things say little; what they say first is enough.
_MAX_RETURNS = 8


@dataclass(frozen=True, slots=True)
class CallArguments:
    """The arguments of a call, as expressions of a file."""

    path: str
    scope: int
    place: int
    arguments: tuple[int, ...]
    types: tuple[TypeArgument, ...] = ()
    """What the call gives for the function's type parameters."""


class Calls:
    """Evaluates calls."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def result(self, callee: Value, call: CallArguments) -> Values:
        """Return what calling a value gives; nothing if that is not known."""
        if isinstance(callee, ClassValue):
            # In scripts ``new`` makes objects; a class is called where a function stands for it.
            return () if is_script(callee.path) else (Instance(callee),)
        if isinstance(callee, FunctionValue):
            return self.returned(callee, None, call)
        if isinstance(callee, Bound):
            return self.returned(callee.function, callee.receiver, call)
        if isinstance(callee, FunctionType):
            values = self.returned(callee.function, None, call)
            return self._resolver.generics.bound(values, *callee.environments)
        if isinstance(callee, ContainerMethod):
            return self._resolver.elements.called(callee)
        if isinstance(callee, QuerySetMethod):
            return self._resolver.frameworks.called(callee)
        if isinstance(callee, LambdaValue):
            return self._resolver.infer(callee.path, callee.scope, callee.body, callee.place)
        if isinstance(callee, Instance):
            method = self._resolver.attributes.method(callee.cls, "__call__")
            return self.returned(method, callee, call) if method else ()
        if isinstance(callee, TypeVariable) and is_script(callee.path):
            bound = self._resolver.annotations.resolved(callee)
            return unique([inner for value in bound for inner in self.result(value, call)])
        if isinstance(callee, TypeVariable):
            return (callee,)
        return (EXTERNAL,) if callee == EXTERNAL else ()

    def returned(
        self,
        function: FunctionValue,
        receiver: Instance | ClassValue | None,
        call: CallArguments | None = None,
    ) -> Values:
        """Return what a function returns when it is called on a receiver."""
        key = ("returned", function, receiver, 0)
        values = self._resolver.once(key, lambda: self._returned(function, receiver))
        if is_script(function.path):
            return self._generic(function, receiver, values, call)
        if call is None or not any(isinstance(value, TypeVariable) for value in values):
            return values if values or call is None else self._passed_through(function, call)
        solved: list[Value] = []
        for value in values:
            solved += self._solved(function, value, call) if _is_variable(value) else (value,)
        return unique(solved)

    def _generic(
        self,
        function: FunctionValue,
        receiver: Instance | ClassValue | None,
        values: Values,
        call: CallArguments | None,
    ) -> Values:
        """Return a script function's values with what stands for its type parameters."""
        if not values and call is not None:
            values = self._passed_through(function, call)
        on = receiver if isinstance(receiver, Instance) else None
        environments = [self.receiver_environment(function, on)]
        generics = self._resolver.generics
        row = self._resolver.facts(function.path).functions[function.index]
        if call is not None and generics.parameters(function.path, row.scope):
            arguments = call.types or self.type_arguments(function, call)
            environments.append(generics.of_call(function, arguments))
        return generics.bound(values, *environments)

    def receiver_environment(
        self, function: FunctionValue, receiver: Instance | None
    ) -> Environment | None:
        """Return what stands for the type parameters of the class that a method belongs to."""
        if receiver is None:
            return None
        facts = self._resolver.facts(function.path)
        scope = facts.scopes[facts.functions[function.index].outer]
        if scope.kind != S.CLASS:
            return None
        owner = ClassValue(function.path, scope.owner)
        return self._resolver.generics.environment(receiver, owner)

    def type_arguments(
        self, function: FunctionValue, call: CallArguments
    ) -> tuple[TypeArgument, ...]:
        """Return what a call's arguments say about the function's type parameters."""
        facts = self._resolver.facts(function.path)
        row = facts.functions[function.index]
        generics = self._resolver.generics
        found: list[TypeArgument] = []
        for parameter in generics.parameters(function.path, row.scope):
            name = facts.names[parameter.name]
            solved: Values = ()
            for position in range(row.parameter_count):
                annotation = facts.parameters[row.parameters + position].annotation
                if annotation == NONE or solved:
                    continue
                given = self._argument(call, position)
                solved = generics.matched(function.path, row.scope, annotation, name, given)
            found.append(Known(solved))
        return tuple(found)

    def applied(
        self, path: str, scope: int, callee: int, place: int
    ) -> tuple[int, tuple[TypeArgument, ...]]:
        """Return a called expression without the types it is called with, and these."""
        facts = self._resolver.facts(path)
        if callee == NONE or facts.expressions[callee].kind != E.APPLIED:
            return callee, ()
        row = facts.expressions[callee]
        items = facts.items(facts.expressions[row.b].a)
        return row.a, tuple(TypeAt(path, scope, item, place) for item in items)

    def returned_by(self, value: Value) -> Values:
        """Return what calling a function gives, whatever it is called with."""
        return self.result(value, CallArguments("", 0, 0, ()))

    def decorator_names(self, function: FunctionValue) -> frozenset[str]:
        """Return the last names of a function's decorators."""
        facts = self._resolver.facts(function.path)
        row = facts.functions[function.index]
        return frozenset(facts.last_name(item) for item in facts.items(row.decorators))

    def _returned(self, function: FunctionValue, receiver: Instance | ClassValue | None) -> Values:
        facts = self._resolver.facts(function.path)
        row = facts.functions[function.index]
        if row.returns != NONE:
            return self._declared(function, facts, row, receiver)
        if facts.pool[row.yields]:
            items = tuple(facts.items(row.yields))
            return (Container(function.path, row.scope, 1 << 30, items),)
        result: list[Value] = []
        for item in facts.items(row.return_values)[:_MAX_RETURNS]:
            kind, a, _ = facts.expressions[item]
            if kind == E.CONSTANT and a == C.NONE:
                continue
            if receiver is not None and self._is_receiver(facts, row, item):
                result.append(receiver)
                continue
            result += self._resolver.infer_with(function.path, row.scope, item, receiver)
        return unique(result)

    def _declared(
        self,
        function: FunctionValue,
        facts: Facts,
        row: FunctionRow,
        receiver: Instance | ClassValue | None,
    ) -> Values:
        """Return what the annotation says, ``Self`` and its older forms included."""
        name = facts.last_name(row.returns)
        kind = facts.expressions[row.returns].kind
        if receiver is not None and kind == E.NAME:
            cls = receiver.cls if isinstance(receiver, Instance) else receiver
            if name == "Self" or name in self._receiver_variables(facts, row):
                return (Instance(cls),)
        scope = row.scope if is_script(function.path) else row.outer
        return self._resolver.annotation(function.path, scope, row.returns, row.place)

    def _receiver_variables(self, facts: Facts, row: FunctionRow) -> set[str]:
        """Return the type variable with which a method annotates its receiver."""
        if not row.parameter_count or row.owner == NONE:
            return set()
        annotation = facts.parameters[row.parameters].annotation
        if annotation == NONE:
            return set()
        expression = facts.expressions[annotation]
        inner = expression.b if expression.kind == E.SUBSCRIPT else annotation
        return {facts.last_name(inner)}

    def _is_receiver(self, facts: Facts, row: FunctionRow, item: int) -> bool:
        expression = facts.expressions[item]
        return (
            expression.kind == E.NAME
            and row.owner != NONE
            and row.parameter_count > 0
            and facts.parameters[row.parameters].name == expression.a
            and len(facts.bound_in(row.scope, expression.a)) == 1
        )

    def _passed_through(self, function: FunctionValue, call: CallArguments) -> Values:
        """Return the argument that an unannotated function gives back as it came."""
        facts = self._resolver.facts(function.path)
        row = facts.functions[function.index]
        if row.returns != NONE:
            return ()
        result: list[Value] = []
        for item in facts.items(row.return_values):
            expression = facts.expressions[item]
            if expression.kind == E.NAME:
                position = self._position(facts, row, expression.a)
                result += self._argument(call, position - self._offset(facts, row))
        return unique(result)

    def _solved(self, function: FunctionValue, variable: Value, call: CallArguments) -> Values:
        """Return what the arguments say that a returned type variable is."""
        if not isinstance(variable, TypeVariable):
            return (variable,)
        facts = self._resolver.facts(function.path)
        row = facts.functions[function.index]
        for position in range(row.parameter_count):
            annotation = facts.parameters[row.parameters + position].annotation
            if annotation == NONE:
                continue
            given = self._argument(call, position - self._offset(facts, row))
            solved = self._matched(facts, annotation, variable.name, given)
            if solved:
                return solved
        return self._resolver.annotations.resolved(variable)

    def _matched(self, facts: Facts, annotation: int, name: str, given: Values) -> Values:
        """Return what a type variable in an annotation is, given the argument's values."""
        kind, a, b = facts.expressions[annotation]
        if kind == E.NAME:
            return given if facts.names[a] == name else ()
        if kind == E.UNION:
            return self._matched(facts, a, name, given) or self._matched(facts, b, name, given)
        if kind != E.SUBSCRIPT or facts.last_name(b) != name:
            return ()
        outer = facts.last_name(a)
        if outer in ("type", "Type"):
            return unique([Instance(v) for v in given if isinstance(v, ClassValue)])
        if outer in ("Optional", "Annotated"):
            return given
        elements = self._resolver.elements
        return unique([item for v in given for item in elements.of(v, by_key=False)])

    def _argument(self, call: CallArguments, position: int) -> Values:
        """Return the values of a positional argument."""
        if not 0 <= position < len(call.arguments) or call.arguments[position] == NONE:
            return ()
        facts = self._resolver.facts(call.path)
        item = call.arguments[position]
        if facts.expressions[item].kind in (E.KEYWORD, E.STAR):
            return ()
        return self._resolver.infer(call.path, call.scope, item, call.place)

    def _position(self, facts: Facts, row: FunctionRow, name: int) -> int:
        for position in range(row.parameter_count):
            parameter = facts.parameters[row.parameters + position]
            if parameter.name == name and parameter.kind == P.PLAIN:
                return position
        return -1000

    def _offset(self, facts: Facts, row: FunctionRow) -> int:
        """Return how many parameters the receiver takes."""
        names: Sequence[str] = [facts.last_name(item) for item in facts.items(row.decorators)]
        return int(row.owner != NONE and "staticmethod" not in names)


def _is_variable(value: Value) -> bool:
    return isinstance(value, TypeVariable)


def iterator_over(values: Values) -> Values:
    """Return an iterator over values, nothing if there are none."""
    return (IteratorOf(values),) if values else ()
