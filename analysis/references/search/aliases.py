"""The names that a definition gets: by imports, exports and plain assignments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from analysis.parsing.facts.codes import NONE, WHOLE, B, E, S
from analysis.parsing.facts.rows import Binding
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import SymbolRef
from analysis.references.search.session import ResolutionSession

# Names under which a module is loaded without spelling them.
_UNSPELLED = ("default", WHOLE)


@dataclass(frozen=True, slots=True)
class Alias:
    """A name of a definition, and where it can be spelled."""

    path: str
    """The file that gives the name."""
    name: str | None
    """None for what is exported without a name: it gets one where it is loaded."""
    is_local: bool = False
    """Whether only this file can use it."""
    symbol: SymbolRef | None = None
    """What identifiers of that name mean, where that is not the definition itself."""
    is_sure: bool = True
    """False if the name is also bound to something else."""
    is_assigned: bool = False
    """Whether it was given by assigning the definition to it."""


def names_of(code: ResolutionSession, symbol: SymbolRef) -> Iterator[Alias]:
    """Yield the names that a definition has where it stands."""
    facts = code.unpacked(symbol.path)
    name = facts.name_id(symbol.name)
    is_unspelled = symbol.name in _UNSPELLED and facts.scopes[symbol.scope].kind == S.EXPORTS
    if is_unspelled:
        yield Alias(symbol.path, None)
    else:
        yield _named(symbol.path, facts, symbol.scope, symbol.name)
    for index in facts.bound_in(symbol.scope, name):
        yield from _same_value(symbol.path, facts, facts.bindings[index])
    for index in facts.bindings_of(B.EXPORT, facts.name_row(name)):
        binding = facts.bindings[index]
        if binding.eval_scope == symbol.scope:
            yield from aliases_at(symbol.path, facts, binding)


def _same_value(path: str, facts: Facts, binding: Binding) -> Iterator[Alias]:
    """Yield the other names of a function or class that is made where it gets a name.

    In ``exports.f = function f() {}`` the function has two.
    """
    function = NONE
    if binding.kind == B.FUNCTION:
        function = binding.a
    elif binding.kind in (B.ASSIGN, B.EXPORT) and binding.a != NONE:
        row = facts.expressions[binding.a]
        if row.kind == E.CLASS:
            for index in facts.bindings_of(B.CLASS, row.a):
                yield from aliases_at(path, facts, facts.bindings[index])
        function = row.a if row.kind == E.FUNCTION else NONE
    if binding.kind == B.CLASS:
        value = facts.class_row(binding.a)
    elif function == NONE:
        return
    else:
        value = facts.function_row(function)
    others = [
        *(facts.bindings_of(B.FUNCTION, function) if function != NONE else ()),
        *(facts.bindings_of(B.ASSIGN, value) if value != NONE else ()),
        *(facts.bindings_of(B.EXPORT, value) if value != NONE else ()),
    ]
    for index in others:
        other = facts.bindings[index]
        if (other.scope, other.name) != (binding.scope, binding.name):
            yield from aliases_at(path, facts, other)


def aliases_at(path: str, facts: Facts, binding: Binding) -> Iterator[Alias]:
    """Yield the name that a binding gives to the definition that it binds."""
    name = facts.names[binding.name]
    if name in _UNSPELLED and facts.scopes[binding.scope].kind == S.EXPORTS:
        yield Alias(path, None, symbol=SymbolRef(path, binding.scope, name))
        return
    symbol = SymbolRef(path, binding.scope, name)
    is_sure = len(facts.bound_in(binding.scope, binding.name)) == 1
    if binding.kind in (B.FROM, B.IMPORT, B.EXPORT):
        # Imports and exports are followed to the definition wherever they are used.
        yield _named(path, facts, binding.scope, name)
        return
    value = facts.expressions[binding.b if binding.kind == B.ANNOTATED else binding.a]
    is_made = binding.kind != B.FUNCTION and value.kind not in (E.FUNCTION, E.CLASS)
    is_assigned = is_made and facts.scopes[binding.scope].kind != S.CLASS
    yield _named(path, facts, binding.scope, name, symbol, is_sure=is_sure, is_assigned=is_assigned)


def getters_at(path: str, facts: Facts, scope: int, value: int) -> Iterator[Alias]:
    """Yield the name of a script's getter that gives a value back."""
    row = facts.scopes[scope]
    if row.kind != S.FUNCTION or row.owner == NONE:
        return
    function = facts.functions[row.owner]
    is_getter = any(
        facts.last_name(item) == "property" for item in facts.items(function.decorators)
    )
    if is_getter and is_script(path) and value in facts.items(function.return_values):
        for index in facts.bindings_of(B.FUNCTION, row.owner):
            yield from aliases_at(path, facts, facts.bindings[index])


def _named(
    path: str,
    facts: Facts,
    scope: int,
    name: str,
    symbol: SymbolRef | None = None,
    *,
    is_sure: bool = True,
    is_assigned: bool = False,
) -> Alias:
    is_local = facts.scopes[scope].kind not in (S.MODULE, S.CLASS, S.EXPORTS, S.BLOCK)
    is_local |= facts.scopes[scope].kind == S.BLOCK and facts.scopes[scope].owner == NONE
    if symbol is None and not is_local:
        # The same name is searched for once, whichever file gives it.
        path = ""
    return Alias(path, name, is_local, symbol, is_sure, is_assigned)
