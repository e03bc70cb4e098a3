"""What pytest puts into a test's parameters."""

from __future__ import annotations

from posixpath import dirname, join
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import B
from analysis.references.scopes.values import Container, FunctionValue, Value, Values, unique

if TYPE_CHECKING:
    from analysis.references.inference.resolver import Resolver


class Fixtures:
    """Finds fixtures in a test's file and in the ``conftest.py`` above it."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def value(self, path: str, function: int, name: str) -> Values:
        """Return what a parameter of a test or fixture holds; nothing if that is not known."""
        facts = self._resolver.facts(path)
        own_name = facts.names[facts.functions[function].name]
        if not own_name.startswith("test") and not self._is_fixture(path, function):
            return ()
        for file in self._files(path):
            found = self._fixture_in(file, name)
            if found is not None:
                given = self._resolver.calls.returned(found, None)
                return self._yielded(given)
        return ()

    def _yielded(self, given: Values) -> Values:
        elements = self._resolver.elements
        result: list[Value] = []
        for value in given:
            if isinstance(value, Container):
                result += elements.of(value, by_key=False)
            else:
                result.append(value)
        return unique(result)

    def _files(self, path: str) -> list[str]:
        files = [path]
        folder = dirname(path)
        while True:
            files.append(join(folder, "conftest.py"))
            if not folder:
                return [file for file in files if file in self._resolver.layout]
            folder = dirname(folder)

    def _fixture_in(self, path: str, name: str) -> FunctionValue | None:
        facts = self._resolver.facts(path)
        for index in facts.bound_in(0, facts.name_id(name)):
            binding = facts.bindings[index]
            if binding.kind == B.FUNCTION and self._is_fixture(path, binding.a):
                return FunctionValue(path, binding.a)
        return None

    def _is_fixture(self, path: str, function: int) -> bool:
        names = self._resolver.calls.decorator_names(FunctionValue(path, function))
        return bool(names & {"fixture", "yield_fixture"})
