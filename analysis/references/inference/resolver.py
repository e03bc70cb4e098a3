"""What inference asks the resolver for, and what it wants to know of frameworks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from analysis.references.types.resolver import TypeResolver

if TYPE_CHECKING:
    from analysis.parsing.facts.tables import Facts
    from analysis.references.inference.attributes import Attributes
    from analysis.references.inference.calls import CallArguments, Calls
    from analysis.references.inference.contexts import Contexts
    from analysis.references.inference.elements import Elements
    from analysis.references.inference.variables import Variables
    from analysis.references.scopes.values import (
        ClassValue,
        Definition,
        Instance,
        QuerySetMethod,
        QuerySetOf,
        Values,
    )


class KnownFrameworks(Protocol):
    """What is known of libraries without reading them."""

    def call(self, facts: Facts, function: int, call: CallArguments) -> Values | None:
        """Return what a call of a known function gives; None for any other."""

    def parameter(self, path: str, function: int, name: str) -> Values:
        """Return what a framework hands to a function for a parameter."""

    def attribute(self, value: QuerySetOf, name: str) -> Values:
        """Return what an attribute of a manager is."""

    def missing(self, value: Instance | ClassValue, name: str) -> Values:
        """Return what an attribute is that no class statement declares."""

    def declared(
        self, path: str, binding: int, receiver: Instance | ClassValue, values: Values
    ) -> Values:
        """Return what a variable of a class is on its objects."""

    def called(self, method: QuerySetMethod) -> Values:
        """Return what calling a manager's method gives."""

    def items(self, query_set: QuerySetOf) -> Values:
        """Return what is in a query set."""


class Resolver(TypeResolver, Protocol):
    """The resolver as inference sees it."""

    @property
    def attributes(self) -> Attributes:
        """What attributes of values are."""

    @property
    def calls(self) -> Calls:
        """What calls give."""

    @property
    def contexts(self) -> Contexts:
        """What is expected where something stands."""

    @property
    def elements(self) -> Elements:
        """What is in values."""

    @property
    def variables(self) -> Variables:
        """What variables hold."""

    @property
    def frameworks(self) -> KnownFrameworks:
        """What is known of libraries."""

    def infer_with(
        self, path: str, scope: int, expression: int, receiver: Instance | ClassValue | None
    ) -> Values:
        """Return what a method's expression is at its end, for a known receiver."""

    def instances_named(self, path: str, scope: int, expression: int, place: int) -> Values:
        """Return instances of the class, or of the classes in the tuple, that is named."""

    def values_of(self, definitions: Iterable[Definition]) -> Values:
        """Return what definitions are as values."""
