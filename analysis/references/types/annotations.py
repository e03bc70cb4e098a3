"""What an annotation says a value is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import NONE, B, C, E
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import (
    EXTERNAL,
    ClassValue,
    Container,
    Definition,
    Instance,
    ModuleValue,
    TypeVariable,
    Value,
    Values,
    VariableAt,
    unique,
)
from analysis.references.types.generics import THIS

if TYPE_CHECKING:
    from analysis.references.types.resolver import TypeResolver

_SEQUENCES = frozenset(
    {"list", "List", "Sequence", "Iterable", "Iterator", "Generator", "AsyncIterator"}
    | {"AsyncGenerator", "AsyncIterable", "Set", "set", "frozenset", "FrozenSet", "Deque"}
    | {"deque", "Collection", "MutableSequence", "KeysView", "ValuesView", "AbstractSet"}
    | {"Reversible", "MutableSet", "Container", "ContextManager", "AsyncContextManager"}
    | {"AbstractContextManager", "AbstractAsyncContextManager"}
    | {"Array", "ReadonlyArray", "ReadonlySet", "IterableIterator"}
)
_TUPLES = frozenset({"tuple", "Tuple"})
_MAPPINGS = frozenset(
    {"dict", "Dict", "Mapping", "MutableMapping", "DefaultDict", "defaultdict", "OrderedDict"}
    | {"Map", "WeakMap", "Record", "ReadonlyMap"}
    | {"WeakKeyDictionary", "WeakValueDictionary", "ChainMap"}
)
_WRAPPERS = frozenset(
    {"Optional", "Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly"}
    | {"Partial", "Readonly", "NonNullable", "Omit", "Pick", "Extract", "Exclude", "NoInfer"}
)
_AWAITABLES = frozenset({"Awaitable", "Coroutine", "Promise", "PromiseLike", "Awaited"})
_SCRIPT_FORMS = (E.THIS, E.LOOKUP, E.TYPE_OF, E.OBJECT, E.FUNCTION)
_KNOWN = _SEQUENCES | _TUPLES | _MAPPINGS | _WRAPPERS | _AWAITABLES
# Says nothing about a value.
_ANYTHING = frozenset({"Any", "object", "Incomplete"})


class Annotations:
    """Evaluates annotations."""

    def __init__(self, resolver: TypeResolver) -> None:
        self._resolver = resolver

    def value(self, path: str, scope: int, expression: int, place: int) -> Values:
        """Return what a value with this annotation can be; nothing if that is not known."""
        facts = self._resolver.facts(path)
        row = facts.expressions[expression]
        where = (path, scope, place)
        if row.kind == E.UNION:
            return self._any_of(where, (row.a, row.b))
        if row.kind == E.SUBSCRIPT:
            return self._subscript(facts, where, row.a, row.b)
        if row.kind == E.CONSTANT:
            return (EXTERNAL,) if row.a != C.NONE else ()
        if row.kind == E.STAR:
            return self.value(path, scope, row.a, place)
        if row.kind in _SCRIPT_FORMS:
            return self._resolver.script_types.of_form(facts, where, expression)
        if row.kind not in (E.NAME, E.ATTRIBUTE):
            return ()
        name = facts.last_name(expression)
        if name == "Self":
            cls = self._resolver.classes.class_around(path, scope)
            if cls is not None:
                return (Instance(cls),)
        if is_script(path):
            return self._resolver.script_types.named(facts, where, expression, ())
        alias = self._aliased(facts, where, expression)
        if alias is not None:
            return alias
        values = self._resolver.infer(path, scope, expression, place)
        if name in _ANYTHING and all(value == EXTERNAL for value in values):
            return ()
        return unique([inner for value in values for inner in self._instance(value)])

    def _aliased(self, facts: Facts, where: tuple[str, int, int], expression: int) -> Values | None:
        """Return what an alias as in ``Map = dict[str, C]`` stands for; None if it is none."""
        row = facts.expressions[expression]
        names = self._resolver.names
        definitions: tuple[Definition, ...] = ()
        if row.kind == E.NAME:
            definitions = names.definitions_of_name(where[0], where[1], row.a)
        else:
            for value in self._resolver.infer(where[0], where[1], row.a, where[2]):
                if isinstance(value, ModuleValue):
                    definitions += names.member(value, facts.names[row.b])
        for definition in definitions:
            if not isinstance(definition, VariableAt):
                continue
            home = self._resolver.facts(definition.path)
            binding = home.bindings[definition.binding]
            if binding.kind == B.ALIAS:
                return self._resolver.annotation(
                    definition.path, binding.eval_scope, binding.a, binding.place
                )
            if binding.kind != B.ASSIGN or binding.a == NONE:
                continue
            if home.expressions[binding.a].kind in (E.SUBSCRIPT, E.UNION):
                place = binding.place
                return self._resolver.annotation(
                    definition.path, binding.eval_scope, binding.a, place
                )
        return None

    def _any_of(self, where: tuple[str, int, int], items: tuple[int, ...]) -> Values:
        path, scope, place = where
        return unique([v for item in items for v in self.value(path, scope, item, place)])

    def _instance(self, value: Value) -> Values:
        """Return what an annotation that evaluates to ``value`` stands for."""
        if isinstance(value, ClassValue):
            return (Instance(value),)
        if isinstance(value, TypeVariable):
            return (value,)
        return (value,) if value == EXTERNAL or isinstance(value, Container | Instance) else ()

    def _subscript(
        self, facts: Facts, where: tuple[str, int, int], base: int, index: int
    ) -> Values:
        path, scope, place = where
        name = facts.last_name(base)
        arguments = _arguments(facts, index)
        # A class of the code base can be called like one of the language.
        if name not in _KNOWN or self._is_own_class(facts, where, base):
            return self._applied(facts, where, base, arguments)
        if name in _SEQUENCES:
            return (Container(path, scope, place, arguments[:1], of_types=True),)
        if name in _TUPLES:
            return (self._tuple(facts, where, arguments),)
        if name in _MAPPINGS:
            keys, items = arguments[:1], arguments[-1:]
            return (Container(path, scope, place, items, keys, of_types=True, is_mapping=True),)
        if name in _AWAITABLES:
            return self._any_of(where, arguments[-1:])
        return self._any_of(where, arguments[:1])

    def _applied(
        self, facts: Facts, where: tuple[str, int, int], base: int, arguments: tuple[int, ...]
    ) -> Values:
        """Return what a type is that is no container of the language."""
        path, scope, place = where
        name = facts.last_name(base)
        if name in ("ReturnType", "InstanceType"):
            returned_by = self._resolver.returned_by
            inner = self._any_of(where, arguments[:1])
            return unique([v for value in inner for v in returned_by(value)])
        if name == "Union":
            return self._any_of(where, arguments)
        if name in ("Type", "type"):
            inner = self._any_of(where, arguments[:1])
            return unique([v.cls if isinstance(v, Instance) else v for v in inner])
        if name in ("Literal", "Callable"):
            return (EXTERNAL,)
        if is_script(path):
            return self._resolver.script_types.named(facts, where, base, arguments)
        return self.value(path, scope, base, place)

    def _is_own_class(self, facts: Facts, where: tuple[str, int, int], base: int) -> bool:
        """Return whether a name is that of a class of the code base."""
        if is_script(where[0]):
            found = self._resolver.names.types_named(facts, where, base)
            return any(isinstance(item, ClassValue) for item in found)
        values = self._resolver.infer(*where[:2], base, where[2])
        return any(isinstance(value, ClassValue) for value in values)

    def _tuple(
        self, facts: Facts, where: tuple[str, int, int], arguments: tuple[int, ...]
    ) -> Container:
        path, scope, place = where
        ellipsis = [
            item for item in arguments if facts.expressions[item][:2] == (E.CONSTANT, C.ELLIPSIS)
        ]
        items = arguments[:1] if ellipsis else arguments
        return Container(path, scope, place, items, of_types=True, is_tuple=not ellipsis)

    def resolved(self, value: Value) -> Values:
        """Return what a type variable stands for at least; any other value as it is."""
        if not isinstance(value, TypeVariable):
            return (value,)
        if value.members:
            plain = self.resolved(replace(value, members=()))
            return self._resolver.generics.looked_up(plain, value.members)
        if value.name == THIS:
            owner = self._resolver.facts(value.path).scopes[value.scope].owner
            return (Instance(ClassValue(value.path, owner)),)
        if value.bound == NONE:
            return ()
        key = ("resolved", value)
        return self._resolver.once(key, lambda: self._resolved_bound(value))

    def _resolved_bound(self, value: TypeVariable) -> Values:
        bound = self.value(value.path, value.scope, value.bound, 1 << 30)
        return unique([inner for item in bound for inner in self.resolved(item)])


def _arguments(facts: Facts, index: int) -> tuple[int, ...]:
    """Return the expressions between a subscript's brackets."""
    row = facts.expressions[index]
    return tuple(facts.items(row.a)) if row.kind == E.TUPLE else (index,)
