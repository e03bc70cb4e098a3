"""What an expression is, from its form and the names in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import NONE, WHOLE, B, C, E
from analysis.parsing.facts.rows import Expression, Narrowing
from analysis.parsing.facts.tables import Facts
from analysis.references.inference.calls import CallArguments
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import (
    EXTERNAL,
    ClassValue,
    Container,
    FunctionValue,
    Instance,
    IteratorOf,
    LambdaValue,
    ModuleValue,
    Super,
    Value,
    Values,
    unique,
)

if TYPE_CHECKING:
    from analysis.references.inference.resolver import Resolver

Where = tuple[str, int, int]
"""File, scope and place of a use."""


class Expressions:
    """Evaluates expressions."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def value(self, where: Where, index: int) -> Values:
        """Return what an expression can be; nothing if that is not known."""
        facts = self._resolver.facts(where[0])
        row = facts.expressions[index]
        handler = _HANDLERS.get(row.kind)
        values = handler(self, facts, where, row) if handler else ()
        if len(facts.narrowings) and row.kind in (E.NAME, E.ATTRIBUTE):
            return self._narrowed(facts, where, index, values)
        return values

    def _narrowed(self, facts: Facts, where: Where, index: int, values: Values) -> Values:
        """Return what ``isinstance`` around a use leaves of the values."""
        for narrowing in facts.narrowings_of(index):
            if not narrowing.start <= where[2] < narrowing.end:
                continue
            if self._is_rebound(facts, where, index, narrowing):
                continue
            types = self._resolver.instances_named(
                where[0], narrowing.scope, narrowing.type, narrowing.start
            )
            kept = [value for value in values if self._is_one_of(value, types)]
            values = unique(kept) or types or values
        return values

    def _is_rebound(self, facts: Facts, where: Where, index: int, narrowing: Narrowing) -> bool:
        row = facts.expressions[index]
        if row.kind != E.NAME:
            return False
        places = (facts.bindings[i].place for i in facts.bound_in(narrowing.scope, row.a))
        return any(narrowing.start < place < where[2] for place in places)

    def _is_one_of(self, value: Value, types: Values) -> bool:
        if not isinstance(value, Instance):
            return False
        order = self._resolver.classes.ancestry(value.cls).order
        return any(isinstance(t, Instance) and t.cls in order for t in types)

    def _name(self, facts: Facts, where: Where, row: Expression) -> Values:
        path, scope, place = where
        resolver = self._resolver
        found = resolver.names.lookup(path, scope, row.a, place)
        if found is None:
            if facts.names[row.a] == "exports" and is_script(path):
                return (ModuleValue(path),)
            return resolver.values_of(resolver.names.beyond_scopes(path, row.a))
        reaching = resolver.variables.reaching(found, scope, place)
        values = resolver.values_of(resolver.names.definitions(path, reaching))
        if not values and len(reaching) < len(found.bindings):
            values = resolver.values_of(resolver.names.definitions(path, found.bindings))
        return values

    def _attribute(self, facts: Facts, where: Where, row: Expression) -> Values:
        name = facts.names[row.b]
        resolver = self._resolver
        if name == "exports" and is_script(where[0]) and facts.last_name(row.a) == "module":
            return (ModuleValue(where[0]),)
        result: list[Value] = []
        for value in resolver.infer(*where[:2], row.a, where[2]):
            if isinstance(value, Instance):
                assigned = self._assigned_here(facts, where, value, name)
                if assigned:
                    result += assigned
                    continue
            result += resolver.attributes.of(value, name)
        return unique(result)

    def _assigned_here(self, facts: Facts, where: Where, value: Instance, name: str) -> Values:
        """Return what the function around a use has just assigned to the attribute."""
        path, scope, place = where
        if value.cls.path != path:
            return ()
        home = self._resolver.classes.scope_of(value.cls)
        latest = NONE
        for index in facts.bound_in(home, facts.name_id(name)):
            binding = facts.bindings[index]
            is_here = binding.is_instance and binding.eval_scope == scope
            if is_here and binding.kind == B.ASSIGN and binding.place < place < binding.block_end:
                latest = index
        if latest == NONE or facts.bindings[latest].effective > place:
            return ()
        assigned = self._resolver.variables.value(path, latest)
        return assigned if all(isinstance(v, Instance) for v in assigned) else ()

    def _call(self, facts: Facts, where: Where, row: Expression) -> Values:
        path, scope, place = where
        if is_script(path):
            return self._script_call(facts, where, row)
        call = CallArguments(path, scope, place, tuple(facts.items(row.b)))
        special = self._resolver.frameworks.call(facts, row.a, call)
        if special is not None:
            return special
        calls = self._resolver.calls
        callees = self._resolver.infer(path, scope, row.a, place)
        return unique([value for callee in callees for value in calls.result(callee, call)])

    def _script_call(self, facts: Facts, where: Where, row: Expression) -> Values:
        path, scope, place = where
        calls = self._resolver.calls
        callee, types = calls.applied(path, scope, row.a, place)
        call = CallArguments(path, scope, place, tuple(facts.items(row.b)), types)
        callees = self._resolver.infer(path, scope, callee, place)
        return unique([value for each in callees for value in calls.result(each, call)])

    def _subscript(self, facts: Facts, where: Where, row: Expression) -> Values:
        elements = self._resolver.elements
        values = self._resolver.infer(*where[:2], row.a, where[2])
        return unique([item for value in values for item in elements.of(value, by_key=True)])

    def _first(self, facts: Facts, where: Where, row: Expression) -> Values:
        return self._resolver.infer(*where[:2], row.a, where[2])

    def _constant(self, facts: Facts, where: Where, row: Expression) -> Values:
        return () if row.kind == E.CONSTANT and row.a == C.NONE else (EXTERNAL,)

    def _list(self, facts: Facts, where: Where, row: Expression) -> Values:
        # What an empty one is filled with later is not known.
        items = tuple(facts.items(row.a))
        is_tuple = row.kind == E.TUPLE and bool(items)
        return (Container(*where, items, is_tuple=is_tuple),)

    def _dict(self, facts: Facts, where: Where, row: Expression) -> Values:
        values, keys = tuple(facts.items(row.a)), tuple(facts.items(row.b))
        return (Container(*where, values, keys, is_mapping=True),)

    def _comprehension(self, facts: Facts, where: Where, row: Expression) -> Values:
        items = self._resolver.infer(where[0], row.b, row.a, where[2])
        return (IteratorOf(items),) if items else ()

    def _dict_comprehension(self, facts: Facts, where: Where, row: Expression) -> Values:
        return (Container(where[0], row.b, where[2], (row.a,), is_mapping=True),)

    def _choice(self, facts: Facts, where: Where, row: Expression) -> Values:
        return self._any_of(where, tuple(facts.items(row.a)))

    def _union(self, facts: Facts, where: Where, row: Expression) -> Values:
        values = self._any_of(where, (row.a, row.b))
        return values if all(isinstance(v, ClassValue) for v in values) else self._operated(values)

    def _binary(self, facts: Facts, where: Where, row: Expression) -> Values:
        return self._operated(self._any_of(where, (row.a,)))

    def _operated(self, values: Values) -> Values:
        """Return what an operator gives, from its left operand's method."""
        result: list[Value] = []
        for value in values:
            if isinstance(value, Instance):
                for name in ("__add__", "__or__", "__and__", "__truediv__", "__sub__", "__mul__"):
                    method = self._resolver.attributes.method(value.cls, name)
                    if method is not None:
                        result += self._resolver.calls.returned(method, value)
            elif not isinstance(value, ClassValue):
                result.append(value)
        return unique(result)

    def _lambda(self, facts: Facts, where: Where, row: Expression) -> Values:
        return (LambdaValue(where[0], row.b, row.a, where[2]),)

    def _this(self, facts: Facts, where: Where, row: Expression) -> Values:
        if row.b == NONE:
            return ()
        return (Instance(ClassValue(where[0], facts.scopes[row.b].owner)),)

    def _super(self, facts: Facts, where: Where, row: Expression) -> Values:
        if row.b == NONE:
            return ()
        return (Super(ClassValue(where[0], facts.scopes[row.b].owner)),)

    def _made(self, facts: Facts, where: Where, row: Expression) -> Values:
        path, scope, place = where
        resolver = self._resolver
        callee, types = resolver.calls.applied(path, scope, row.a, place)
        call = CallArguments(path, scope, place, tuple(facts.items(row.b)), types)
        made: list[Value] = []
        for value in resolver.infer(path, scope, callee, place):
            if isinstance(value, ClassValue):
                made.append(Instance(value, types))
            elif isinstance(value, Instance):
                for function in resolver.attributes.methods(value.cls, "new"):
                    made += resolver.calls.returned(function, value, call)
            elif value == EXTERNAL:
                made.append(value)
        return unique(made)

    def _required(self, facts: Facts, where: Where, row: Expression) -> Values:
        names = self._resolver.names
        module = names.module(where[0], facts.names[row.a], 0)
        if row.b == 1 or not isinstance(module, ModuleValue):
            return (module,)
        return self._resolver.values_of(names.member(module, WHOLE))

    def _cast(self, facts: Facts, where: Where, row: Expression) -> Values:
        path, scope, place = where
        kind = facts.expressions[row.a].kind
        if kind == E.UNKNOWN and row.b != NONE and facts.expressions[row.b].kind == E.OBJECT:
            return ()
        return self._resolver.annotation(path, scope, row.a, place)

    def _satisfying(self, facts: Facts, where: Where, row: Expression) -> Values:
        return self._resolver.infer(*where[:2], row.b, where[2])

    def _applied(self, facts: Facts, where: Where, row: Expression) -> Values:
        return self._resolver.infer(*where[:2], row.a, where[2])

    def _of_parameter(self, facts: Facts, where: Where, row: Expression) -> Values:
        return self._resolver.variables.script_parameter(where[0], row.a, row.b)

    def _object(self, facts: Facts, where: Where, row: Expression) -> Values:
        return (Instance(ClassValue(where[0], row.a)),)

    def _class(self, facts: Facts, where: Where, row: Expression) -> Values:
        return (ClassValue(where[0], row.a),)

    def _function(self, facts: Facts, where: Where, row: Expression) -> Values:
        return (FunctionValue(where[0], row.a),)

    def _any_of(self, where: Where, items: tuple[int, ...]) -> Values:
        path, scope, place = where
        infer = self._resolver.infer
        return unique([value for item in items for value in infer(path, scope, item, place)])


_HANDLERS: dict[int, Callable[[Expressions, Facts, Where, Expression], Values]] = {
    E.NAME: Expressions._name,
    E.ATTRIBUTE: Expressions._attribute,
    E.CALL: Expressions._call,
    E.SUBSCRIPT: Expressions._subscript,
    E.SLICE: Expressions._first,
    E.TEXT: Expressions._constant,
    E.CONSTANT: Expressions._constant,
    E.LIST: Expressions._list,
    E.TUPLE: Expressions._list,
    E.DICT: Expressions._dict,
    E.COMPREHENSION: Expressions._comprehension,
    E.DICT_COMPREHENSION: Expressions._dict_comprehension,
    E.CHOICE: Expressions._choice,
    E.UNION: Expressions._union,
    E.BINARY: Expressions._binary,
    E.AWAIT: Expressions._first,
    E.STAR: Expressions._first,
    E.LAMBDA: Expressions._lambda,
    E.THIS: Expressions._this,
    E.SUPER: Expressions._super,
    E.NEW: Expressions._made,
    E.REQUIRE: Expressions._required,
    E.CAST: Expressions._cast,
    E.OBJECT: Expressions._object,
    E.CLASS: Expressions._class,
    E.FUNCTION: Expressions._function,
    E.SATISFIES: Expressions._satisfying,
    E.APPLIED: Expressions._applied,
    E.PARAMETER: Expressions._of_parameter,
}
