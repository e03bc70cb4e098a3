"""Django's managers, query sets and foreign keys, which no class statement declares.

``Model.objects`` is put there by a metaclass, a manager borrows a query set's methods at run
time, and a foreign key is read as an object of the model it points to. Analysers that follow
declarations only lose the thread at each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import B, E
from analysis.parsing.facts.tables import Facts
from analysis.references.inference.calls import CallArguments
from analysis.references.scopes.values import (
    EXTERNAL,
    ClassValue,
    Instance,
    IteratorOf,
    QuerySetMethod,
    QuerySetOf,
    TupleOf,
    Value,
    Values,
    unique,
)

if TYPE_CHECKING:
    from analysis.references.inference.resolver import Resolver

_MANAGERS = frozenset({"objects", "_default_manager", "_base_manager"})
_SAME = frozenset(
    {"all", "filter", "exclude", "order_by", "distinct", "select_related", "prefetch_related"}
    | {"annotate", "alias", "defer", "only", "using", "reverse", "none", "union", "intersection"}
    | {"difference", "select_for_update", "extra", "complex_filter", "get_queryset", "_chain"}
    | {"iterator", "_clone", "db_manager"}
)
_ITEM = frozenset(
    {"get", "first", "last", "create", "latest", "earliest", "aget", "afirst", "acreate", "alast"}
)
_PAIR = frozenset({"get_or_create", "update_or_create"})
_LISTS = frozenset({"bulk_create"})
_RELATIONS = frozenset({"ForeignKey", "OneToOneField", "ParentalKey"})
_QUERY_SET_BASES = frozenset({"QuerySet", "Manager", "BaseManager"})


class Managers:
    """Knows what Django adds to models and managers."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._models: dict[ClassValue, bool] = {}

    def is_model(self, cls: ClassValue) -> bool:
        """Return whether a class is a Django model."""
        if cls not in self._models:
            self._models[cls] = any(
                self._names_model(ancestor)
                for ancestor in self._resolver.classes.ancestry(cls).order
            )
        return self._models[cls]

    def missing(self, value: Instance | ClassValue, name: str) -> Values:
        """Return what an attribute is that no class declares; nothing if Django has no say."""
        if isinstance(value, ClassValue):
            if name in _MANAGERS and self.is_model(value):
                return (QuerySetOf(value, ()),)
            return ()
        if name in _SAME and self._is_query_set(value.cls):
            return self.attribute(QuerySetOf(None, (value.cls,)), name)
        return ()

    def declared(
        self, path: str, index: int, receiver: Instance | ClassValue, values: Values
    ) -> Values:
        """Return what a class attribute is on a model, given what its expression is."""
        facts = self._resolver.facts(path)
        binding = facts.bindings[index]
        cls = receiver.cls if isinstance(receiver, Instance) else receiver
        if binding.kind != B.ASSIGN or binding.a < 0 or not self.is_model(cls):
            return values
        row = facts.expressions[binding.a]
        name = facts.last_name(binding.a) if row.kind == E.CALL else ""
        if name in _RELATIONS and isinstance(receiver, Instance):
            return self._related(path, index, cls) or values
        if isinstance(receiver, ClassValue):
            kinds = tuple(value.cls for value in values if isinstance(value, Instance))
            if name.endswith("Manager") or any(self._is_query_set(kind) for kind in kinds):
                return (QuerySetOf(receiver, kinds),)
        return values

    def call(self, facts: Facts, function: int, call: CallArguments) -> Values | None:
        """Return what ``as_manager`` and ``from_queryset`` give; None for any other call."""
        row = facts.expressions[function]
        name = facts.names[row.b] if row.kind == E.ATTRIBUTE else ""
        if name not in ("as_manager", "from_queryset"):
            return None
        owners = self._classes(call, row.a)
        if name == "as_manager":
            return tuple(Instance(cls) for cls in owners) or None
        borrowed = self._classes(call, call.arguments[0]) if call.arguments else ()
        return (*owners, *borrowed) or None

    def attribute(self, value: QuerySetOf, name: str) -> Values:
        """Return what an attribute of a query set or manager is."""
        for cls in value.custom:
            if self._resolver.classes.owner(cls, name) is not None:
                return self._resolver.attributes.of(Instance(cls), name)
        if name in _SAME | _ITEM | _PAIR | _LISTS:
            return (QuerySetMethod(value, name),)
        if name == "model" and value.model is not None:
            return (value.model,)
        return (EXTERNAL,)

    def called(self, method: QuerySetMethod) -> Values:
        """Return what calling a query set's method gives."""
        query_set = method.query_set
        if method.name in _SAME:
            return (query_set,)
        items = self.items(query_set)
        if method.name in _PAIR:
            return (TupleOf((items, (EXTERNAL,))),)
        return (IteratorOf(items),) if method.name in _LISTS else items

    def items(self, query_set: QuerySetOf) -> Values:
        """Return what is in a query set."""
        return (Instance(query_set.model),) if query_set.model is not None else ()

    def owners(self, value: QuerySetOf, name: str) -> tuple[ClassValue, ...]:
        """Return the classes that define a method of a query set or manager."""
        classes = self._resolver.classes
        for cls in (*value.custom, *self._own_classes()):
            owner = classes.owner(cls, name)
            if owner is not None:
                return (owner,)
        return ()

    def _own_classes(self) -> tuple[ClassValue, ...]:
        """Return Django's own query set, if Django is the code base."""
        names = self._resolver.names
        found: list[ClassValue] = []
        for module, cls in (("django.db.models.query", "QuerySet"),):
            definitions = names.member(self._resolver.layout.absolute(module, ""), cls)
            found += [d for d in definitions if isinstance(d, ClassValue)]
        return tuple(found)

    def _names_model(self, cls: ClassValue) -> bool:
        facts = self._resolver.facts(cls.path)
        row = facts.classes[cls.index]
        if cls.path.endswith("django/db/models/base.py"):
            return facts.names[row.name] == "Model"
        bases = facts.items(row.bases)
        if not any(facts.last_name(item) == "Model" for item in bases):
            return False
        return any(name.split(".")[0] == "django" for name in facts.names)

    def _is_query_set(self, cls: ClassValue) -> bool:
        for ancestor in self._resolver.classes.ancestry(cls).order:
            facts = self._resolver.facts(ancestor.path)
            bases = facts.items(facts.classes[ancestor.index].bases)
            if any(facts.last_name(item) in _QUERY_SET_BASES for item in bases):
                return True
            if any(facts.last_name(item) == "from_queryset" for item in bases):
                return True
        return False

    def _classes(self, call: CallArguments, expression: int) -> tuple[ClassValue, ...]:
        values = self._resolver.infer(call.path, call.scope, expression, call.place)
        return tuple(value for value in values if isinstance(value, ClassValue))

    def _related(self, path: str, index: int, cls: ClassValue) -> Values:
        """Return objects of the model that a foreign key points to."""
        facts = self._resolver.facts(path)
        binding = facts.bindings[index]
        items = list(facts.items(facts.expressions[binding.a].b))
        named = [i for i in items if facts.expressions[i].kind == E.KEYWORD]
        to = next((facts.expressions[i].b for i in named if self._is_to(facts, i)), None)
        target = to if to is not None else items[0] if items else None
        if target is None:
            return ()
        row = facts.expressions[target]
        if row.kind == E.TEXT:
            return self._named_model(path, facts.names[row.a] if row.a >= 0 else "", cls)
        values = self._resolver.infer(path, binding.eval_scope, target, binding.place)
        return unique([Instance(value) for value in values if isinstance(value, ClassValue)])

    def _is_to(self, facts: Facts, item: int) -> bool:
        return facts.names[facts.expressions[item].a] == "to"

    def _named_model(self, path: str, name: str, cls: ClassValue) -> Values:
        """Return objects of the model that a string names, as in ``"app.Author"``."""
        if name == "self":
            return (Instance(cls),)
        facts = self._resolver.facts(path)
        plain = name.rsplit(".", 1)[-1]
        name_id = facts.name_id(plain)
        found: list[Value] = []
        if name_id >= 0:
            definitions = self._resolver.names.definitions_of_name(path, 0, name_id)
            found = [Instance(d) for d in definitions if isinstance(d, ClassValue)]
        return unique(found)
