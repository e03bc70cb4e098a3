"""Whether an undecided identifier can mean a definition at all, as syntax and binding tell.

What is said to be impossible here is left out of a list that may call itself complete, so every
rule is one of the language: no guess from names, shapes or habits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import NONE, B, E, O, P, S, U
from analysis.parsing.facts.rows import Expression, Occurrence, ScopeRow
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.script_layout import TYPED_SUFFIXES, is_script
from analysis.references.scopes.values import ClassValue, FunctionValue, SymbolRef

if TYPE_CHECKING:
    from analysis.references.search.resolver import CodeResolver

# Decorators under which a method is called with the arguments it declares.
_KEEP_SIGNATURE = frozenset(
    {"staticmethod", "classmethod", "abstractmethod", "override", "wraps", "contextmanager"}
)


class Possibility:
    """Tells what an undecided occurrence can mean."""

    def __init__(self, resolver: CodeResolver) -> None:
        self._resolver = resolver

    def allows(self, path: str, occurrence: Occurrence, symbol: SymbolRef) -> bool:
        """Return whether an undecided occurrence can mean a symbol."""
        facts = self._resolver.facts(path)
        scope = self._resolver.facts(symbol.path).scopes[symbol.scope]
        kind = occurrence.kind
        if kind == O.KEYWORD:
            return self._can_be_given(symbol, scope)
        if kind == O.KEY:
            return self._can_be_key(symbol, scope)
        if kind in (O.ATTRIBUTE, O.TYPE_ATTRIBUTE, O.LOOKUP, O.TEXT):
            if scope.kind == S.CLASS:
                return kind != O.ATTRIBUTE or not self._takes_less(facts, occurrence, symbol, scope)
            return self._can_be_module(path, facts, occurrence, symbol, scope)
        if kind in (O.NAME, O.TYPE) and is_script(path):
            # Only what no module encloses is seen from other files. In JavaScript comments stand
            # for types, and name them without importing them.
            is_type = occurrence.use == U.DOCUMENTED and not path.endswith(TYPED_SUFFIXES)
            return is_type or self._is_global_script(symbol.path)
        return True

    def _can_be_given(self, symbol: SymbolRef, scope: ScopeRow) -> bool:
        """Return whether a keyword argument can set it: a parameter, or a variable of a class.

        Frameworks take keywords for class variables, as ``View.as_view(template_name=...)`` does;
        but none for methods, nor for what a method sets.
        """
        if scope.kind != S.CLASS:
            return scope.kind == S.FUNCTION
        facts = self._resolver.facts(symbol.path)
        bindings = facts.bound_in(symbol.scope, facts.name_id(symbol.name))
        rows = [facts.bindings[index] for index in bindings]
        return any(row.kind not in (B.FUNCTION, B.CLASS) and not row.is_instance for row in rows)

    def _can_be_key(self, symbol: SymbolRef, scope: ScopeRow) -> bool:
        """Return whether a key in an object literal can mean it.

        A literal has members of its own; it never holds the method of a class.
        """
        if scope.kind != S.CLASS:
            return False
        facts = self._resolver.facts(symbol.path)
        row = facts.classes[scope.owner]
        if row.is_interface == 1 or not facts.names[row.name]:
            return True
        bindings = facts.bound_in(symbol.scope, facts.name_id(symbol.name))
        return any(facts.bindings[index].kind != B.FUNCTION for index in bindings)

    def _can_be_module(
        self, path: str, facts: Facts, occurrence: Occurrence, symbol: SymbolRef, scope: ScopeRow
    ) -> bool:
        """Return whether what stands before the dot can be the module, or namespace, around it."""
        if scope.kind not in (S.MODULE, S.EXPORTS, S.BLOCK):
            return False
        if occurrence.reference == NONE or self._starts_at_import(path, facts, occurrence, symbol):
            return True
        return scope.kind == S.BLOCK or self._resolver.escapes.module(symbol.path)

    def _starts_at_import(
        self, path: str, facts: Facts, occurrence: Occurrence, symbol: SymbolRef
    ) -> bool:
        """Return whether the receiver is a dotted name that begins with something imported."""
        row = facts.expressions[occurrence.reference]
        while row.kind == E.ATTRIBUTE:
            row = facts.expressions[row.a]
        if row.kind != E.NAME:
            return False
        found = self._resolver.names.lookup(path, occurrence.scope, row.a)
        if found is None:
            return not is_script(path) or self._is_global_script(symbol.path)
        kinds = {facts.bindings[index].kind for index in found.bindings}
        return bool(kinds & {B.IMPORT, B.FROM})

    def _is_global_script(self, path: str) -> bool:
        """Return whether the names of a script are seen by all other scripts of its page."""
        if not is_script(path):
            return False
        facts = self._resolver.facts(path)
        if facts.exports_scope() != NONE or len(facts.stars):
            return False
        kinds = set(facts.bindings.column(2))
        return not kinds & {B.FROM, B.IMPORT}

    def _takes_less(
        self, facts: Facts, occurrence: Occurrence, symbol: SymbolRef, scope: ScopeRow
    ) -> bool:
        """Return whether a Python method cannot take the arguments of every call like this one."""
        if occurrence.use not in (U.CALL, U.THROWN) or is_script(symbol.path):
            return False
        called = facts.calls_of(facts.attribute_row(occurrence.reference, occurrence.name))
        home = self._resolver.facts(symbol.path)
        cls = ClassValue(symbol.path, scope.owner)
        rows = [home.bindings[i] for i in self._resolver.classes.bindings(cls, symbol.name)]
        if not called or not rows or any(row.kind != B.FUNCTION for row in rows):
            return False
        room = max(self._room(FunctionValue(symbol.path, row.a)) for row in rows)
        return all(_positional_count(facts, call) > room for call in called)

    def _room(self, function: FunctionValue) -> int:
        """Return how many positional arguments a method takes after its receiver."""
        facts = self._resolver.facts(function.path)
        row = facts.functions[function.index]
        kinds = [
            facts.parameters[index].kind
            for index in range(row.parameters, row.parameters + row.parameter_count)
        ]
        names = self._resolver.calls.decorator_names(function)
        if P.REST in kinds or names - _KEEP_SIGNATURE:
            return 1 << 30
        takes_receiver = row.owner != NONE and "staticmethod" not in names
        return kinds.count(P.PLAIN) - takes_receiver


def _positional_count(facts: Facts, call: Expression) -> int:
    """Return how many positional arguments a call has at least; none if it unpacks any."""
    kinds = [facts.expressions[item].kind for item in facts.items(call.b)]
    return 0 if E.STAR in kinds else len(kinds) - kinds.count(E.KEYWORD)
