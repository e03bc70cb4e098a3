"""Calls of well-known functions that give back what they were given, in some form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import E
from analysis.parsing.facts.tables import Facts
from analysis.references.inference.calls import CallArguments, iterator_over
from analysis.references.scopes.values import (
    EXTERNAL,
    ClassValue,
    Container,
    Instance,
    IteratorOf,
    Super,
    TupleOf,
    Values,
    unique,
)

if TYPE_CHECKING:
    from analysis.references.inference.resolver import Resolver

_SAME = frozenset(
    {"deque", "chain", "islice", "cycle", "frozenset", "shield", "wait_for", "create_task"}
    | {"copy", "deepcopy", "list", "tuple", "set", "sorted", "reversed", "iter"}
)
_ELEMENT = frozenset({"next", "max", "min", "choice"})
# They may give back what they were given, or not.
_OPAQUE = frozenset(
    {"reduce", "choices", "sample", "heappop", "gather", "run_until_complete", "nullcontext"}
    | {"closing", "enter_context", "enter_async_context", "proxy", "attrgetter", "accumulate"}
)
# What they are filled with is not followed.
_MAPPINGS = frozenset({"dict", "defaultdict", "OrderedDict", "WeakValueDictionary"})
_CONTAINERS = _MAPPINGS | {"list", "set", "deque", "WeakSet", "WeakKeyDictionary"}
_NAMES = (
    _CONTAINERS
    | _SAME
    | _ELEMENT
    | _OPAQUE
    | {"super", "cast", "type", "NewType", "property", "partial", "enumerate", "zip", "getattr"}
    | {"filter", "map", "cached_property", "anext", "vars", "isinstance"}
)


class BuiltinCalls:
    """Evaluates calls of well-known functions."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def value(self, facts: Facts, function: int, call: CallArguments) -> Values | None:
        """Return what such a call gives; None if it is no call of a well-known function."""
        name = facts.last_name(function)
        if name not in _NAMES or facts.expressions[function].kind not in (E.NAME, E.ATTRIBUTE):
            return None
        known = self._resolver.infer(call.path, call.scope, function, call.place)
        if any(value != EXTERNAL for value in known):
            return None
        if name == "super":
            cls = self._resolver.classes.class_around(call.path, call.scope)
            return (Super(cls),) if cls is not None else ()
        if name in _CONTAINERS and (not call.arguments or name in _MAPPINGS):
            where = call.path, call.scope, call.place
            return (Container(*where, (), is_mapping=name in _MAPPINGS),)
        if not call.arguments:
            return None
        if name in _OPAQUE:
            return ()
        return self._with_arguments(name, call)

    def _with_arguments(self, name: str, call: CallArguments) -> Values | None:
        first = call.arguments[0]
        where = call.path, call.scope
        if name == "cast":
            return self._resolver.annotation(*where, first, call.place)
        if name == "NewType":
            return self._resolver.infer(*where, call.arguments[-1], call.place)
        if name in ("filter", "map"):
            return self._mapped(name, call)
        values = self._resolver.infer(*where, first, call.place)
        if name == "type":
            single = len(call.arguments) == 1
            return tuple(v.cls for v in values if isinstance(v, Instance)) if single else None
        if name in _SAME or name == "partial":
            return values
        if name in ("property", "cached_property"):
            return self._called(values, call)
        elements = self._elements(values)
        if name in _ELEMENT or name == "anext":
            return elements or (values if len(call.arguments) > 1 else ())
        if name == "enumerate":
            return (IteratorOf((TupleOf(((EXTERNAL,), elements)),)),)
        if name == "zip":
            return self._zipped(call)
        return None if name != "getattr" else self._got(values, call)

    def _elements(self, values: Values) -> Values:
        elements = self._resolver.elements
        return unique([item for value in values for item in elements.of(value, by_key=False)])

    def _called(self, values: Values, call: CallArguments) -> Values:
        bare = CallArguments(call.path, call.scope, call.place, ())
        calls = self._resolver.calls
        return unique([given for value in values for given in calls.result(value, bare)])

    def _mapped(self, name: str, call: CallArguments) -> Values:
        arguments = [
            self._resolver.infer(call.path, call.scope, item, call.place)
            for item in call.arguments[:2]
        ]
        if name == "map":
            return iterator_over(self._called(arguments[0], call))
        return iterator_over(self._elements(arguments[-1]))

    def _zipped(self, call: CallArguments) -> Values:
        infer = self._resolver.infer
        positions = tuple(
            self._elements(infer(call.path, call.scope, item, call.place))
            for item in call.arguments
        )
        return (IteratorOf((TupleOf(positions),)),)

    def _got(self, values: Values, call: CallArguments) -> Values:
        """Return what ``getattr(value, "name")`` gives."""
        facts = self._resolver.facts(call.path)
        if len(call.arguments) < 2:
            return ()
        kind, a, _ = facts.expressions[call.arguments[1]]
        if kind != E.TEXT or a < 0:
            return ()
        attributes = self._resolver.attributes
        return unique([v for value in values for v in attributes.of(value, facts.names[a])])


def is_class(values: Values) -> bool:
    """Return whether all values are classes."""
    return bool(values) and all(isinstance(value, ClassValue) for value in values)
