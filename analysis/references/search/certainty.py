"""Whether inference found all that an expression can be, or only what is likely.

Inference follows what is written: defaults, assignments, literals. What nobody declared can be
set from elsewhere as well. Only what cannot may rule out that a place uses a definition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import NONE, B, E, P
from analysis.parsing.facts.rows import Binding, Expression
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.script_layout import TYPED_SUFFIXES, is_script
from analysis.references.scopes.values import (
    EXTERNAL,
    Bound,
    ClassValue,
    Container,
    ContainerMethod,
    FunctionValue,
    Instance,
    ModuleValue,
    QuerySetMethod,
    QuerySetOf,
    Super,
    TypeVariable,
    Value,
    VariableAt,
)
from analysis.references.search.outside import OURS, OutsideAssignments, Where

if TYPE_CHECKING:
    from analysis.references.search.resolver import CodeResolver

_MAX_DEPTH = 20
# Decorators under which a call gives what the function returns.
_KEEPING_RESULT = frozenset(
    {"staticmethod", "classmethod", "property", "cached_property", "abstractmethod", "override"}
    | {"wraps", "lru_cache", "cache", "overload", "final", "setter", "getter", "deleter"}
    | {"abstractproperty", "classproperty"}
)
# Functions of the language that give back what is in their first argument, or a form of it.
_PASSING = frozenset({"reversed", "sorted", "iter", "next", "list", "tuple", "set", "max", "min"})


class Certainty:
    """Tells what inference knows for certain."""

    def __init__(self, resolver: CodeResolver) -> None:
        self._resolver = resolver
        self._known: dict[tuple[Where, int], bool] = {}
        self._depth = 0
        self._outside = OutsideAssignments(resolver, self)

    def of_member(self, where: Where, receiver: int, name: str) -> bool:
        """Return whether a member of a receiver can be nothing else than what was inferred."""
        if receiver == NONE:
            return True
        values = self._resolver.infer(*where[:2], receiver, where[2])
        if where[0].endswith(TYPED_SUFFIXES):
            # Types say what a thing of the code base is; of others the types are not read.
            return EXTERNAL not in values or self._is_sure(where, receiver)
        if not self.of(where, receiver):
            return False
        return all(self._has_or_lacks(value, name) for value in values)

    def of(self, where: Where, expression: int) -> bool:
        """Return whether an expression can be nothing else than what was inferred."""
        if expression == NONE:
            return False
        if where[0].endswith(TYPED_SUFFIXES):
            return True
        key = (where, expression)
        known = self._known.get(key)
        if known is not None:
            return known
        if self._depth >= _MAX_DEPTH:
            return False
        # What needs itself to be known adds nothing to itself.
        self._known[key] = True
        self._depth += 1
        try:
            self._known[key] = result = self._is_sure(where, expression)
        finally:
            self._depth -= 1
        return result

    def _is_sure(self, where: Where, expression: int) -> bool:
        facts = self._resolver.facts(where[0])
        row = facts.expressions[expression]
        handler = _HANDLERS.get(row.kind)
        return bool(handler and handler(self, facts, where, row))

    def _has_or_lacks(self, value: Value, name: str) -> bool:
        """Return whether classes below the value's do not tell more about a member."""
        if isinstance(value, Super):
            owner = self._resolver.classes.owner_above(value.cls, name)
            return owner is not None or self._is_alone(value.cls)
        if not isinstance(value, Instance) or is_script(value.cls.path):
            return True
        if self._resolver.classes.owner(value.cls, name) is not None:
            return True
        family = self._resolver.families.below(value.cls)
        owner_of = self._resolver.classes.owner
        return family is not None and all(owner_of(cls, name) is None for cls in family)

    def _is_alone(self, cls: ClassValue) -> bool:
        family = self._resolver.families.below(cls)
        return family is not None and len(family) == 1

    def _yes(self, facts: Facts, where: Where, row: Expression) -> bool:
        return True

    def _inner(self, facts: Facts, where: Where, row: Expression) -> bool:
        return self.of(where, row.a)

    def _name(self, facts: Facts, where: Where, row: Expression) -> bool:
        path, scope, place = where
        found = self._resolver.names.lookup(path, scope, row.a, place)
        if found is None:
            return is_script(path) or bool(self._resolver.names.beyond_scopes(path, row.a))
        reaching = self._resolver.variables.reaching(found, scope, place)
        return all(self._binding(path, index) for index in reaching)

    def _binding(self, path: str, index: int) -> bool:
        facts = self._resolver.facts(path)
        binding = facts.bindings[index]
        where = (path, binding.eval_scope, binding.place)
        kind = binding.kind
        if kind in (B.FUNCTION, B.CLASS):
            return True
        if kind in (B.FROM, B.IMPORT, B.EXPORT):
            definitions = self._resolver.names.definitions(path, (index,))
            return bool(definitions) and all(
                not isinstance(item, VariableAt)
                or (item.path, item.binding) == (path, index)
                or self._binding(item.path, item.binding)
                for item in definitions
            )
        if kind == B.ANNOTATED:
            return self._is_declared(where, binding.a)
        if kind in (B.ASSIGN, B.AUGMENTED):
            return self.of(where, binding.a)
        if kind == B.PARAMETER:
            return self._parameter(path, facts, binding)
        if kind in (B.EXCEPT, B.MATCH):
            return binding.a != NONE
        if kind in (B.FOR, B.FOR_ITEM, B.ITEM):
            return self._elements(where, binding.a)
        if kind in (B.WITH, B.WITH_ITEM):
            return self.of(where, binding.a) and bool(self._resolver.bound_by(path, index))
        return kind == B.TYPE_PARAMETER

    def _is_declared(self, where: Where, annotation: int) -> bool:
        """Return whether an annotation says what a value is."""
        values = self._resolver.annotation(*where[:2], annotation, where[2])
        return bool(values) and not any(isinstance(value, TypeVariable) for value in values)

    def _parameter(self, path: str, facts: Facts, binding: Binding) -> bool:
        if binding.a == NONE:
            return False
        function = facts.functions[binding.a]
        row = facts.parameters[function.parameters + binding.b]
        is_receiver = function.owner != NONE and binding.b == 0 and row.kind == P.PLAIN
        if is_receiver and not is_script(path):
            return "staticmethod" not in self._resolver.calls.decorator_names(
                FunctionValue(path, binding.a)
            )
        if row.kind in (P.REST, P.KEYWORD_REST):
            return True
        where = (path, function.outer, function.place)
        return row.annotation != NONE and self._is_declared(where, row.annotation)

    def _attribute(self, facts: Facts, where: Where, row: Expression) -> bool:
        if not self.of(where, row.a):
            return False
        name = facts.names[row.b]
        values = self._resolver.infer(*where[:2], row.a, where[2])
        return bool(values) and all(self._member(value, name) for value in values)

    def _member(self, value: Value, name: str) -> bool:
        """Return whether a member of a value is what its class or module says."""
        if isinstance(value, ModuleValue):
            definitions = self._resolver.names.member(value, name)
            return bool(definitions) and all(
                not isinstance(item, VariableAt) or self._binding(item.path, item.binding)
                for item in definitions
            )
        if not isinstance(value, Instance | ClassValue):
            return not isinstance(value, Super)
        cls = value if isinstance(value, ClassValue) else value.cls
        classes = self._resolver.classes
        owner = classes.owner(cls, name)
        if owner is None:
            ancestry = classes.ancestry(cls)
            return ancestry.external and ancestry.complete
        facts = self._resolver.facts(owner.path)
        rows = [(index, facts.bindings[index]) for index in classes.bindings(owner, name)]
        declared = [index for index, row in rows if row.kind == B.ANNOTATED]
        if declared:
            return all(self._binding(owner.path, index) for index in declared)
        for index, row in rows:
            if row.kind == B.FUNCTION:
                function = FunctionValue(owner.path, row.a)
                names = self._resolver.calls.decorator_names(function)
                if names & {"property", "cached_property"} and not self._returned(function):
                    return False
            elif not self._binding(owner.path, index):
                return False
        is_variable = any(row.kind not in (B.FUNCTION, B.CLASS) for _, row in rows)
        return not is_variable or not self._outside.sets(owner, name)

    def _returned(self, function: FunctionValue) -> bool:
        """Return whether a function gives nothing else than what its source says."""
        facts = self._resolver.facts(function.path)
        row = facts.functions[function.index]
        if self._resolver.calls.decorator_names(function) - _KEEPING_RESULT:
            return False
        if row.returns != NONE:
            return self._is_declared((function.path, row.outer, row.place), row.returns)
        if facts.pool[row.yields]:
            return False
        where = (function.path, row.scope, 1 << 30)
        return all(self.of(where, item) for item in facts.items(row.return_values))

    def _call(self, facts: Facts, where: Where, row: Expression) -> bool:
        name = facts.last_name(row.a)
        path, scope, place = where
        values = self._resolver.infer(path, scope, row.a, place)
        arguments = facts.items(row.b)
        if name == "super" and not is_script(path):
            return True
        if name == "type" and len(arguments) == 1:
            return self.of(where, arguments[0])
        if name in ("cast", "NewType") and arguments:
            return self._is_declared(where, arguments[0])
        if name in _PASSING and arguments and all(value == EXTERNAL for value in values):
            return self._elements(where, arguments[0])
        if not values or not self.of(where, row.a):
            return False
        # What is called like a class makes objects of its own.
        is_class = name[:1].isupper()
        return all(self._result(value, where, arguments, is_class=is_class) for value in values)

    def _result(
        self, callee: Value, where: Where, arguments: Sequence[int], *, is_class: bool
    ) -> bool:
        """Return whether a call gives nothing else than what was inferred."""
        if isinstance(callee, ClassValue):
            return True
        if isinstance(callee, FunctionValue):
            return self._returned(callee)
        if isinstance(callee, Bound):
            return self._returned(callee.function)
        if isinstance(callee, QuerySetMethod):
            return True
        if isinstance(callee, ContainerMethod):
            return callee.container.of_types
        if callee != EXTERNAL:
            return False
        if is_class:
            return True
        # A function from outside can give back what it is given.
        infer = self._resolver.infer
        given = [value for item in arguments for value in infer(*where[:2], item, where[2])]
        return not any(isinstance(value, OURS) for value in given)

    def _elements(self, where: Where, expression: int) -> bool:
        """Return whether what is in a value is nothing else than what was inferred."""
        if expression == NONE:
            return False
        facts = self._resolver.facts(where[0])
        row = facts.expressions[expression]
        if row.kind in (E.TUPLE, E.LIST):
            items = facts.items(row.a)
            # Of a long list only the first elements are known.
            return len(items) < 4 and all(self.of(where, item) for item in items)
        if row.kind == E.CALL and self._call(facts, where, row):
            return True
        if not self.of(where, expression):
            return False
        values = self._resolver.infer(*where[:2], expression, where[2])
        return bool(values) and all(self._is_filled_once(value) for value in values)

    def _is_filled_once(self, value: Value) -> bool:
        """Return whether nothing can be put into a value later, or its type says what."""
        if isinstance(value, Container):
            return value.of_types
        return isinstance(value, QuerySetOf | Instance) or value == EXTERNAL

    def _subscript(self, facts: Facts, where: Where, row: Expression) -> bool:
        return self._elements(where, row.a)

    def _choice(self, facts: Facts, where: Where, row: Expression) -> bool:
        return all(self.of(where, item) for item in facts.items(row.a))

    def _made(self, facts: Facts, where: Where, row: Expression) -> bool:
        return self.of(where, row.a)

    def _this(self, facts: Facts, where: Where, row: Expression) -> bool:
        return row.b != NONE

    def _cast(self, facts: Facts, where: Where, row: Expression) -> bool:
        return self._is_declared(where, row.a)


_HANDLERS: dict[int, Callable[[Certainty, Facts, Where, Expression], bool]] = {
    E.NAME: Certainty._name,
    E.ATTRIBUTE: Certainty._attribute,
    E.CALL: Certainty._call,
    E.SUBSCRIPT: Certainty._subscript,
    E.SLICE: Certainty._inner,
    E.TEXT: Certainty._yes,
    E.CONSTANT: Certainty._yes,
    E.LIST: Certainty._yes,
    E.TUPLE: Certainty._yes,
    E.DICT: Certainty._yes,
    E.COMPREHENSION: Certainty._yes,
    E.DICT_COMPREHENSION: Certainty._yes,
    E.CHOICE: Certainty._choice,
    E.BINARY: Certainty._inner,
    E.UNION: Certainty._inner,
    E.AWAIT: Certainty._inner,
    E.LAMBDA: Certainty._yes,
    E.FUNCTION: Certainty._yes,
    E.CLASS: Certainty._yes,
    E.OBJECT: Certainty._yes,
    E.REQUIRE: Certainty._yes,
    E.THIS: Certainty._this,
    E.SUPER: Certainty._this,
    E.NEW: Certainty._made,
    E.CAST: Certainty._cast,
}
