"""Where the thing is defined that an identifier in the source means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import NONE, WHOLE, B, O, U
from analysis.parsing.facts.rows import Occurrence, position
from analysis.references.scopes.script_layout import TYPED_SUFFIXES, is_script
from analysis.references.scopes.values import (
    Bound,
    ClassValue,
    Definition,
    FunctionValue,
    Instance,
    LambdaValue,
    ModuleValue,
    NamespaceValue,
    QuerySetMethod,
    QuerySetOf,
    Super,
    SymbolRef,
    TypeVariable,
    Value,
    Values,
    VariableAt,
)

if TYPE_CHECKING:
    from analysis.references.search.resolver import CodeResolver


@dataclass(frozen=True, slots=True)
class Resolution:
    """What an identifier means."""

    symbols: frozenset[SymbolRef]
    certain: bool
    """False if it could also be, or be only, something that was not found out."""


NOWHERE = Resolution(frozenset(), certain=True)
UNKNOWN = Resolution(frozenset(), certain=False)
_ANSWERING = ("__getattr__", "__getattribute__")


class DefinitionResolver:
    """Finds what occurrences mean."""

    def __init__(self, resolver: CodeResolver) -> None:
        self._resolver = resolver

    def of(self, path: str, occurrence: Occurrence) -> Resolution:
        """Return where the thing is defined that an identifier means."""
        self._resolver.begin()
        kind = occurrence.kind
        if kind in (O.NAME, O.EXPORTED, O.TYPE):
            return self._of_name(path, occurrence)
        if kind in (O.ATTRIBUTE, O.TYPE_ATTRIBUTE, O.TEXT):
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
        is_read = occurrence.use not in (U.DEFINITION, U.WRITE, U.TYPE)
        place = position(occurrence.line, occurrence.column) if is_read else None
        found = names.lookup(path, occurrence.scope, occurrence.name, place)
        if found is None:
            definitions = names.beyond_scopes(path, occurrence.name)
            return self._of_definitions(definitions) if definitions else UNKNOWN
        facts = self._resolver.facts(path)
        kinds = {facts.bindings[index].kind for index in found.bindings}
        if not kinds & {B.FROM, B.IMPORT, B.EXPORT}:
            symbol = SymbolRef(path, found.scope, facts.names[occurrence.name])
            return Resolution(frozenset({symbol}), certain=True)
        return self._of_definitions(names.definitions(path, found.bindings))

    def _of_definition(self, path: str, occurrence: Occurrence) -> Resolution:
        facts = self._resolver.facts(path)
        scope = occurrence.scope
        if len(facts.outside) and not facts.bound_in(scope, occurrence.name):
            found = self._resolver.names.lookup(path, scope, occurrence.name)
            scope = found.scope if found else scope
        name = facts.names[occurrence.name]
        if name == "exports" and scope == facts.exports_scope():
            name = WHOLE
        return Resolution(frozenset({SymbolRef(path, scope, name)}), certain=True)

    def _of_import(self, path: str, occurrence: Occurrence) -> Resolution:
        facts = self._resolver.facts(path)
        row = facts.from_imports[occurrence.reference]
        module, name = facts.names[row.module], facts.names[row.name]
        definitions = self._resolver.names.imported(path, module, row.level, name)
        return self._of_definitions(definitions) if definitions else UNKNOWN

    def _of_definitions(self, definitions: tuple[Definition, ...]) -> Resolution:
        symbols = [self.symbol_of(definition) for definition in definitions]
        return Resolution(
            frozenset(symbol for symbol in symbols if symbol), certain=bool(definitions)
        )

    def symbol_of(self, definition: Definition) -> SymbolRef | None:
        """Return the name by which something is defined; none for modules and the outside."""
        if not isinstance(definition, ClassValue | FunctionValue | VariableAt):
            return None
        facts = self._resolver.facts(definition.path)
        if isinstance(definition, VariableAt):
            binding = facts.bindings[definition.binding]
            return SymbolRef(definition.path, binding.scope, facts.names[binding.name])
        rows = facts.classes if isinstance(definition, ClassValue) else facts.functions
        row = rows[definition.index]
        name = facts.names[row.name] if row.name != NONE else ""
        return SymbolRef(definition.path, row.outer, name)

    def _of_key(self, path: str, occurrence: Occurrence) -> Resolution:
        """Return the literal's own member, and the one that is expected of it."""
        facts = self._resolver.facts(path)
        owner = facts.scopes[occurrence.scope].owner
        expected = self._resolver.contexts.of_object(path, owner)
        name = facts.names[occurrence.name]
        own = SymbolRef(path, occurrence.scope, name)
        meanings = [self.of_member(value, name) for value in expected.values]
        symbols = frozenset(symbol for meaning in meanings for symbol in meaning.symbols)
        is_certain = expected.is_known and all(meaning.certain for meaning in meanings)
        return Resolution(symbols | {own}, certain=is_certain)

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
        symbols = frozenset(symbol for meaning in meanings for symbol in meaning.symbols)
        return Resolution(symbols, certain=all(meaning.certain for meaning in meanings))

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
            if definitions:
                return self._of_definitions(definitions)
            return NOWHERE if self._resolver.names.is_closed(value) else UNKNOWN
        if isinstance(value, QuerySetOf):
            owners = self._resolver.frameworks.owners(value, name)
            scope_of = self._resolver.classes.scope_of
            return Resolution(
                frozenset(SymbolRef(o.path, scope_of(o), name) for o in owners), certain=True
            )
        if isinstance(value, TypeVariable):
            bound = self._resolver.annotations.resolved(value)
            meanings = [self.of_member(inner, name) for inner in bound]
            symbols = frozenset(symbol for meaning in meanings for symbol in meaning.symbols)
            return Resolution(symbols, certain=bool(symbols))
        if isinstance(value, FunctionValue | LambdaValue) and is_script(value.path):
            return NOWHERE if value.path.endswith(TYPED_SUFFIXES) else UNKNOWN
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
        symbol = SymbolRef(owner.path, classes.scope_of(owner), name)
        return Resolution(frozenset({symbol}), certain=True)

    def _of_undeclared(self, value: Instance | ClassValue | Super, name: str) -> Resolution:
        """Return where a member is defined that no class statement declares."""
        cls = value if isinstance(value, ClassValue) else value.cls
        if not isinstance(value, Super):
            for given in self._resolver.frameworks.missing(value, name):
                if isinstance(given, QuerySetMethod):
                    return self.of_member(given.query_set, name)
        return NOWHERE if self._is_closed(cls) else UNKNOWN

    def _is_closed(self, cls: ClassValue) -> bool:
        """Return whether objects of a class have no other members than classes declare.

        In JavaScript anybody can add some, and a class can answer for what it does not declare.
        """
        classes = self._resolver.classes
        if not classes.ancestry(cls).complete:
            return False
        if is_script(cls.path):
            return cls.path.endswith(TYPED_SUFFIXES)
        return all(classes.owner(cls, name) is None for name in _ANSWERING)

    def _of_keyword(self, path: str, occurrence: Occurrence) -> Resolution:
        """Return the function whose parameter, or the class whose field, a keyword sets."""
        if occurrence.reference == NONE:
            return NOWHERE
        place = occurrence.line * 4096 + min(occurrence.column, 4095)
        name = self._resolver.facts(path).names[occurrence.name]
        values = self._resolver.infer(path, occurrence.scope, occurrence.reference, place)
        symbols = {home for value in values for home in self._taking(value, name)}
        return Resolution(frozenset(symbols), certain=bool(values))

    def _taking(self, callee: Value, name: str) -> list[SymbolRef]:
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
        return [SymbolRef(owner.path, classes.scope_of(owner), name)]

    def _parameter(self, function: FunctionValue, name: str) -> list[SymbolRef]:
        facts = self._resolver.facts(function.path)
        row = facts.functions[function.index]
        wanted = facts.name_id(name)
        for index in range(row.parameters, row.parameters + row.parameter_count):
            if facts.parameters[index].name == wanted:
                return [SymbolRef(function.path, row.scope, name)]
        return []

    def _is_field(self, cls: ClassValue, name: str) -> bool:
        facts = self._resolver.facts(cls.path)
        bindings = self._resolver.classes.bindings(cls, name)
        return any(facts.bindings[index].kind == B.ANNOTATED for index in bindings)
