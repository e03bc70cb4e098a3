"""How a definition can be called without being named: by decorators, by the language itself."""

from __future__ import annotations

from analysis.parsing.facts.codes import B, O, S, U
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import ClassValue, SymbolRef
from analysis.references.search.session import ResolutionSession
from analysis.references.search.targets import Target, target_in

# Decorators that do not keep what they decorate for somebody else to call.
PASSING = frozenset(
    {"staticmethod", "classmethod", "property", "cached_property", "abstractmethod", "override"}
    | {"wraps", "lru_cache", "cache", "contextmanager", "asynccontextmanager", "overload", "final"}
    | {"setter", "getter", "deleter", "dataclass", "total_ordering", "unique", "deprecated"}
    | {"runtime_checkable", "no_type_check", "singledispatch", "singledispatchmethod", "define"}
    | {"frozen", "attrs", "s", "coroutine", "abstractproperty", "classproperty"}
)
"""Decorators that keep nothing of what they decorate, by their last name."""
_CONSTRUCTORS = ("__init__", "__new__", "__post_init__", "constructor")


def constructed(code: ResolutionSession, target: Target) -> list[Target]:
    """Return the class whose construction calls a constructor; nothing for any other function."""
    if target.name not in _CONSTRUCTORS:
        return []
    facts = code.unpacked(target.symbol.path)
    scope = facts.scopes[target.symbol.scope]
    if scope.kind != S.CLASS:
        return []
    row = facts.classes[scope.owner]
    found = target_in(code, SymbolRef(target.symbol.path, row.outer, facts.names[row.name]))
    return [found] if found is not None else []


def is_handed_on(code: ResolutionSession, target: Target) -> bool:
    """Return whether somebody can call a definition without naming it.

    A decorator gets what it decorates; the language calls special methods; a module that is a
    value hands all on that is in it; a class makes its own objects through ``cls``.
    """
    symbol = target.symbol
    facts = code.unpacked(symbol.path)
    rows = [
        facts.bindings[index] for index in facts.bound_in(symbol.scope, facts.name_id(symbol.name))
    ]
    decorators = [
        item
        for row in rows
        if row.kind in (B.FUNCTION, B.CLASS)
        for item in facts.items(
            (facts.functions if row.kind == B.FUNCTION else facts.classes)[row.a].decorators
        )
    ]
    if any(facts.last_name(item) not in PASSING for item in decorators):
        return True
    kind = facts.scopes[symbol.scope].kind
    if kind == S.CLASS:
        is_special = symbol.name.startswith("__") and symbol.name.endswith("__")
        if is_special and symbol.name not in _CONSTRUCTORS:
            return True
    if kind in (S.MODULE, S.EXPORTS) and code.resolver.escapes.module(symbol.path):
        return True
    classes = [row.a for row in rows if row.kind == B.CLASS]
    return any(_makes_itself(code, ClassValue(symbol.path, index)) for index in classes)


def _makes_itself(code: ResolutionSession, cls: ClassValue) -> bool:
    """Return whether a class, or one above it, makes objects of whatever class it is called on."""
    for item in code.resolver.classes.ancestry(cls).order:
        facts = code.unpacked(item.path)
        words = ("constructor",) if is_script(item.path) else ("cls", "__class__")
        for word in words:
            for row in facts.occurrences_of(facts.name_id(word)):
                is_made = row.use in (U.CALL, U.NEW, U.THROWN) and row.kind in (O.NAME, O.ATTRIBUTE)
                is_super = is_script(item.path) and row.use == U.CALL
                if is_made and not is_super and _is_inside(code, item, row.scope):
                    return True
    return False


def _is_inside(code: ResolutionSession, cls: ClassValue, scope: int) -> bool:
    facts = code.unpacked(cls.path)
    wanted = facts.classes[cls.index].scope
    while scope > 0:
        if scope == wanted:
            return True
        scope = facts.scopes[scope].parent
    return False
