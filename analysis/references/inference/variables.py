"""What a variable holds: which of its bindings reach a use, and what each binds it to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import NONE, WHOLE, B, C, E, P, S
from analysis.parsing.facts.rows import Binding
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.names import Found
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import (
    EXTERNAL,
    ClassValue,
    Container,
    Definition,
    FunctionValue,
    Instance,
    ModuleValue,
    NamespaceValue,
    TypeVariable,
    Value,
    Values,
    unique,
)

if TYPE_CHECKING:
    from analysis.references.inference.resolver import Resolver

_TYPE_VARIABLES = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple"})
_GIVES_CLASS = frozenset({"classmethod", "__new__", "__init_subclass__", "__class_getitem__"})


class Variables:
    """Evaluates bindings."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def reaching(self, found: Found, scope: int, place: int) -> tuple[int, ...]:
        """Return the bindings whose value a use can see, the last one first if order counts."""
        facts = self._resolver.facts(found.path)
        bindings = found.bindings
        if len(bindings) == 1:
            return bindings
        if _flow_scope(facts, scope) == found.scope:
            reaching = _before(facts, bindings, place)
            if reaching:
                return reaching
        return _declared_first(facts, bindings)

    def value(self, path: str, index: int) -> Values:
        """Return what a binding binds its name to."""
        key = ("binding", path, index, 0)
        return self._resolver.once(key, lambda: self._value(path, index))

    def member_value(self, path: str, bindings: tuple[int, ...]) -> Values:
        """Return what the variables among a class member's bindings hold."""
        facts = self._resolver.facts(path)
        chosen = _declared_first(facts, bindings)
        return unique([value for index in chosen for value in self.value(path, index)])

    def _value(self, path: str, index: int) -> Values:
        facts = self._resolver.facts(path)
        binding = facts.bindings[index]
        handler = _HANDLERS.get(binding.kind)
        return handler(self, path, facts, binding) if handler else ()

    def _assigned(self, path: str, facts: Facts, binding: Binding) -> Values:
        if binding.a == NONE:
            return ()
        row = facts.expressions[binding.a]
        if row.kind == E.CALL and facts.last_name(row.a) in _TYPE_VARIABLES:
            return (TypeVariable(path, facts.names[binding.name], _bound(facts, row.b)),)
        return self._resolver.infer(path, binding.eval_scope, binding.a, binding.place)

    def _annotated(self, path: str, facts: Facts, binding: Binding) -> Values:
        scope, place = binding.eval_scope, binding.place
        declared = self._resolver.annotation(path, scope, binding.a, place)
        if facts.last_name(binding.a) == "TypeAlias" and binding.b != NONE:
            return self._resolver.infer(path, scope, binding.b, place)
        if binding.b == NONE or (declared and not any(isinstance(v, Instance) for v in declared)):
            return declared
        assigned = self._resolver.infer(path, scope, binding.b, place)
        narrower = [value for value in assigned if self._is_below(value, declared)]
        return unique([*narrower, *declared])

    def _is_below(self, value: Value, declared: Values) -> bool:
        """Return whether a value is an instance of a class below a declared one."""
        if not isinstance(value, Instance):
            return False
        order = self._resolver.classes.ancestry(value.cls).order[1:]
        return any(isinstance(other, Instance) and other.cls in order for other in declared)

    def _iterated(self, path: str, facts: Facts, binding: Binding) -> Values:
        return self._elements_of(path, binding, by_key=False)

    def _elements_of(self, path: str, binding: Binding, *, by_key: bool) -> Values:
        if binding.a == NONE:
            return ()
        values = self._resolver.infer(path, binding.eval_scope, binding.a, binding.place)
        elements = self._resolver.elements
        found = [item for v in values for item in elements.of(v, by_key=by_key)]
        return unique(found)

    def _item(self, path: str, facts: Facts, binding: Binding) -> Values:
        if binding.a == NONE:
            return ()
        values = self._resolver.infer(path, binding.eval_scope, binding.a, binding.place)
        return self._resolver.elements.at(values, binding.b)

    def _iterated_item(self, path: str, facts: Facts, binding: Binding) -> Values:
        values = self._elements_of(path, binding, by_key=False)
        return self._resolver.elements.at(values, binding.b)

    def _managed(self, path: str, facts: Facts, binding: Binding) -> Values:
        if binding.a == NONE:
            return ()
        values = self._resolver.infer(path, binding.eval_scope, binding.a, binding.place)
        return unique([inner for value in values for inner in self._entered(value)])

    def _managed_item(self, path: str, facts: Facts, binding: Binding) -> Values:
        return self._resolver.elements.at(self._managed(path, facts, binding), binding.b)

    def _entered(self, value: Value) -> Values:
        """Return what ``with value as x`` binds."""
        if isinstance(value, Container):
            return self._resolver.elements.of(value, by_key=False)
        if not isinstance(value, Instance):
            return (value,)
        for name in ("__enter__", "__aenter__"):
            method = self._resolver.attributes.method(value.cls, name)
            if method is not None:
                return self._resolver.calls.returned(method, value) or (value,)
        return (value,)

    def _parameter(self, path: str, facts: Facts, binding: Binding) -> Values:
        if binding.a == NONE:
            return ()
        function = facts.functions[binding.a]
        row = facts.parameters[function.parameters + binding.b]
        is_receiver = function.owner != NONE and binding.b == 0 and row.kind == P.PLAIN
        if is_receiver:
            received = self._received(path, facts, binding.a)
            if received:
                return received
        place = function.place
        if is_script(path):
            return self.script_parameter(path, binding.a, binding.b)
        if row.annotation != NONE:
            declared = self._resolver.annotation(path, function.outer, row.annotation, place)
            if row.kind in (P.REST, P.KEYWORD_REST):
                items = (row.annotation,)
                mapping = row.kind == P.KEYWORD_REST
                return (
                    Container(
                        path, function.outer, place, items, of_types=True, is_mapping=mapping
                    ),
                )
            return declared
        if row.kind in (P.REST, P.KEYWORD_REST):
            return (EXTERNAL,)
        if row.default != NONE and facts.expressions[row.default][:2] != (E.CONSTANT, C.NONE):
            values = self._resolver.infer(path, function.outer, row.default, place)
            if _tells(values):
                return values
        return self._resolver.frameworks.parameter(path, binding.a, facts.names[row.name])

    def named_by(
        self, path: str, scope: int, expression: int, place: int
    ) -> tuple[Definition, ...]:
        """Return what an expression names that only names something; nothing for any other."""
        if expression == NONE:
            return ()
        facts = self._resolver.facts(path)
        row = facts.expressions[expression]
        names = self._resolver.names
        if row.kind == E.NAME:
            return names.definitions_of_name(path, scope, row.a)
        if row.kind == E.REQUIRE:
            return names.imported(path, facts.names[row.a], 0, WHOLE)
        if row.kind in (E.AWAIT, E.APPLIED):
            return self.named_by(path, scope, row.a, place)
        if row.kind in (E.CAST, E.SATISFIES):
            return self.named_by(path, scope, row.b, place)
        if row.kind != E.ATTRIBUTE:
            return ()
        found: list[Definition] = []
        for value in self._resolver.infer(path, scope, row.a, place):
            found += self.member_named(value, facts.names[row.b])
        return tuple(dict.fromkeys(found))

    def member_named(self, value: Value, name: str) -> tuple[Definition, ...]:
        """Return what a member of a module, class or object is, names followed."""
        if isinstance(value, ModuleValue | NamespaceValue):
            return self._resolver.names.member(value, name)
        if not isinstance(value, ClassValue | Instance):
            return ()
        cls = value if isinstance(value, ClassValue) else value.cls
        owner = self._resolver.classes.owner(cls, name)
        if owner is None:
            return ()
        found: list[Definition] = []
        for index in self._resolver.classes.bindings(owner, name):
            found += self._behind(owner.path, index)
        return tuple(dict.fromkeys(found))

    def _behind(self, path: str, index: int) -> tuple[Definition, ...]:
        """Return what a member of an object names, be it by a getter; else the member."""
        facts = self._resolver.facts(path)
        binding = facts.bindings[index]
        found: tuple[Definition, ...] = ()
        if binding.kind == B.ASSIGN and is_script(path):
            found = self.named_by(path, binding.eval_scope, binding.a, binding.place)
        elif binding.kind == B.FUNCTION and is_script(path):
            row = facts.functions[binding.a]
            is_getter = any(facts.last_name(d) == "property" for d in facts.items(row.decorators))
            for item in facts.items(row.return_values) if is_getter else ():
                found += self.named_by(path, row.scope, item, 1 << 30)
        return found or self._resolver.names.definitions(path, (index,))

    def member_of_export(self, path: str, binding: int, name: str) -> tuple[Definition, ...]:
        """Return what a member of the value is that a script exports as its whole."""
        row = self._resolver.facts(path).bindings[binding]
        found: list[Definition] = []
        for value in self._resolver.infer(path, row.eval_scope, row.a, row.place):
            found += self.member_named(value, name)
        return tuple(dict.fromkeys(found))

    def script_parameter(self, path: str, index: int, position: int) -> Values:
        """Return what a script's function is called with at a position."""
        facts = self._resolver.facts(path)
        function = facts.functions[index]
        row = facts.parameters[function.parameters + position]
        if row.annotation != NONE:
            return self._resolver.annotation(path, function.scope, row.annotation, function.place)
        if row.default != NONE:
            values = self._resolver.infer(path, function.scope, row.default, function.place)
            if _tells(values):
                return values
        return self._resolver.contexts.parameter(path, index, position)

    def _received(self, path: str, facts: Facts, index: int) -> Values:
        """Return what a method's first parameter holds; nothing for a static method."""
        function = facts.functions[index]
        cls = ClassValue(path, function.owner)
        names = {facts.last_name(item) for item in facts.items(function.decorators)}
        if "staticmethod" in names:
            return ()
        if names & _GIVES_CLASS or facts.names[function.name] in _GIVES_CLASS:
            return (cls,)
        if self._resolver.classes.is_metaclass(cls):
            return (cls, Instance(cls))
        return (Instance(cls),)

    def _caught(self, path: str, facts: Facts, binding: Binding) -> Values:
        if binding.a == NONE:
            return ()
        return self._resolver.instances_named(path, binding.eval_scope, binding.a, binding.place)

    def _type_parameter(self, path: str, facts: Facts, binding: Binding) -> Values:
        return (TypeVariable(path, facts.names[binding.name], binding.a, binding.scope),)

    def _defined_class(self, path: str, facts: Facts, binding: Binding) -> Values:
        return (ClassValue(path, binding.a),)

    def _defined_function(self, path: str, facts: Facts, binding: Binding) -> Values:
        return (FunctionValue(path, binding.a),)

    def _imported(self, path: str, facts: Facts, binding: Binding) -> Values:
        # An import is followed by names, not here; this is a member of a class that imports.
        index = next(i for i in range(len(facts.bindings)) if facts.bindings[i] == binding)
        definitions = self._resolver.names.definitions(path, (index,))
        return self._resolver.values_of(definitions)


_HANDLERS: dict[int, Callable[[Variables, str, Facts, Binding], Values]] = {
    B.ASSIGN: Variables._assigned,
    B.AUGMENTED: Variables._assigned,
    B.ANNOTATED: Variables._annotated,
    B.FOR: Variables._iterated,
    B.WITH: Variables._managed,
    B.ITEM: Variables._item,
    B.FOR_ITEM: Variables._iterated_item,
    B.WITH_ITEM: Variables._managed_item,
    B.PARAMETER: Variables._parameter,
    B.EXCEPT: Variables._caught,
    B.MATCH: Variables._caught,
    B.TYPE_PARAMETER: Variables._type_parameter,
    B.CLASS: Variables._defined_class,
    B.FUNCTION: Variables._defined_function,
    B.EXPORT: Variables._assigned,
    B.IMPORT: Variables._imported,
    B.FROM: Variables._imported,
}


def _tells(default: Values) -> bool:
    """Return whether a default value tells what else a parameter can hold."""
    is_empty = all(isinstance(v, Container) and not v.items for v in default)
    return not is_empty and default != (EXTERNAL,)


def _flow_scope(facts: Facts, scope: int) -> int:
    """Return the scope whose order of statements a use takes part in."""
    while scope > 0 and facts.scopes[scope].kind == S.COMPREHENSION:
        scope = facts.scopes[scope].parent
    return scope


def _before(facts: Facts, bindings: tuple[int, ...], place: int) -> tuple[int, ...]:
    """Return the bindings that can be the last one before a place."""
    reaching: list[int] = []
    for index in reversed(bindings):
        binding = facts.bindings[index]
        if binding.effective > place or binding.kind == B.AUGMENTED:
            continue
        reaching.append(index)
        if place < binding.block_end:
            break
    return tuple(reaching)


def _declared_first(facts: Facts, bindings: tuple[int, ...]) -> tuple[int, ...]:
    """Return the annotated bindings, if there are any, else all of them."""
    declared = tuple(i for i in bindings if facts.bindings[i].kind == B.ANNOTATED)
    return declared or bindings


def _bound(facts: Facts, arguments: int) -> int:
    """Return the bound among a type variable's arguments."""
    for item in facts.items(arguments):
        row = facts.expressions[item]
        if row.kind == E.KEYWORD and facts.names[row.a] == "bound":
            return row.b
    return NONE
