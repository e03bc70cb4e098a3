"""The resolver: its parts, and the bounds within which they work."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from analysis.parsing.facts.codes import NONE, E
from analysis.parsing.facts.tables import Facts
from analysis.references.frameworks.frameworks import Frameworks
from analysis.references.inference.attributes import Attributes
from analysis.references.inference.calls import Calls
from analysis.references.inference.contexts import Contexts
from analysis.references.inference.elements import Elements
from analysis.references.inference.expressions import Expressions
from analysis.references.inference.variables import Variables
from analysis.references.scopes.library import FactsLibrary, FactSource
from analysis.references.scopes.names import Names
from analysis.references.scopes.python_layout import ModuleLayout
from analysis.references.scopes.script_config import script_mappings
from analysis.references.scopes.script_layout import ScriptLayout
from analysis.references.scopes.values import (
    ClassValue,
    Definition,
    Instance,
    Value,
    Values,
    VariableAt,
    unique,
)
from analysis.references.search.certainty import Certainty
from analysis.references.search.definition_resolver import DefinitionResolver
from analysis.references.search.families import Families
from analysis.references.search.importers import Escapes, Importers
from analysis.references.search.likelihood import Likelihood
from analysis.references.search.possibility import Possibility
from analysis.references.search.stopped import check_search
from analysis.references.types.annotations import Annotations
from analysis.references.types.classes import Classes
from analysis.references.types.generics import Generics
from analysis.references.types.relations import Relations
from analysis.references.types.script_types import ScriptTypes
from analysis.stopping import Deadline

# Chains of inference deeper than this lead nowhere.
_MAX_DEPTH = 30
# Work on one occurrence, in evaluated expressions.
_MAX_STEPS = 3000
# Remembered results; at some 300 bytes each this is 30 MB.
_MAX_REMEMBERED = 100_000
# A step takes some microseconds.
_STEPS_BETWEEN_CHECKS = 64


class CodeResolver:
    """Finds out what names and expressions of a code base mean.

    It is bound to one state of the code base: make a new one when files change.
    """

    def __init__(self, source: FactSource, library: FactsLibrary | None = None) -> None:
        self.library = library or FactsLibrary(source)
        self.layout = ModuleLayout(source.paths(), source.root_name())
        self.scripts = ScriptLayout(source.paths(), script_mappings(source.paths(), source.text))
        self.names = Names(self)
        self.classes = Classes(self)
        self.variables = Variables(self)
        self.annotations = Annotations(self)
        self.elements = Elements(self)
        self.attributes = Attributes(self)
        self.calls = Calls(self)
        self.expressions = Expressions(self)
        self.frameworks = Frameworks(self)
        self.generics = Generics(self)
        self.script_types = ScriptTypes(self)
        self.contexts = Contexts(self)
        self.relations = Relations(self)
        self.definitions = DefinitionResolver(self)
        self.families = Families(self)
        self.certainty = Certainty(self)
        self.likelihood = Likelihood(self)
        self.possibility = Possibility(self)
        self.importers = Importers(self)
        self.escapes = Escapes(self, self.importers)
        self._remembered: dict[Hashable, Values] = {}
        self._in_progress: dict[Hashable, int] = {}
        self._tainted_from = _MAX_DEPTH + 1
        self._steps = 0
        self.deadline = Deadline(None)

    def facts(self, path: str) -> Facts:
        """Return a file's facts."""
        return self.library.facts(path)

    def begin(self) -> None:
        """Start work on the next occurrence, with a fresh allowance.

        Raises:
            SearchStopped: The search's time is up, or it was cancelled.
        """
        self._steps = 0
        self._tainted_from = _MAX_DEPTH + 1
        self._in_progress.clear()
        check_search(self.deadline)

    def infer(self, path: str, scope: int, expression: int, place: int) -> Values:
        """Return what an expression can be; nothing if that is not known."""
        if expression == NONE:
            return ()
        self._steps += 1
        if self._steps % _STEPS_BETWEEN_CHECKS == 0:
            check_search(self.deadline)
        key = ("infer", path, scope, expression, place)
        return self.once(key, lambda: self.expressions.value((path, scope, place), expression))

    def infer_with(
        self, path: str, scope: int, expression: int, receiver: Instance | ClassValue | None
    ) -> Values:
        """Return what a method's expression is at its end, for a known receiver."""
        values = self.infer(path, scope, expression, 1 << 30)
        if receiver is None:
            return values
        cls = receiver.cls if isinstance(receiver, Instance) else receiver
        result: list[Value] = []
        for value in values:
            own = isinstance(value, Instance) and value.cls in self.classes.ancestry(cls).order
            is_own = own and self._made_from_receiver(path, expression)
            result.append(Instance(cls) if is_own else value)
        return unique(result)

    def _made_from_receiver(self, path: str, expression: int) -> bool:
        """Return whether an expression calls the receiver's own class or a method of it."""
        facts = self.facts(path)
        row = facts.expressions[expression]
        while row.kind in (E.CALL, E.ATTRIBUTE, E.SUBSCRIPT, E.AWAIT):
            row = facts.expressions[row.a]
        return row.kind == E.NAME and facts.names[row.a] in ("self", "cls")

    def annotation(self, path: str, scope: int, expression: int, place: int) -> Values:
        """Return what an annotation says; nothing if it says nothing."""
        if expression == NONE:
            return ()
        self._steps += 1
        key = ("type", path, scope, expression, place)
        return self.once(key, lambda: self.annotations.value(path, scope, expression, place))

    def instances_named(self, path: str, scope: int, expression: int, place: int) -> Values:
        """Return instances of the class, or of the classes in the tuple, that is named."""
        row = self.facts(path).expressions[expression]
        items = self.facts(path).items(row.a) if row.kind == E.TUPLE else (expression,)
        found = [v for item in items for v in self.annotation(path, scope, item, place)]
        return unique(found)

    def named_by(
        self, path: str, scope: int, expression: int, place: int
    ) -> tuple[Definition, ...]:
        """Return what an expression names that only names something; nothing for any other."""
        return self.variables.named_by(path, scope, expression, place)

    def member_of_export(self, path: str, binding: int, name: str) -> tuple[Definition, ...]:
        """Return what a member of the value is that a script exports as its whole."""
        return self.variables.member_of_export(path, binding, name)

    def attribute_of(self, value: Value, name: str) -> Values:
        """Return what an attribute of a value can be."""
        return self.attributes.of(value, name)

    def elements_of(self, value: Value, *, by_key: bool) -> Values:
        """Return what is in a value."""
        return self.elements.of(value, by_key=by_key)

    def returned_by(self, value: Value) -> Values:
        """Return what calling a value gives, whatever it is called with."""
        return self.calls.returned_by(value)

    def bound_by(self, path: str, binding: int) -> Values:
        """Return what a binding binds its name to."""
        return self.variables.value(path, binding)

    def values_of(self, definitions: Iterable[Definition]) -> Values:
        """Return what definitions are as values."""
        result: list[Value] = []
        definitions = tuple(definitions)
        if len(definitions) > 1:
            values = tuple(d for d in definitions if not self.names.is_only_type(d))
            definitions = values or definitions
        for definition in definitions:
            if isinstance(definition, VariableAt):
                result += self.variables.value(definition.path, definition.binding)
            else:
                result.append(definition)
        return unique(result)

    def once(self, key: Hashable, compute: Callable[[], Values]) -> Values:
        """Return a result that is computed once; nothing where it would need itself.

        What was found while a cycle was open is not remembered: it depends on where the cycle
        was entered.
        """
        known = self._remembered.get(key)
        if known is not None:
            return known
        depth = len(self._in_progress)
        entered = self._in_progress.get(key)
        if entered is not None:
            self._tainted_from = min(self._tainted_from, entered)
            return ()
        if depth >= _MAX_DEPTH or self._steps > _MAX_STEPS:
            self._tainted_from = -1
            return ()
        self._in_progress[key] = depth
        try:
            values = compute()
        finally:
            del self._in_progress[key]
        if self._tainted_from >= depth:
            self._remember(key, values)
        if self._tainted_from >= depth or depth == 0:
            self._tainted_from = _MAX_DEPTH + 1
        return values

    def _remember(self, key: Hashable, values: Values) -> None:
        if len(self._remembered) >= _MAX_REMEMBERED:
            self._remembered.clear()
        self._remembered[key] = values
