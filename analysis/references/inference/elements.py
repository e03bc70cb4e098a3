"""What is in a container, and what iterating or subscripting an object gives."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import NONE, E
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import (
    EXTERNAL,
    ClassValue,
    Container,
    ContainerMethod,
    Instance,
    IteratorOf,
    QuerySetOf,
    TupleOf,
    TypeVariable,
    Value,
    Values,
    unique,
)

if TYPE_CHECKING:
    from analysis.references.inference.resolver import Resolver

_ITEM_METHODS = frozenset({"get", "pop", "setdefault", "popleft", "popitem"})
_VIEW_METHODS = {"values": "items", "items": "pairs", "copy": "same", "keys": "keys"}
# Of arrays.
_SCRIPT_METHODS = {
    **dict.fromkeys(("find", "findLast", "at", "shift"), "item"),
    **dict.fromkeys(("filter", "slice", "concat", "reverse", "sort", "splice"), "same"),
}


class Elements:
    """Takes elements out of values."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def of(self, value: Value, *, by_key: bool) -> Values:
        """Return what iterating a value gives, or subscripting it if ``by_key``."""
        if isinstance(value, Container):
            if value.is_mapping and not by_key:
                return self.evaluate(value, value.keys)
            return self.evaluate(value, value.items)
        if isinstance(value, IteratorOf):
            return value.items
        if isinstance(value, TypeVariable):
            bound = self._resolver.annotations.resolved(value)
            return unique([item for v in bound for item in self.of(v, by_key=by_key)])
        if isinstance(value, QuerySetOf):
            return self._resolver.frameworks.items(value)
        if isinstance(value, TupleOf):
            return unique([item for position in value.positions for item in position])
        if isinstance(value, Instance):
            return self._of_instance(value, by_key=by_key)
        if isinstance(value, ClassValue):
            if self._resolver.classes.is_enum(value):
                return (Instance(value),)
            return (value,) if by_key else ()
        return (EXTERNAL,) if value == EXTERNAL else ()

    def at(self, values: Values, index: int) -> Values:
        """Return what unpacking values gives at a position, anything if it is not known."""
        result: list[Value] = []
        for value in values:
            if index != NONE and isinstance(value, TupleOf):
                result += value.positions[index] if index < len(value.positions) else ()
            elif index != NONE and isinstance(value, Container) and value.is_tuple:
                result += self.evaluate(value, value.items[index : index + 1])
            elif index != NONE and isinstance(value, Instance):
                result += self._field_at(value, index)
            else:
                result += self.of(value, by_key=False)
        return unique(result)

    def _field_at(self, value: Instance, index: int) -> Values:
        """Return the field of a named tuple at a position; of any other object an element."""
        fields = self._resolver.classes.tuple_fields(value.cls)
        if not fields:
            return self.of(value, by_key=False)
        name = fields[index] if index < len(fields) else ""
        return self._resolver.attributes.of(value, name) if name else ()

    def evaluate(self, container: Container, expressions: tuple[int, ...]) -> Values:
        """Return what some of a container's expressions stand for."""
        resolver = self._resolver
        read = resolver.annotation if container.of_types else resolver.infer
        path, scope, place = container.path, container.scope, container.place
        kinds = resolver.facts(path).expressions
        result: list[Value] = []
        for item in expressions:
            values = read(path, scope, item, place)
            if not container.of_types and kinds[item].kind == E.STAR:
                key = ("unpacked", path, scope, item, place)
                values = resolver.once(key, partial(self._unpacked, values))
            result += values
        found = unique(result)
        return resolver.generics.bound(found, *container.environments)

    def _unpacked(self, values: Values) -> Values:
        return unique([item for value in values for item in self.of(value, by_key=False)])

    def method(self, container: Container, name: str) -> Value:
        """Return what the attribute of a container is, as far as it leads to its elements."""
        if name in _ITEM_METHODS:
            return ContainerMethod(container, "item")
        if is_script(container.path) and name in _SCRIPT_METHODS:
            return ContainerMethod(container, _SCRIPT_METHODS[name])
        gives = _VIEW_METHODS.get(name)
        if gives == "same" or (gives and container.is_mapping):
            return ContainerMethod(container, gives)
        return EXTERNAL

    def called(self, method: ContainerMethod) -> Values:
        """Return what calling a container's method gives."""
        container = method.container
        if method.gives == "item":
            return self.of(container, by_key=True)
        if method.gives == "same":
            return (container,)
        where = container.path, container.scope, container.place
        if method.gives == "items":
            return (Container(*where, container.items, of_types=container.of_types),)
        if method.gives == "keys":
            return (Container(*where, container.keys, of_types=container.of_types),)
        keys = self.evaluate(container, container.keys)
        items = self.evaluate(container, container.items)
        return (IteratorOf((TupleOf((keys, items)),)),)

    def _of_instance(self, value: Instance, *, by_key: bool) -> Values:
        resolver = self._resolver
        names = ("__getitem__",) if by_key else ("__iter__", "__aiter__", "__getitem__")
        for name in names:
            method = resolver.attributes.method(value.cls, name)
            if method is None:
                continue
            given = resolver.calls.returned(method, value)
            if name == "__getitem__":
                return given
            return unique([v for inner in given for v in self._next(inner, value)])
        return (EXTERNAL,) if resolver.classes.ancestry(value.cls).external else ()

    def _next(self, iterator: Value, iterated: Instance) -> Values:
        """Return what an iterator gives."""
        if isinstance(iterator, Container):
            return self.of(iterator, by_key=False)
        if isinstance(iterator, Instance):
            for name in ("__next__", "__anext__"):
                method = self._resolver.attributes.method(iterator.cls, name)
                if method is not None:
                    return self._resolver.calls.returned(method, iterator)
            if iterator != iterated:
                return self.of(iterator, by_key=False)
        return (EXTERNAL,) if iterator == EXTERNAL else ()
