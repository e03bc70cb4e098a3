"""Classes: the order in which bases are asked for a member, and who has it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import B, E
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import ClassValue, External, Instance, Values, unique

if TYPE_CHECKING:
    from analysis.references.types.resolver import TypeResolver


@dataclass(frozen=True, slots=True)
class Ancestry:
    """A class and its bases in the order of method resolution."""

    order: tuple[ClassValue, ...]
    complete: bool
    """False if a base could be any class of the code base."""
    external: bool
    """Whether a base lies outside the code base."""


class Classes:
    """Answers questions about classes."""

    def __init__(self, resolver: TypeResolver) -> None:
        self._resolver = resolver
        self._ancestry: dict[ClassValue, Ancestry] = {}
        self._owners: dict[tuple[ClassValue, str], ClassValue | None] = {}
        self._proven: dict[ClassValue, frozenset[ClassValue]] = {}

    def ancestry(self, cls: ClassValue) -> Ancestry:
        """Return a class's method resolution order, as far as it is known."""
        known = self._ancestry.get(cls)
        if known is None:
            self._ancestry[cls] = Ancestry((cls,), complete=False, external=False)
            known = self._ancestry[cls] = self._linearize(cls)
        return known

    def proven_bases(self, cls: ClassValue) -> frozenset[ClassValue]:
        """Return the classes that a class derives from whatever happens, over all steps.

        A base that can be one of several classes, or of none, is left out with all above it.
        """
        if cls not in self._proven:
            self._proven[cls] = frozenset()  # What derives from itself derives from nothing.
            above: set[ClassValue] = set()
            for base in self._certain_bases(cls):
                above |= {base, *self.proven_bases(base)}
            self._proven[cls] = frozenset(above)
        return self._proven[cls]

    def owner(self, cls: ClassValue, name: str) -> ClassValue | None:
        """Return the class in the order of resolution that defines a member."""
        key = (cls, name)
        if key not in self._owners:
            self._owners[key] = self._owner_in(self.ancestry(cls).order, name)
        return self._owners[key]

    def owner_above(self, cls: ClassValue, name: str) -> ClassValue | None:
        """Return the base that ``super().name`` means in a class."""
        return self._owner_in(self.ancestry(cls).order[1:], name)

    def applied_bases(self, cls: ClassValue) -> tuple[Instance, ...]:
        """Return a script's direct bases with what they are given for their type parameters."""
        facts = self._resolver.facts(cls.path)
        row = facts.classes[cls.index]
        scope = facts.scopes[row.scope].parent
        found: list[Instance] = []
        for item in facts.items(row.bases):
            for base in self._base_types(cls.path, scope, item, row.place):
                found += [Instance(base.cls, base.arguments)] if isinstance(base, Instance) else []
        return tuple(found)

    def _base_types(self, path: str, scope: int, expression: int, place: int) -> Values:
        """Return what a base in a script is: a type, or an object that is spread."""
        resolver = self._resolver
        facts = resolver.facts(path)
        kind = facts.expressions[expression].kind
        if kind == E.STAR:
            values = resolver.infer(path, scope, expression, place)
        else:
            values = resolver.annotation(path, scope, expression, place)
        if not any(isinstance(value, Instance) for value in values) and kind != E.STAR:
            values = resolver.infer(path, scope, expression, place)
        resolved = [inner for v in values for inner in resolver.annotations.resolved(v)]
        return unique([Instance(v) if isinstance(v, ClassValue) else v for v in resolved])

    def metaclass(self, cls: ClassValue) -> ClassValue | None:
        """Return a class's metaclass, if it is one of the code base."""
        for ancestor in self.ancestry(cls).order:
            facts = self._resolver.facts(ancestor.path)
            row = facts.classes[ancestor.index]
            for item in facts.items(row.keywords):
                keyword = facts.expressions[item]
                if keyword.kind == E.KEYWORD and facts.names[keyword.a] == "metaclass":
                    values = self._resolver.infer(ancestor.path, row.outer, keyword.b, row.place)
                    return next((v for v in values if isinstance(v, ClassValue)), None)
        return None

    def bindings(self, cls: ClassValue, name: str) -> tuple[int, ...]:
        """Return the bindings of a member in exactly this class."""
        facts = self._resolver.facts(cls.path)
        return tuple(facts.bound_in(facts.classes[cls.index].scope, facts.name_id(name)))

    def scope_of(self, cls: ClassValue) -> int:
        """Return a class's own scope."""
        return self._resolver.facts(cls.path).classes[cls.index].scope

    def name_of(self, cls: ClassValue) -> str:
        """Return a class's name."""
        facts = self._resolver.facts(cls.path)
        return facts.names[facts.classes[cls.index].name]

    def class_around(self, path: str, scope: int) -> ClassValue | None:
        """Return the innermost class around a scope."""
        facts = self._resolver.facts(path)
        while scope >= 0:
            row = facts.scopes[scope]
            if row.kind == _CLASS_SCOPE:
                return ClassValue(path, row.owner)
            scope = row.parent
        return None

    def is_metaclass(self, cls: ClassValue) -> bool:
        """Return whether a class derives from ``type``."""
        return self._has_base(cls, "type")

    def is_enum(self, cls: ClassValue) -> bool:
        """Return whether a class is an enumeration."""
        return any(self._has_base(cls, name) for name in _ENUMS)

    def tuple_fields(self, cls: ClassValue) -> list[str]:
        """Return the names of a named tuple's fields in order; none for any other class."""
        if not self._has_base(cls, "NamedTuple"):
            return []
        names = []
        for ancestor in self.ancestry(cls).order:
            facts = self._resolver.facts(ancestor.path)
            scope = facts.classes[ancestor.index].scope
            for binding in facts.bindings:
                if binding.scope == scope and binding.kind == B.ANNOTATED:
                    names.append(facts.names[binding.name])
        return names

    def _has_base(self, cls: ClassValue, name: str) -> bool:
        """Return whether a class or a base of it names ``name`` as a base."""
        for ancestor in self.ancestry(cls).order:
            facts = self._resolver.facts(ancestor.path)
            bases = facts.items(facts.classes[ancestor.index].bases)
            if any(facts.last_name(item) == name for item in bases):
                return True
        return False

    def _certain_bases(self, cls: ClassValue) -> Iterator[ClassValue]:
        """Yield the direct bases of which each can be one class only."""
        facts = self._resolver.facts(cls.path)
        row = facts.classes[cls.index]
        scope = facts.scopes[row.scope].parent if is_script(cls.path) else row.outer
        for item in facts.items(row.bases):
            if is_script(cls.path):
                values: Values = self._base_types(cls.path, scope, item, row.place)
            else:
                is_generic = facts.expressions[item].kind == E.SUBSCRIPT
                named = facts.expressions[item].a if is_generic else item
                values = self._resolver.infer(cls.path, scope, named, row.place)
            if len(values) == 1:
                value = values[0].cls if isinstance(values[0], Instance) else values[0]
                if isinstance(value, ClassValue):
                    yield value

    def _owner_in(self, order: tuple[ClassValue, ...], name: str) -> ClassValue | None:
        return next((cls for cls in order if self.bindings(cls, name)), None)

    def _linearize(self, cls: ClassValue) -> Ancestry:
        facts = self._resolver.facts(cls.path)
        row = facts.classes[cls.index]
        sequences: list[list[ClassValue]] = []
        direct: list[ClassValue] = []
        complete, external = True, False
        for item in facts.items(row.bases):
            scope = facts.scopes[row.scope].parent if is_script(cls.path) else row.outer
            bases, known = self._base(cls.path, scope, item, row.place)
            external |= known and not bases
            complete &= known
            for base in bases:
                above = self.ancestry(base)
                complete &= above.complete
                external |= above.external
                sequences.append(list(above.order))
                direct.append(base)
        return Ancestry((cls, *_merge([*sequences, direct])), complete, external)

    def _base(
        self, path: str, scope: int, expression: int, place: int
    ) -> tuple[list[ClassValue], bool]:
        """Return the classes a base can be, and whether anything is known about it."""
        facts = self._resolver.facts(path)
        row = facts.expressions[expression]
        if is_script(path):
            types = self._base_types(path, scope, expression, place)
            classes = [value.cls for value in types if isinstance(value, Instance)]
            return classes, bool(types) and all(
                isinstance(value, Instance | External) for value in types
            )
        if row.kind == E.SUBSCRIPT:
            return self._base(path, scope, row.a, place)
        values = self._resolver.infer(path, scope, expression, place)
        bases = [value for value in values if isinstance(value, ClassValue)]
        known = bool(bases) or any(isinstance(value, External) for value in values)
        borrows = facts.last_name(expression) == "from_queryset"
        return bases if borrows else bases[:1], known


_CLASS_SCOPE = 1
_ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")


def _merge(sequences: list[list[ClassValue]]) -> list[ClassValue]:
    """Merge as Python's C3 does; where that fails, take the first that is left."""
    result: list[ClassValue] = []
    sequences = [sequence for sequence in sequences if sequence]
    while sequences:
        tails = {cls for sequence in sequences for cls in sequence[1:]}
        heads = [sequence[0] for sequence in sequences]
        chosen = next((cls for cls in heads if cls not in tails), heads[0])
        result.append(chosen)
        sequences = [[c for c in sequence if c != chosen] for sequence in sequences]
        sequences = [sequence for sequence in sequences if sequence]
    return result
