"""What a stub declares of a Python module beside it, and what the module defines of a stub."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import B, S
from analysis.references.scopes.values import ModuleValue, SymbolRef

if TYPE_CHECKING:
    from analysis.references.search.session import ResolutionSession


def counterparts(code: ResolutionSession, symbol: SymbolRef) -> Iterator[SymbolRef]:
    """Yield what stands for a definition in stubs; for one of a stub what it declares."""
    names = _names_down_to(code, symbol)
    if names is None:
        return
    if symbol.path.endswith(".pyi"):
        modules = [symbol.path[:-1]] if symbol.path[:-1] in code.resolver.layout else []
        for top in _defined_as(code, modules, names[0]):
            found = _descend(code, top, names[1:])
            if found is not None:
                yield found
        return
    if not symbol.path.endswith(".py"):
        return
    top = SymbolRef(symbol.path, 0, names[0])
    for path in code.files_with_identifier(symbol.name):
        # A module can have the name of what another one defines, so its own is asked for.
        if path.endswith(".pyi") and top in _defined_as(code, [path[:-1]], names[0]):
            found = _descend(code, SymbolRef(path, 0, names[0]), names[1:])
            if found is not None:
                yield found


def _names_down_to(code: ResolutionSession, symbol: SymbolRef) -> list[str] | None:
    """Return the names of the classes around a definition and its own; None inside a function."""
    facts = code.unpacked(symbol.path)
    names, scope = [symbol.name], symbol.scope
    while scope > 0:
        row = facts.scopes[scope]
        if row.kind != S.CLASS:
            return None
        names.insert(0, facts.names[facts.classes[row.owner].name])
        scope = row.parent
    return names


def _defined_as(code: ResolutionSession, modules: list[str], name: str) -> set[SymbolRef]:
    """Return the definitions that modules give under a name."""
    resolver = code.resolver
    found = [
        resolver.definitions.symbol_of(definition)
        for path in modules
        if path in resolver.layout
        for definition in resolver.names.member(ModuleValue(path), name)
    ]
    return {symbol for symbol in found if symbol is not None}


def _descend(code: ResolutionSession, top: SymbolRef, names: list[str]) -> SymbolRef | None:
    """Return a member of a class, of a class in it and so on; None if there is none."""
    facts = code.unpacked(top.path)
    scope, name = top.scope, top.name
    for inner in names:
        bindings = [facts.bindings[i] for i in facts.bound_in(scope, facts.name_id(name))]
        cls = next((row.a for row in bindings if row.kind == B.CLASS), None)
        if cls is None:
            return None
        scope, name = facts.classes[cls].scope, inner
    return SymbolRef(top.path, scope, name) if facts.bound_in(scope, facts.name_id(name)) else None
