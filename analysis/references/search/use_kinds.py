"""What a use does, in the words of the public lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import NONE, STAND_IN, B, E, S, U

if TYPE_CHECKING:
    from analysis.models import UseKind
    from analysis.references.search.session import ResolutionSession
    from analysis.references.search.targets import Target

_NAMES: dict[int, UseKind] = {
    U.VALUE: "value",
    U.CALL: "call",
    U.NEW: "construction",
    U.ELEMENT: "element",
    U.DECORATOR: "decorator",
    U.READ: "read",
    U.WRITE: "write",
    U.IMPORT: "import",
    U.EXPORT: "export",
    U.TYPE: "type",
    U.BASE: "base",
    U.ALIAS: "value",
    U.DEFINITION: "definition",
    U.KEY: "key",
    U.CLOSING: "element",
    U.RAISED: "read",
    U.THROWN: "call",
    U.DOCUMENTED: "documentation",
}
_ASSIGNED = (B.ASSIGN, B.ANNOTATED, B.EXPORT)
_CALLABLE = frozenset({E.FUNCTION, E.CLASS, E.LAMBDA, E.CALL, E.NAME, E.ATTRIBUTE})
_MADE = frozenset({E.FUNCTION, E.CLASS, E.LAMBDA})
_CALLING = frozenset({U.CALL, U.NEW, U.ELEMENT, U.DECORATOR, U.THROWN})
_READING = frozenset({U.READ, U.VALUE, U.ALIAS, U.CALL, U.RAISED})
_GETTERS = frozenset({"property", "cached_property", "classproperty", "lazy_property"})
_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__", "constructor"})


class UseKinds:
    """Tells what uses of one definition do."""

    def __init__(self, code: ResolutionSession, target: Target) -> None:
        facts = code.unpacked(target.symbol.path)
        symbol = target.symbol
        rows = [
            facts.bindings[index]
            for index in facts.bound_in(symbol.scope, facts.name_id(symbol.name))
        ]
        functions = [facts.functions[row.a] for row in rows if row.kind == B.FUNCTION]
        decorators = {facts.last_name(d) for f in functions for d in facts.items(f.decorators)}
        self.is_class = target.choice.kind == "class" or any(
            row.kind == B.CLASS and facts.classes[row.a].is_interface != STAND_IN for row in rows
        )
        self.is_getter = bool(decorators & _GETTERS)
        """Whether reading it runs it."""
        self.is_set = self.is_getter and len(functions) > 1
        values = [
            row.b if row.kind == B.ANNOTATED else row.a for row in rows if row.kind in _ASSIGNED
        ]
        made = {facts.expressions[value].kind for value in values if value != NONE}
        self.is_callable = not self.is_getter and (
            self.is_class or bool(functions) or not made.isdisjoint(_CALLABLE)
        )
        """Whether it is a function or a class, so that another name for it can be called too."""
        self.is_made = not made.isdisjoint(_MADE)
        """Whether it is a function or class without a statement of its own."""
        in_class = facts.scopes[symbol.scope].kind == S.CLASS
        self.is_constructor = in_class and symbol.name in _CONSTRUCTORS

    def name(self, use: int) -> UseKind:
        """Return the public word for a use."""
        if self.is_getter and use in _READING:
            return "read"
        if self.is_class and use in (U.CALL, U.RAISED, U.THROWN):
            return "construction"
        return _NAMES[use]

    def is_call(self, use: int) -> bool:
        """Return whether a use runs the definition."""
        if self.is_getter:
            return use in _READING or (self.is_set and use == U.WRITE)
        return use in _CALLING or (self.is_class and use == U.RAISED)

    def is_value(self, use: int) -> bool:
        """Return whether a use hands the definition itself on."""
        return use in (U.VALUE, U.ALIAS) and not self.is_getter
