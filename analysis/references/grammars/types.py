"""What type an expression has, as far as declarations say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from analysis.parsing.grammars.paths import node_at, nodes_at
from analysis.references.grammars.bindings import binding_at, local_bindings
from analysis.references.grammars.classes import CLASS_KINDS, ClassRef
from analysis.references.grammars.source import rules_of
from analysis.references.grammars.visible import is_nameless

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.index.symbols import SymbolRow
    from analysis.parsing.grammars.use_rules import Gives
    from analysis.references.grammars.bindings import LocalBinding
    from analysis.references.grammars.meaning import Meanings
    from analysis.references.grammars.source import SourceFile

_MAX_STEPS = 12
_VALUES = frozenset({"variable", "property"})


@dataclass(frozen=True, slots=True)
class Named:
    """A type as it is written somewhere."""

    file: SourceFile
    node: Node


Type: TypeAlias = "Named | ClassRef | None"


class Types:
    """Infers types; what is not known is nothing."""

    def __init__(self, meanings: Meanings) -> None:
        self._meanings = meanings
        self._open: set[tuple[str, int, int]] = set()
        self._known: dict[tuple[str, int, int], Type] = {}

    def named(self, file: SourceFile, node: Node | None) -> Type:
        """Return a type that is written down."""
        return Named(file, node) if node is not None else None

    def infer(self, file: SourceFile, node: Node | None, nth: int | None = None) -> Type:
        """Return the type of an expression; of one that gives several values that of the nth."""
        if node is None:
            return None
        key = (file.path, node.id, -1 if nth is None else nth)
        if key in self._open:
            return None
        if key not in self._known:
            self._open.add(key)
            try:
                self._known[key] = self._infer(file, node, nth)
            finally:
                self._open.discard(key)
        return self._known[key]

    def _infer(self, file: SourceFile, node: Node, nth: int | None) -> Type:
        rules = file.rules
        if file.text(node) in rules.own:
            return self._own(file, node)
        if file.text(node) in rules.parents:
            return self._parent(file, node)
        gives = rules.gives.get(node.type)
        if gives is not None:
            return self._given(file, node, gives, nth)
        if nth:
            return None
        member = rules.members.get(node.type)
        if member is not None:
            name = node_at(node, member[1])
            if name is None:
                return None
            return self._value(file, name) or self._embedded(file, node, name)
        return self._value(file, node) if node.type in rules.names else None

    def _given(self, file: SourceFile, node: Node, gives: Gives, nth: int | None) -> Type:
        """Return the type of an expression of which a rule says where it comes from."""
        if gives.by == "own":
            return self._own(file, node)
        if gives.by == "base":
            return self._parent(file, node)
        operand = node_at(node, gives.at)
        if gives.by == "call":
            return self._called(file, operand, nth)
        if gives.by == "inner":
            return self.infer(file, operand, nth)
        if nth:
            return None
        if gives.by == "type":
            return self.named(file, operand)
        found = self.infer(file, operand)
        return self.element(found) or (found if gives.by == "unwrap" else None)

    def _value(self, file: SourceFile, name: Node) -> Type:
        """Return the type of what an identifier means, read."""
        from analysis.references.grammars.meaning import access_of

        if access_of(file, name) is None:
            bindings = local_bindings(file, name, file.text(name))
            if bindings:
                return self._bound(file, bindings)
        meaning = self._meanings.of(file, name)
        return self.declared(meaning.rows) if meaning.is_known else None

    def _embedded(self, file: SourceFile, node: Node, name: Node) -> ClassRef | None:
        """Return the type that a class holds under the type's own name."""
        receiver = node_at(node, file.rules.members[node.type][0])
        cls = self.class_of(self.infer(file, receiver))
        bases = self._meanings.classes.bases(cls)[0] if cls is not None else ()
        text = file.text(name)
        found = [ref for ref in bases if ref.qualified_name.rpartition(".")[2] == text]
        return found[0] if len(found) == 1 and file.rules.sees == "folder" else None

    def _bound(self, file: SourceFile, bindings: list[LocalBinding]) -> Type:
        """Return the type of a local variable; one that is bound anew has that of all."""
        if not file.rules.rebinds:
            return self._binding(file, bindings[-1])
        found = [self._binding(file, binding) for binding in bindings]
        classes = {self.class_of(item) for item in found}
        return found[0] if len(classes) == 1 else None

    def _binding(self, file: SourceFile, binding: LocalBinding) -> Type:
        rule, holder = binding.rule, binding.holder
        if binding.index < 0:
            return None
        declared = node_at(holder, rule.type) if rule.type else None
        if declared is not None and file.text(declared) not in file.rules.untyped:
            return self.named(file, declared)
        values = nodes_at(holder, rule.value) if rule.value else []
        if not values:
            return None
        around = holder.parent
        is_element = rule.element or (around is not None and around.type in rule.element_in)
        names = nodes_at(holder, rule.name, file.table.through)
        if is_element:
            if len(names) > 1 and binding.index != len(names) - 1:
                return None
            return self.element(self.infer(file, values[0]))
        if len(values) == len(names):
            return self.infer(file, values[binding.index])
        if len(values) == 1:
            return self.infer(file, values[0], binding.index)
        return None

    def declared(self, rows: tuple[SymbolRow, ...]) -> Type:
        """Return the type of what definitions are when they are read or called."""
        if not rows:
            return None
        found = [self._declared(row) for row in rows]
        classes = {self.class_of(item) for item in found}
        return found[0] if len(classes) == 1 else None

    def _declared(self, row: SymbolRow) -> Type:
        if row.info.kind in CLASS_KINDS or row.info.kind == "module":
            return ClassRef(row.path, row.info.qualified_name)
        return self._declared_nth(row, None)

    def _declared_nth(self, row: SymbolRow, nth: int | None) -> Type:
        file = self._meanings.files.get(row.path)
        name = file.node_of(row) if file is not None else None
        if file is None or name is None:
            return None
        above = name.parent
        for _ in range(_MAX_STEPS):
            if above is None:
                return None
            path = file.rules.results.get(above.type)
            if path is not None:
                return self._result(file, node_at(above, path), nth)
            if above.type in file.rules.binds:
                break
            above = above.parent
        binding = binding_at(file, name)
        return self._binding(file, binding) if binding is not None and not nth else None

    def _result(self, file: SourceFile, node: Node | None, nth: int | None) -> Type:
        """Return the type that a function gives, or the nth of several."""
        if node is None:
            return None
        gives = file.rules.gives.get(node.type)
        if gives is not None and gives.by == "tuple":
            types = nodes_at(node, gives.at)
            index = nth or 0
            return self.named(file, types[index]) if index < len(types) else None
        return self.named(file, node) if not nth else None

    def _called(self, file: SourceFile, callee: Node | None, nth: int | None) -> Type:
        if callee is None:
            return None
        member = file.rules.members.get(callee.type)
        name = node_at(callee, member[1]) if member is not None else callee
        while name is not None and name.type in file.rules.through and name.named_child_count:
            name = name.named_children[0]
        if name is None or name.type not in file.rules.names:
            return None
        if member is not None and file.text(name) in file.rules.makers:
            return self._made(file, node_at(callee, member[0]), file.text(name))
        meaning = self._meanings.of(file, name)
        # What a variable is called gives is not what the variable is.
        if not meaning.is_known or any(row.info.kind in _VALUES for row in meaning.rows):
            return None
        if not meaning.rows:
            return None
        found = [
            self._applied(row) if row.info.kind in CLASS_KINDS else self._declared_nth(row, nth)
            for row in meaning.rows
        ]
        classes = {self.class_of(item) for item in found}
        return found[0] if len(classes) == 1 else None

    def _applied(self, row: SymbolRow) -> Type:
        """Return the type of what a class gives that is called."""
        cls = ClassRef(row.path, row.info.qualified_name)
        rules = rules_of(row.path)
        for name in rules.applied if rules is not None else ():
            found = self._meanings.classes.member(cls, name).rows
            if found:
                return self.declared(found)
        return cls

    def _made(self, file: SourceFile, receiver: Node | None, name: str) -> Type:
        """Return the class that is asked for an object of it, unless it decides what that is."""
        if receiver is None or receiver.type not in file.rules.static_receivers:
            return None
        cls = self.class_of(self.infer(file, receiver))
        return (
            cls if cls is not None and not self._meanings.classes.member(cls, name).rows else None
        )

    def element(self, found: Type) -> Type:
        """Return the type of what is in a value."""
        if not isinstance(found, Named):
            return None
        file, node = found.file, found.node
        for _ in range(_MAX_STEPS):
            path = file.rules.elements.get(node.type)
            inner = nodes_at(node, path) if path is not None else []
            if inner:
                return self.named(file, inner[-1]) if len(inner) == 1 else None
            named = self._named_in(file, node)
            if named is None:
                return None
            aliased = self._aliased(file, named) if named.type in file.rules.names else None
            if aliased is not None:
                file, node = aliased.file, aliased.node
            elif named.id != node.id:
                node = named
            else:
                return None
        return None

    def _named_in(self, file: SourceFile, node: Node) -> Node | None:
        """Return the next node inside of a type on the way to the name of its class."""
        path = file.rules.types.get(node.type)
        if path is not None:
            return node_at(node, path) if path else None
        member = file.rules.members.get(node.type)
        return (node_at(node, member[1]) if member is not None else None) or node

    def _aliased(self, file: SourceFile, name: Node) -> Named | None:
        """Return what a type stands for that is another name."""
        meaning = self._meanings.of(file, name)
        if not meaning.is_known or len(meaning.rows) != 1:
            return None
        row = meaning.rows[0]
        home = self._meanings.files.get(row.path) if row.info.kind == "type" else None
        above = home.node_of(row) if home is not None else None
        while home is not None and above is not None:
            path = home.rules.aliases.get(above.type)
            if path is not None:
                inner = node_at(above, path)
                return Named(home, inner) if inner is not None else None
            above = above.parent
        return None

    def class_of(self, found: Type) -> ClassRef | None:
        """Return the class of the code base that a type is."""
        if not isinstance(found, Named):
            return found
        file, node = found.file, found.node
        for _ in range(_MAX_STEPS):
            path = file.rules.types.get(node.type)
            if path is None:
                break
            inner = node_at(node, path) if path else None
            if inner is None:
                return None
            node = inner
        member = file.rules.members.get(node.type)
        if member is not None:
            name = node_at(node, member[1])
            if name is None:
                return None
            node = name
        if file.text(node) in file.rules.own:
            return self._own(file, node)
        if node.type not in file.rules.names:
            return None
        meaning = self._meanings.of(file, node)
        rows = [row for row in meaning.rows if row.info.kind in CLASS_KINDS]
        refs = {ClassRef(row.path, row.info.qualified_name) for row in rows}
        if not meaning.is_known or not refs:
            return None
        if len(refs) == 1 or (file.rules.is_open and len({r.qualified_name for r in refs}) == 1):
            return min(refs, key=lambda ref: ref.path)
        return None

    def _own(self, file: SourceFile, node: Node) -> ClassRef | None:
        """Return the class that a method around belongs to."""
        if is_nameless(file, node):
            return None
        for row in file.around(node):
            if row.info.kind in CLASS_KINDS or row.info.kind == "module":
                return ClassRef(row.path, self.class_name(row))
            owner = row.info.qualified_name.rpartition(".")[0]
            if row.info.kind == "method" and owner:
                return ClassRef(row.path, owner)
        return None

    def class_name(self, row: SymbolRow) -> str:
        """Return the qualified name of the class whose members a definition holds."""
        qualified = row.info.qualified_name
        return qualified.removesuffix(".companion")

    def _parent(self, file: SourceFile, node: Node) -> ClassRef | None:
        own = self._own(file, node)
        bases, all_known = self._meanings.classes.bases(own) if own is not None else ((), False)
        return bases[0] if len(bases) == 1 and all_known else None
