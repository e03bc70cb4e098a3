"""What ``value.name`` is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import B
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import (
    EXTERNAL,
    Bound,
    ClassValue,
    Container,
    ContainerMethod,
    FunctionType,
    FunctionValue,
    Instance,
    IteratorOf,
    ModuleValue,
    NamespaceValue,
    QuerySetOf,
    Super,
    TupleOf,
    TypeVariable,
    Value,
    Values,
    unique,
)

if TYPE_CHECKING:
    from analysis.references.inference.resolver import Resolver

_PROPERTIES = frozenset(
    {"property", "cached_property", "classproperty", "setter", "getter", "deleter"}
    | {"abstractproperty", "hybrid_property", "lazy_property"}
)


class Attributes:
    """Evaluates attributes."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def of(self, value: Value, name: str) -> Values:
        """Return what an attribute of a value can be; nothing if that is not known."""
        resolver = self._resolver
        if isinstance(value, Instance | ClassValue):
            return self._of_class(value, name)
        if isinstance(value, ModuleValue | NamespaceValue):
            return resolver.values_of(resolver.names.member(value, name))
        if isinstance(value, Super):
            owner = resolver.classes.owner_above(value.cls, name)
            if owner is None:
                return self._missing(value.cls)
            return self._member(owner, name, Instance(value.cls))
        if isinstance(value, Container):
            return (resolver.elements.method(value, name),)
        if isinstance(value, QuerySetOf):
            return resolver.frameworks.attribute(value, name)
        if isinstance(value, TypeVariable):
            bound = resolver.annotations.resolved(value)
            return unique([inner for v in bound for inner in self.of(v, name)])
        if isinstance(
            value, Bound | FunctionValue | FunctionType | IteratorOf | TupleOf | ContainerMethod
        ):
            return (EXTERNAL,)
        return (EXTERNAL,) if value == EXTERNAL else ()

    def methods(self, cls: ClassValue, name: str) -> list[FunctionValue]:
        """Return the functions behind a class's method: all of its overloads."""
        owner = self._resolver.classes.owner(cls, name)
        if owner is None:
            return []
        facts = self._resolver.facts(owner.path)
        bindings = [facts.bindings[i] for i in self._resolver.classes.bindings(owner, name)]
        return [FunctionValue(owner.path, b.a) for b in bindings if b.kind == B.FUNCTION]

    def method(self, cls: ClassValue, name: str) -> FunctionValue | None:
        """Return the function behind a class's method, if it is one of the code base."""
        owner = self._resolver.classes.owner(cls, name)
        if owner is None:
            return None
        facts = self._resolver.facts(owner.path)
        for index in reversed(self._resolver.classes.bindings(owner, name)):
            binding = facts.bindings[index]
            if binding.kind == B.FUNCTION:
                return FunctionValue(owner.path, binding.a)
        return None

    def member_of(self, cls: ClassValue, name: str) -> Values:
        """Return what a member that a class itself defines is on its objects."""
        return self._of_class(Instance(cls), name)

    def _of_class(self, value: Instance | ClassValue, name: str) -> Values:
        resolver = self._resolver
        cls = value.cls if isinstance(value, Instance) else value
        owner = resolver.classes.owner(cls, name)
        if owner is not None:
            key = ("member", owner, name, value)
            return resolver.once(key, lambda: self._member(owner, name, value))
        if isinstance(value, ClassValue):
            metaclass = resolver.classes.metaclass(value)
            if metaclass is not None and resolver.classes.owner(metaclass, name) is not None:
                return self._of_class(Instance(metaclass), name)
        if name == "prototype" and isinstance(value, ClassValue) and is_script(cls.path):
            return (Instance(cls),)
        if name == "__class__" and isinstance(value, Instance):
            return (cls,)
        return self._resolver.frameworks.missing(value, name) or self._missing(cls)

    def _missing(self, cls: ClassValue) -> Values:
        """Return what an attribute is that no class of the code base defines."""
        ancestry = self._resolver.classes.ancestry(cls)
        return (EXTERNAL,) if ancestry.external and ancestry.complete else ()

    def _member(self, owner: ClassValue, name: str, receiver: Instance | ClassValue) -> Values:
        """Return what a member that ``owner`` defines is for a receiver."""
        facts = self._resolver.facts(owner.path)
        bindings = self._resolver.classes.bindings(owner, name)
        result: list[Value] = []
        variables = []
        for index in bindings:
            binding = facts.bindings[index]
            if binding.kind == B.FUNCTION:
                result += self._function(FunctionValue(owner.path, binding.a), receiver)
            else:
                variables.append(index)
        if variables:
            values = self._resolver.variables.member_value(owner.path, tuple(variables))
            frameworks = self._resolver.frameworks
            for value in frameworks.declared(owner.path, variables[-1], receiver, values):
                result += self._described(value, receiver)
        if is_script(owner.path) and isinstance(receiver, Instance):
            environment = self._resolver.generics.environment(receiver, owner)
            return self._resolver.generics.bound(unique(result), environment)
        return unique(result)

    def _function(self, function: FunctionValue, receiver: Instance | ClassValue) -> Values:
        """Return what a function in a class is when it is asked of a receiver."""
        names = self._resolver.calls.decorator_names(function)
        if names & _PROPERTIES:
            return self._resolver.calls.returned(function, receiver)
        if "staticmethod" in names:
            return (function,)
        if "classmethod" in names:
            cls = receiver.cls if isinstance(receiver, Instance) else receiver
            return (Bound(function, cls),)
        return (Bound(function, receiver),) if isinstance(receiver, Instance) else (function,)

    def _described(self, value: Value, receiver: Instance | ClassValue) -> Values:
        """Return what a variable in a class gives, descriptors and functions considered."""
        if isinstance(value, Instance):
            getter = self.method(value.cls, "__get__")
            if getter is not None:
                given = self._resolver.calls.returned(getter, value)
                return given or (value,)
        if isinstance(value, FunctionValue) and isinstance(receiver, Instance):
            return self._function(value, receiver)
        return (value,)
