"""What the lowest stratum asks the resolver for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from analysis.parsing.facts.tables import Facts
    from analysis.references.scopes.names import Names
    from analysis.references.scopes.python_layout import ModuleLayout
    from analysis.references.scopes.script_layout import ScriptLayout
    from analysis.references.scopes.values import Definition, Values


class ScopeResolver(Protocol):
    """The resolver as scopes see it: what is below them, and one question to what is above."""

    @property
    def names(self) -> Names:
        """What names mean."""

    @property
    def layout(self) -> ModuleLayout:
        """Which file a Python import means."""

    @property
    def scripts(self) -> ScriptLayout:
        """Which file a script's import means."""

    def facts(self, path: str) -> Facts:
        """Return a file's facts."""

    def named_by(
        self, path: str, scope: int, expression: int, place: int
    ) -> tuple[Definition, ...]:
        """Return what an expression names that only names something; nothing for any other."""

    def member_of_export(self, path: str, binding: int, name: str) -> tuple[Definition, ...]:
        """Return what a member of the value is that a script exports as its whole."""

    def infer(self, path: str, scope: int, expression: int, place: int) -> Values:
        """Return what an expression can be; nothing if that is not known."""
