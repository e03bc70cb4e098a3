"""TypeScript's and JavaScript's classes, interfaces, enums and objects to rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, B, E, H, O, S, U
from analysis.parsing.facts.script_functions import ScriptFunctionVisitor
from analysis.parsing.facts.script_handovers import INJECTED, NAMED, decorators_before

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

_CLASSES = ("class_declaration", "abstract_class_declaration", "class", "interface_declaration")
_METHODS = ("method_definition", "method_signature", "abstract_method_signature")
# Signatures without a name are members under names that no member can have, or Python's has.
_SIGNATURES = {"call_signature": "__call__", "construct_signature": "new"}
_FIELDS = ("public_field_definition", "field_definition", "property_signature", "pair")


class ScriptMemberVisitor(ScriptFunctionVisitor):
    """Visits whatever has members."""

    def __init__(self, builder: FactsBuilder, tree: ParsedTree) -> None:
        super().__init__(builder, tree)
        self.injected = ""
        """The decorator by which a container makes the class that is visited."""
        self.handlers |= dict.fromkeys(_CLASSES, self._class)
        self.handlers |= dict.fromkeys(_METHODS, self._stray_method)
        self.handlers |= {
            "enum_declaration": self._enum,
            "internal_module": self._namespace,
            "module": self._namespace,
        }

    def _class(self, node: Node, scope: int) -> int:
        builder = self.builder
        name = node.child_by_field_name("name")
        around = builder.add_scope(S.BLOCK, scope, NONE)
        self.type_parameters(node, around)
        name_id = self.name_of(name) if name else builder.name("")
        outer = around if node.type == "class" and name is not None else scope
        index = self.open_class(name_id, outer, around, self.place_of(node), S.CLASS)
        is_interface = node.type == "interface_declaration"
        if name is not None:
            occurrence = O.TYPE_DEFINITION if is_interface else O.DEFINITION
            # The name of a class expression is seen inside of it alone.
            seen_in = around if node.type == "class" else scope
            self.define(name, seen_in, B.CLASS, index, NONE, occurrence)
        bases = []
        decorators = list(decorators_before(node))
        for child in node.named_children:
            if child.type in ("class_heritage", "extends_type_clause"):
                bases += self._bases(child, around)
            elif child.type == "decorator":
                self.visit(child, scope)
                decorators.append(child)
        if name is not None and decorators:
            self.hand_over_decorated(decorators, name, scope)
        row = builder.classes[index]
        builder.classes[index] = row._replace(
            bases=builder.pool(bases), is_interface=int(is_interface)
        )
        body = node.child_by_field_name("body")
        if body is not None:
            before, self.injected = self.injected, self._injected(decorators)
            self.visit_members(body, index, around)
            self.injected = before
        return builder.expression(E.CLASS, index)

    def _injected(self, decorators: Iterable[Node]) -> str:
        """Return the decorator by which a container makes a class's objects; nothing for none."""
        for node in decorators:
            inner = node.named_children[0] if node.named_child_count else None
            name = self.callee_name(inner) if inner is not None else ""
            if name in INJECTED or (inner is not None and self.tree.text(inner) in INJECTED):
                return name or self.tree.text(node)[1:]
        return ""

    def _bases(self, node: Node, scope: int) -> list[int]:
        """Return the classes and interfaces that a class extends or implements."""
        rows: list[int] = []
        for child in node.named_children:
            if child.type in ("extends_clause", "implements_clause"):
                rows += self._bases(child, scope)
            elif child.type == "type_arguments" and rows:
                rows[-1] = self.applied(rows[-1], child, scope, E.SUBSCRIPT)
            else:
                rows.append(self.visit(child, scope, U.BASE))
        return [row for row in rows if row != NONE]

    def visit_members(self, node: Node, index: int, scope: int) -> list[int]:
        """Visit the members of a class, interface or object, and return what it also takes in."""
        row = self.builder.classes[index]
        before, around = self.class_scope, self.this_around
        self.class_scope, self.this_around = row.scope, before
        initial = self.builder.add_scope(S.BLOCK, row.scope, NONE)
        is_literal = node.type == "object"
        bases: list[int] = []
        decorators: list[Node] = []
        for child in node.named_children:
            if child.type == "decorator":
                self.visit(child, initial)
                decorators.append(child)
                continue
            member = child.child_by_field_name("name") if decorators else None
            if member is not None:
                self.hand_over_decorated(decorators, member, row.scope)
            decorators = []
            if child.type in _METHODS:
                first = self.builder.n_occurrences
                self._method(child, row.scope, O.KEY if is_literal else O.DEFINITION)
                self._constructed(child, first, index)
            elif child.type in _FIELDS:
                self._field(child, row.scope, initial, O.KEY if is_literal else O.DEFINITION)
            elif child.type == "shorthand_property_identifier":
                value = self.visit(child, scope, self.use_of_members)
                if self.use_of_members != U.EXPORT:
                    self.hand_over_value(child, self.tree.text(child))
                self.occurs(child, O.KEY, row.scope, NONE, U.KEY)
                self.builder.bind(
                    row.scope, self.name_of(child), B.ASSIGN, self.place_of(child), value,
                    effective=1, eval_scope=scope,
                )  # fmt: skip
            elif child.type in _SIGNATURES:
                self._signature(child, row.scope)
            else:
                value = self.visit(child, scope if is_literal else initial)
                if child.type in ("spread_element", "index_signature"):
                    bases.append(value)
                    self.visit_spread(child)
        self.class_scope, self.this_around = before, around
        return [base for base in bases if base != NONE]

    def _constructed(self, node: Node, first: int, index: int) -> None:
        """Note what a container gives to the constructor of a class that it makes."""
        name = node.child_by_field_name("name") if self.injected else None
        if name is not None and self.tree.text(name) == "constructor":
            self.hand_over_types(node, first, self.builder.classes[index].name, self.injected)

    def visit_spread(self, node: Node) -> None:
        """Note what an object literal takes in says beyond its value."""

    def _signature(self, node: Node, scope: int) -> None:
        """Bind ``new (...): T`` or ``(...): T`` in an interface."""
        name = self.builder.name(_SIGNATURES[node.type])
        index = self.add_function(node, scope, name)
        self.builder.bind(scope, name, B.FUNCTION, self.place_of(node), index, effective=1)

    def _method(self, node: Node, scope: int, occurrence: O = O.DEFINITION) -> None:
        name = node.child_by_field_name("name")
        words = {child.type for child in node.children}
        getter = self.builder.expression(E.NAME, self.builder.name("property"))
        decorators = (getter,) if "get" in words else ()
        index = self.add_function(node, scope, self.name_of(name) if name else NONE, decorators)
        if name is not None and name.type != "computed_property_name":
            self.define(name, scope, B.FUNCTION, index, NONE, occurrence)
        elif name is not None:
            self.visit_children(name, scope)

    def _stray_method(self, node: Node, scope: int) -> int:
        self._method(node, scope)
        return NONE

    def _field(self, node: Node, scope: int, initial: int, occurrence: O) -> None:
        name = node.child_by_field_name("name") or node.child_by_field_name("key")
        annotation = self.visit_field(node, "type", initial)
        value_node = node.child_by_field_name("value")
        use = self.use_of_members
        if value_node is not None and value_node.type == "function_expression":
            self.own_this = scope
        own = self.class_scope
        if occurrence == O.KEY:
            # Only functions of its own make an object literal what ``this`` is.
            self.class_scope = self.this_around
        key, self.key, self.bound_at = self.key, None, NONE
        if occurrence == O.KEY and name is not None:
            self.key = self.tree.text(name).strip("'\"")
        value = self.visit(value_node, initial, U.VALUE if occurrence == O.DEFINITION else use)
        if occurrence == O.KEY:
            self.hand_over_value(value_node if use != U.EXPORT else None, self.key)
        elif value_node is not None and name is not None and value_node.type in NAMED:
            self.builder.hand_over(H.SET, NONE, self.tree.text(name))
        self.key = key
        self.class_scope = own
        if name is None or name.type == "computed_property_name":
            self.visit(name, initial)
            return
        kind, values = (
            (B.ANNOTATED, (annotation, value)) if annotation != NONE else (B.ASSIGN, (value, NONE))
        )
        use = U.KEY if occurrence == O.KEY else U.DEFINITION
        name_id = self.occurs(name, occurrence, scope, NONE, use)
        place = self.place_of(name)
        self.builder.bind(
            scope, name_id, kind, place, *values, effective=1, eval_scope=initial, is_instance=True
        )

    def _enum(self, node: Node, scope: int) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            return NONE
        index = self.open_class(self.name_of(name), scope, scope, self.place_of(node), S.CLASS)
        self.define(name, scope, B.CLASS, index)
        inner = self.builder.classes[index].scope
        for child in body.named_children:
            member = child.child_by_field_name("name") if child.named_child_count else child
            if member is not None and member.type != "comment":
                self.define(member, inner, B.ASSIGN, self.visit_field(child, "value", inner))
        return NONE

    def _namespace(self, node: Node, scope: int) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None or name.type != "identifier":
            self.visit_children(node, scope)
            return NONE
        index = self.open_class(self.name_of(name), scope, scope, self.place_of(node), S.BLOCK)
        self.define(name, scope, B.CLASS, index)
        self.visit_children(body, self.builder.classes[index].scope)
        return NONE
