"""What a name means: scopes, imports of every style, re-export chains, star imports."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import NONE, WHOLE, B, E, S
from analysis.parsing.facts.rows import Binding
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.python_layout import Imported
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import (
    EXTERNAL,
    ClassValue,
    Definition,
    External,
    FunctionValue,
    ModuleValue,
    NamespaceValue,
    VariableAt,
)

if TYPE_CHECKING:
    from analysis.references.scopes.resolver import ScopeResolver

# A re-export chain longer than this is a cycle in disguise.
_MAX_CHAIN = 24

_BUILTINS = frozenset(dir(builtins)) | {"reveal_type", "__file__", "__path__", "__spec__"}

Seen = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Found:
    """The bindings of a name in the scope in which it is found."""

    path: str
    scope: int
    bindings: tuple[int, ...]


class Names:
    """Looks names up."""

    def __init__(self, resolver: ScopeResolver) -> None:
        self._resolver = resolver
        self._open: set[tuple[str, str]] = set()
        self._members: dict[tuple[str, str], tuple[Definition, ...]] = {}

    def lookup(self, path: str, scope: int, name: int, place: int | None = None) -> Found | None:
        """Return where a name is bound, seen from a scope; None if in no scope of the file.

        Args:
            path: The file.
            scope: Where the name stands.
            name: Its number in the file's names.
            place: Where it is read: the body of a Python class does not see what it binds later.
        """
        facts = self._resolver.facts(path)
        if len(facts.outside):
            for row in facts.outside:
                if row.scope == scope and row.name == name and row.kind == 0:
                    scope = 0
        at, is_first = scope, True
        while at >= 0:
            row_of_scope = facts.scopes[at]
            if is_first or row_of_scope.kind != S.CLASS:
                bindings = facts.bound_in(at, name)
                if row_of_scope.kind == S.CLASS:
                    bindings = [i for i in bindings if not facts.bindings[i].is_instance]
                    if place is not None and not is_script(path):
                        bindings = [i for i in bindings if facts.bindings[i].effective <= place]
                if bindings:
                    return Found(path, at, tuple(bindings))
            at, is_first = row_of_scope.parent, False
        return None

    def definitions_of_name(self, path: str, scope: int, name: int) -> tuple[Definition, ...]:
        """Return what a name means, seen from a scope; nothing if that is not known."""
        found = self.lookup(path, scope, name)
        if found is not None:
            return self.definitions(path, found.bindings)
        return self.beyond_scopes(path, name)

    def types_named(
        self, facts: Facts, where: tuple[str, int, int], expression: int
    ) -> tuple[Definition, ...]:
        """Return what a script's name means where a type is meant; nothing if not known."""
        path, scope, place = where
        row = facts.expressions[expression]
        if row.kind == E.ATTRIBUTE:
            found: list[Definition] = []
            for value in self._resolver.infer(path, scope, row.a, place):
                if isinstance(value, ModuleValue | NamespaceValue):
                    found += self.member(value, facts.names[row.b])
                elif isinstance(value, ClassValue):
                    inner = self._resolver.facts(value.path)
                    name = inner.name_id(facts.names[row.b])
                    bindings = inner.bound_in(inner.classes[value.index].scope, name)
                    found += self.definitions(value.path, tuple(bindings))
            return self._types_among(tuple(found))
        at = scope
        while at >= 0:
            bindings = facts.bound_in(at, row.a)
            kept = tuple(i for i in bindings if facts.bindings[i].kind in _MAY_BE_TYPES)
            if kept:
                return self._types_among(self.definitions(path, kept))
            at = facts.scopes[at].parent
        return self._types_among(self.beyond_scopes(path, row.a)) or (EXTERNAL,)

    def _types_among(self, definitions: tuple[Definition, ...]) -> tuple[Definition, ...]:
        kept = tuple(item for item in definitions if self.is_type(item))
        return kept or definitions

    def is_type(self, definition: Definition) -> bool:
        """Return whether something can stand where a type is meant."""
        if isinstance(definition, VariableAt):
            binding = self._resolver.facts(definition.path).bindings[definition.binding]
            return binding.kind in (B.ALIAS, B.TYPE_PARAMETER)
        return not isinstance(definition, FunctionValue)

    def is_only_type(self, definition: Definition) -> bool:
        """Return whether something cannot stand where a value is meant."""
        if isinstance(definition, ClassValue):
            facts = self._resolver.facts(definition.path)
            return facts.classes[definition.index].is_interface == 1
        return isinstance(definition, VariableAt) and self.is_type(definition)

    def beyond_scopes(self, path: str, name: int) -> tuple[Definition, ...]:
        """Return what a name means that no scope of the file binds."""
        text = self._resolver.facts(path).names[name]
        found = self._from_stars(path, text, frozenset())
        if found:
            return found
        return (EXTERNAL,) if text in _BUILTINS else ()

    def definitions(
        self, path: str, bindings: tuple[int, ...], seen: Seen = frozenset()
    ) -> tuple[Definition, ...]:
        """Return what bindings define, imports followed to where the thing is defined."""
        facts = self._resolver.facts(path)
        result: list[Definition] = []
        for index in bindings:
            binding = facts.bindings[index]
            if binding.kind == B.FROM:
                row = facts.from_imports[binding.a]
                name = facts.names[row.name]
                result += self.imported(path, facts.names[row.module], row.level, name, seen)
            elif binding.kind == B.IMPORT:
                module = self.module(path, facts.names[binding.a], 0)
                result.append(module)
            elif binding.kind == B.EXPORT:
                result += self._exported(path, index, seen)
            elif binding.kind == B.CLASS:
                result.append(ClassValue(path, binding.a))
            elif binding.kind == B.FUNCTION and _is_own_name(facts, binding):
                result.append(FunctionValue(path, binding.a))
            else:
                result.append(VariableAt(path, index))
        return tuple(dict.fromkeys(result))

    def _exported(self, path: str, index: int, seen: Seen) -> tuple[Definition, ...]:
        """Return what ``export default x``, ``exports.y = x`` and their kin name."""
        facts = self._resolver.facts(path)
        binding = facts.bindings[index]
        row = facts.expressions[binding.a] if binding.a != NONE else None
        found: tuple[Definition, ...] = ()
        if row is not None and row.kind == E.NAME:
            local = self.lookup(path, binding.eval_scope, row.a)
            found = self.definitions(path, local.bindings, seen) if local else ()
        elif row is not None and row.kind == E.REQUIRE:
            found = self.imported(path, facts.names[row.a], 0, WHOLE, seen)
        elif row is not None:
            found = self._resolver.named_by(path, binding.eval_scope, binding.a, binding.place)
        return found or (VariableAt(path, index),)

    def module(self, path: str, module: str, level: int) -> Imported:
        """Return which module an import statement in a file means."""
        if is_script(path):
            return self._resolver.scripts.resolve(module, path)
        layout = self._resolver.layout
        if level:
            return layout.relative(module, level, path)
        return layout.absolute(module, path)

    def imported(
        self, path: str, module: str, level: int, name: str, seen: Seen = frozenset()
    ) -> tuple[Definition, ...]:
        """Return what ``from module import name`` means in a file."""
        source = self.module(path, module, level)
        if isinstance(source, ModuleValue) and source.path == path:
            below = self._resolver.layout.submodule(source, name)
            if below is not None:
                return (below,)
        return self.member(source, name, seen)

    def member(
        self, module: Imported, name: str, seen: Seen = frozenset()
    ) -> tuple[Definition, ...]:
        """Return what a module calls ``name``; nothing if that is not known."""
        if isinstance(module, External):
            return (EXTERNAL,)
        if isinstance(module, NamespaceValue):
            below = self._resolver.layout.submodule(module, name)
            return (below,) if below is not None else ()
        key = (module.path, name)
        known = self._members.get(key)
        if known is not None:
            return known
        if key in seen or key in self._open or len(seen) > _MAX_CHAIN:
            return ()
        self._open.add(key)
        try:
            found = self._member(module, name, seen | {key})
        finally:
            self._open.discard(key)
        if not seen and not self._open:
            self._members[key] = found
        return found

    def is_closed(self, module: Imported) -> bool:
        """Return whether a module has no other members than those that its source names."""
        if not isinstance(module, ModuleValue):
            return True
        facts = self._resolver.facts(module.path)
        if len(facts.lost):
            return False
        if is_script(module.path):
            return not facts.bound_in(facts.exports_scope(), facts.name_id(WHOLE))
        return not facts.bound_in(0, facts.name_id("__getattr__"))

    def _member(self, module: ModuleValue, name: str, seen: Seen) -> tuple[Definition, ...]:
        facts = self._resolver.facts(module.path)
        if facts.exports_scope() != NONE:
            return self._exported_member(module, facts, name, seen)
        if name == WHOLE:
            return (module,)
        bindings = facts.bound_in(0, facts.name_id(name))
        if bindings:
            found = self.definitions(module.path, tuple(bindings), seen)
            if found:
                return found
        below = self._resolver.layout.submodule(module, name)
        if below is not None:
            return (below,)
        return self._from_stars(module.path, name, seen)

    def _exported_member(
        self, module: ModuleValue, facts: Facts, name: str, seen: Seen
    ) -> tuple[Definition, ...]:
        """Return what a script exports under a name, or as its whole."""
        path, scope = module.path, facts.exports_scope()
        bindings = facts.bound_in(scope, facts.name_id(name))
        found = self.definitions(path, tuple(bindings), seen) if bindings else ()
        if found:
            # What is exported as the whole can have members that are exported by themselves.
            return (*found, module) if name == WHOLE else found
        whole = tuple(facts.bound_in(scope, facts.name_id(WHOLE)))
        if name == "default" and whole:
            return self.definitions(path, whole, seen)
        if name == WHOLE:
            return (module,)
        for index in whole:
            found += self._resolver.member_of_export(path, index, name)
        found = found or self._from_stars(path, name, seen)
        return found or ((module,) if name == "default" else ())

    def _from_stars(self, path: str, name: str, seen: Seen) -> tuple[Definition, ...]:
        """Return what a star import in the file brings under a name."""
        facts = self._resolver.facts(path)
        outside: tuple[Definition, ...] = ()
        for star in facts.stars:
            source = self.module(path, facts.names[star.module], star.level)
            if isinstance(source, External):
                outside = () if name in _BUILTINS else (EXTERNAL,)
                continue
            if is_script(path):
                if name == "default":
                    continue
            elif name.startswith("_") and not self._exports(source, name):
                continue
            found = self.member(source, name, seen | {(path, name)})
            if found:
                return found
        return outside

    def _exports(self, module: ModuleValue | NamespaceValue, name: str) -> bool:
        """Return whether a module names ``name`` in its ``__all__``."""
        if isinstance(module, NamespaceValue):
            return False
        facts = self._resolver.facts(module.path)
        return any(row.kind == _EXPORTED for row in facts.occurrences_of(facts.name_id(name)))


def _is_own_name(facts: Facts, binding: Binding) -> bool:
    """Return whether a function is bound to the name, and in the scope, of its own statement."""
    row = facts.functions[binding.a]
    return row.name == binding.name and row.outer == binding.scope


_EXPORTED = 9
_MAY_BE_TYPES = (B.CLASS, B.ALIAS, B.TYPE_PARAMETER, B.FROM, B.IMPORT, B.EXPORT)
