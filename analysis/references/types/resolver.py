"""What the stratum of types asks the resolver for."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Protocol

from analysis.references.scopes.resolver import ScopeResolver

if TYPE_CHECKING:
    from analysis.references.scopes.values import Value, Values
    from analysis.references.types.annotations import Annotations
    from analysis.references.types.classes import Classes
    from analysis.references.types.generics import Generics
    from analysis.references.types.script_types import ScriptTypes


class TypeResolver(ScopeResolver, Protocol):
    """The resolver as types see it."""

    @property
    def classes(self) -> Classes:
        """Classes and their bases."""

    @property
    def annotations(self) -> Annotations:
        """What annotations say."""

    @property
    def generics(self) -> Generics:
        """What stands for type parameters."""

    @property
    def script_types(self) -> ScriptTypes:
        """The forms of types that only scripts have."""

    def annotation(self, path: str, scope: int, expression: int, place: int) -> Values:
        """Return what an annotation says; nothing if it says nothing."""

    def once(self, key: Hashable, compute: Callable[[], Values]) -> Values:
        """Return a result that is computed once; nothing where it would need itself."""

    def attribute_of(self, value: Value, name: str) -> Values:
        """Return what an attribute of a value can be."""

    def elements_of(self, value: Value, *, by_key: bool) -> Values:
        """Return what is in a value."""

    def returned_by(self, value: Value) -> Values:
        """Return what calling a value gives, whatever it is called with."""

    def bound_by(self, path: str, binding: int) -> Values:
        """Return what a binding binds its name to."""
