"""Where the thing is defined that an identifier in the source means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import NONE, B, O
from analysis.parsing.facts.rows import Occurrence, position
from analysis.references.scopes.values import (
    Bound,
    ClassValue,
    Definition,
    FunctionValue,
    Instance,
    ModuleValue,
    NamespaceValue,
    QuerySetMethod,
    QuerySetOf,
    ScopeRef,
    Super,
    TypeVariable,
    Value,
    Values,
    VariableAt,
)

if TYPE_CHECKING:
    from analysis.references.search.resolver import CodeResolver


@dataclass(frozen=True, slots=True)
class Resolution:
    """The scopes in which what an identifier means is defined."""

    homes: frozenset[ScopeRef]
    certain: bool
    """False if it could also be, or be only, something that was not found out."""


NOWHERE = Resolution(frozenset(), certain=True)
UNKNOWN = Resolution(frozenset(), certain=False)


class DefinitionResolver:
    """Finds the homes of occurrences."""

    def __init__(self, resolver: CodeResolver) -> None:
        self._resolver = resolver

    def of(self, path: str, occurrence: Occurrence) -> Resolution:
        """Return where the thing is defined that an identifier means."""
        self._resolver.begin()
        kind = occurrence.kind
        if kind in (O.NAME, O.EXPORTED, O.TYPE):
            return self._of_name(path, occurrence)
        if kind in (O.ATTRIBUTE, O.TYPE_ATTRIBUTE):
            return self._of_attribute(path, occurrence)
        if kind in (O.FROM, O.FROM_AS):
            return self._of_import(path, occurrence)
        if kind == O.KEY:
            return self._of_key(path, occurrence)
        if kind == O.LOOKUP:
            return self._of_lookup(path, occurrence)
        if kind == O.KEYWORD:
            return self._of_keyword(path, occurrence)
        if kind in (O.DEFINITION, O.PARAMETER, O.TYPE_DEFINITION):
            return self._of_definition(path, occurrence)
        return NOWHERE

    def _of_name(self, path: str, occurrence: Occurrence) -> Resolution:
        names = self._resolver.names
        found = names.lookup(path, occurrence.scope, occurrence.name)
        if found is None:
            definitions = names.beyond_scopes(path, occurrence.name)
            return self._of_definitions(definitions) if definitions else UNKNOWN
        facts = self._resolver.facts(path)
        kinds = {facts.bindings[index].kind for index in found.bindings}
        if not kinds & {B.FROM, B.IMPORT}:
            return Resolution(frozenset({ScopeRef(path, found.scope)}), certain=True)
        return self._of_definitions(names.definitions(path, found.bindings))

    def _of_definition(self, path: str, occurrence: Occurrence) -> Resolution:
        facts = self._resolver.facts(path)
        scope = occurrence.scope
        if len(facts.outside) and not facts.bound_in(scope, occurrence.name):
            found = self._resolver.names.lookup(path, scope, occurrence.name)
            scope = found.scope if found else scope
        return Resolution(frozenset({ScopeRef(path, scope)}), certain=True)

    def _of_import(self, path: str, occurrence: Occurrence) -> Resolution:
        facts = self._resolver.facts(path)
        row = facts.from_imports[occurrence.reference]
        module, name = facts.names[row.module], facts.names[row.name]
        definitions = self._resolver.names.imported(path, module, row.level, name)
        return self._of_definitions(definitions) if definitions else UNKNOWN

    def _of_definitions(self, definitions: tuple[Definition, ...]) -> Resolution:
        homes = [self.home_of(definition) for definition in definitions]
        return Resolution(frozenset(home for home in homes if home), certain=bool(definitions))

    def home_of(self, definition: Definition) -> ScopeRef | None:
        """Return the scope in which something is defined; none for modules and the outside."""
        if isinstance(definition, ClassValue):
            facts = self._resolver.facts(definition.path)
            return ScopeRef(definition.path, facts.classes[definition.index].outer)
        if isinstance(definition, FunctionValue):
            facts = self._resolver.facts(definition.path)
            return ScopeRef(definition.path, facts.functions[definition.index].outer)
        if isinstance(definition, VariableAt):
            facts = self._resolver.facts(definition.path)
            return ScopeRef(definition.path, facts.bindings[definition.binding].scope)
        return None

    def _of_key(self, path: str, occurrence: Occurrence) -> Resolution:
        """Return the literal's own member, and the one that is expected of it."""
        facts = self._resolver.facts(path)
        own = ScopeRef(path, occurrence.scope)
        owner = facts.scopes[occurrence.scope].owner
        expected = self._resolver.contexts.of_object(path, owner)
        name = facts.names[occurrence.name]
        meanings = [self.of_member(value, name) for value in expected.values]
        homes = frozenset(home for meaning in meanings for home in meaning.homes)
        is_certain = expected.is_known and all(meaning.certain for meaning in meanings)
        return Resolution(homes | {own}, certain=is_certain)

    def _of_lookup(self, path: str, occurrence: Occurrence) -> Resolution:
        """Return where the member is defined that ``T["name"]`` means."""
        facts = self._resolver.facts(path)
        place = position(occurrence.line, occurrence.column)
        values = self._resolver.annotation(path, occurrence.scope, occurrence.reference, place)
        return self._of_members(values, facts.names[occurrence.name])

    def _of_members(self, values: Values, name: str) -> Resolution:
        if not values:
            return UNKNOWN
        meanings = [self.of_member(value, name) for value in values]
        homes = frozenset(home for meaning in meanings for home in meaning.homes)
        return Resolution(homes, certain=all(meaning.certain for meaning in meanings))

    def _of_attribute(self, path: str, occurrence: Occurrence) -> Resolution:
        facts = self._resolver.facts(path)
        if occurrence.reference == NONE:
            return UNKNOWN
        place = position(occurrence.line, occurrence.column)
        values = self._resolver.infer(path, occurrence.scope, occurrence.reference, place)
        return self._of_members(values, facts.names[occurrence.name])

    def of_member(self, value: Value, name: str) -> Resolution:
        """Return where a value's attribute is defined."""
        if isinstance(value, Instance | ClassValue | Super):
            return self._of_class_member(value, name)
        if isinstance(value, ModuleValue | NamespaceValue):
            definitions = self._resolver.names.member(value, name)
            return self._of_definitions(definitions) if definitions else NOWHERE
        if isinstance(value, QuerySetOf):
            owners = self._resolver.frameworks.owners(value, name)
            scope_of = self._resolver.classes.scope_of
            return Resolution(
                frozenset(ScopeRef(o.path, scope_of(o)) for o in owners), certain=True
            )
        if isinstance(value, TypeVariable):
            bound = self._resolver.annotations.resolved(value)
            meanings = [self.of_member(inner, name) for inner in bound]
            homes = frozenset(home for meaning in meanings for home in meaning.homes)
            return Resolution(homes, certain=bool(homes))
        return NOWHERE

    def _of_class_member(self, value: Instance | ClassValue | Super, name: str) -> Resolution:
        classes = self._resolver.classes
        cls = value if isinstance(value, ClassValue) else value.cls
        find = classes.owner_above if isinstance(value, Super) else classes.owner
        owner = find(cls, name)
        if owner is None and isinstance(value, ClassValue):
            metaclass = classes.metaclass(value)
            owner = classes.owner(metaclass, name) if metaclass else None
        if owner is None:
            return self._of_undeclared(value, name)
        return Resolution(frozenset({ScopeRef(owner.path, classes.scope_of(owner))}), certain=True)

    def _of_undeclared(self, value: Instance | ClassValue | Super, name: str) -> Resolution:
        """Return where a member is defined that no class statement declares."""
        cls = value if isinstance(value, ClassValue) else value.cls
        if not isinstance(value, Super):
            for given in self._resolver.frameworks.missing(value, name):
                if isinstance(given, QuerySetMethod):
                    return self.of_member(given.query_set, name)
        return NOWHERE if self._resolver.classes.ancestry(cls).complete else UNKNOWN

    def _of_keyword(self, path: str, occurrence: Occurrence) -> Resolution:
        """Return the function whose parameter, or the class whose field, a keyword sets."""
        if occurrence.reference == NONE:
            return NOWHERE
        place = occurrence.line * 4096 + min(occurrence.column, 4095)
        name = self._resolver.facts(path).names[occurrence.name]
        values = self._resolver.infer(path, occurrence.scope, occurrence.reference, place)
        homes = {home for value in values for home in self._taking(value, name)}
        return Resolution(frozenset(homes), certain=bool(values))

    def _taking(self, callee: Value, name: str) -> list[ScopeRef]:
        if isinstance(callee, FunctionValue):
            return self._parameter(callee, name)
        if isinstance(callee, Bound):
            return self._parameter(callee.function, name)
        if isinstance(callee, Instance):
            method = self._resolver.attributes.method(callee.cls, "__call__")
            return self._parameter(method, name) if method else []
        if not isinstance(callee, ClassValue):
            return []
        classes = self._resolver.classes
        for constructor in ("__init__", "__new__"):
            method = self._resolver.attributes.method(callee, constructor)
            if method is not None:
                return self._parameter(method, name)
        owner = classes.owner(callee, name)
        if owner is None or not self._is_field(owner, name):
            return []
        return [ScopeRef(owner.path, classes.scope_of(owner))]

    def _parameter(self, function: FunctionValue, name: str) -> list[ScopeRef]:
        facts = self._resolver.facts(function.path)
        row = facts.functions[function.index]
        wanted = facts.name_id(name)
        for index in range(row.parameters, row.parameters + row.parameter_count):
            if facts.parameters[index].name == wanted:
                return [ScopeRef(function.path, row.scope)]
        return []

    def _is_field(self, cls: ClassValue, name: str) -> bool:
        facts = self._resolver.facts(cls.path)
        bindings = self._resolver.classes.bindings(cls, name)
        return any(facts.bindings[index].kind == B.ANNOTATED for index in bindings)
