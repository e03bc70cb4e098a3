"""All that is known of libraries, as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.references.frameworks.builtin_calls import BuiltinCalls
from analysis.references.frameworks.fixtures import Fixtures
from analysis.references.frameworks.managers import Managers

if TYPE_CHECKING:
    from analysis.parsing.facts.tables import Facts
    from analysis.references.inference.calls import CallArguments
    from analysis.references.inference.resolver import Resolver
    from analysis.references.scopes.values import Values


class Frameworks(Managers):
    """What Django, pytest and the standard library do, as ``KnownFrameworks``."""

    def __init__(self, resolver: Resolver) -> None:
        super().__init__(resolver)
        self._builtin_calls = BuiltinCalls(resolver)
        self._fixtures = Fixtures(resolver)

    def call(self, facts: Facts, function: int, call: CallArguments) -> Values | None:
        """Return what a call of a known function gives; None for any other."""
        special = super().call(facts, function, call)
        return self._builtin_calls.value(facts, function, call) if special is None else special

    def parameter(self, path: str, function: int, name: str) -> Values:
        """Return what a framework hands to a function for a parameter."""
        return self._fixtures.value(path, function, name)
