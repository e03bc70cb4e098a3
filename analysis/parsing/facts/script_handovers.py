"""What scripts hand on by name: arguments, tables, decorators, events, injected types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, E, H, O
from analysis.parsing.facts.rows import Handover
from analysis.parsing.facts.script_comments import ScriptCommentVisitor

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

_SENDING = frozenset({"emit", "trigger", "fire", "publish", "emitAsync"})
INJECTED = frozenset(
    {"Injectable", "Component", "Directive", "Pipe", "Controller", "Resolver", "NgModule"}
    | {"Module", "WebSocketGateway", "Catch", "injectable", "autoInjectable", "singleton"}
)
"""Decorators of classes whose constructors are given what their parameters' types say."""
NAMED = frozenset({"identifier", "member_expression"})
"""Nodes that are a name."""
TABLES = frozenset({"object", "array", "as_expression", "satisfies_expression", "new_expression"})
"""Nodes that may be a table of values."""
HANDED = NAMED | {"call_expression"}
"""Nodes that may be a name that is handed on."""


class ScriptHandoverVisitor(ScriptCommentVisitor):
    """Notes what is handed on; the layers above it call it where they visit expressions."""

    def __init__(self, builder: FactsBuilder, tree: ParsedTree) -> None:
        super().__init__(builder, tree)
        self.table = NONE
        """The table whose values are visited, as an expression."""
        self.key: str | None = None
        """The key under which they stand in it."""
        self.is_map = False
        """Whether the lists that are visited are pairs of key and value."""
        self.bound_at = NONE
        """Which identifier ``f.bind(x)`` was visited for last."""

    def hand_over_argument(self, node: Node, to: int, label: str | None) -> None:
        """Note an argument that was visited, if it is a name, or a method bound to an object."""
        if node.type in NAMED:
            self.builder.hand_over(H.ARGUMENT, to, label)
        elif self.bound_at != NONE and node.type == "call_expression":
            self.builder.hand_over(H.ARGUMENT, to, label, self.bound_at)

    def hand_over_value(self, node: Node | None, label: str | None) -> None:
        """Note a value in an object literal that was visited, if it is a name."""
        if node is None:
            return
        if node.type in NAMED or node.type == "shorthand_property_identifier":
            self.builder.hand_over(H.ENTRY, self.table, label)
        elif self.bound_at != NONE and node.type == "call_expression":
            self.builder.hand_over(H.ENTRY, self.table, label, self.bound_at)

    def hand_over_item(self, node: Node) -> None:
        """Note an element of a list that was visited, if it is a name and the list has one."""
        if node.type not in NAMED:
            return
        if self.is_map:
            first = node.prev_named_sibling
            label = self.string(first) if first is not None else None
            if label is not None:
                self.builder.hand_over(H.ENTRY, self.table, label)
        elif self.table != NONE or self.key is not None:
            self.builder.hand_over(H.ITEM, self.table, self.key)

    def hand_over_assigned(self, node: Node | None, left: Node) -> None:
        """Note ``table[key] = f`` and ``x.y = f``, after ``f`` was visited."""
        if node is None or node.type not in HANDED:
            return
        at = -1 if node.type in NAMED else self.bound_at
        if node.type not in NAMED and at == NONE:
            return
        if left.type == "member_expression":
            self.builder.hand_over(H.SET, NONE, self.tree.text(left), at)
            return
        owner, index = left.child_by_field_name("object"), left.child_by_field_name("index")
        if owner is not None and index is not None:
            key = self.string(index) if index.type == "string" else self.tree.text(index)
            self.builder.hand_over(H.STORED, self.row_named(owner), key, at)

    def hand_over_event(self, node: Node, to: int, called: str, scope: int) -> None:
        """Note the first string of a call that sends an event."""
        text = self.string(node)
        name = self.builder.text(text)
        if called in _SENDING and name != NONE:
            at = self.place_of(node)
            line = node.start_point.row + 1
            row = Handover(name, at, H.SENT, to, NONE, NONE, scope, line)
            self.builder.hand_over_text(row)

    def hand_over_decorated(
        self, nodes: list[Node], name: Node, scope: int, kind: H = H.DECORATED
    ) -> None:
        """Note the decorators of a definition, after they were visited.

        Args:
            nodes: The decorators.
            name: The definition's name.
            scope: Where they stand.
            kind: How to note it.
        """
        for node in nodes:
            inner = node.named_children[0] if node.named_child_count else None
            label = detail = None
            if inner is not None and inner.type == "call_expression":
                arguments = inner.child_by_field_name("arguments")
                children = arguments.named_children if arguments is not None else []
                label = next((t for c in children if (t := self.string(c)) is not None), None)
                if label is None and children and children[0].type in NAMED:
                    detail = self.tree.text(children[0])
                inner = inner.child_by_field_name("function")
            if inner is None or inner.type not in NAMED:
                continue
            row = Handover(
                self.name_of(name), self.place_of(name), kind, self.row_named(inner),
                self.builder.text(label), self.builder.text(detail), scope,
                node.start_point.row + 1,
            )  # fmt: skip
            self.builder.hand_over_text(row)

    def hand_over_types(self, constructor: Node, first: int, cls: int, decorator: str) -> None:
        """Note the types of a constructor's parameters: a container makes objects of them.

        Args:
            constructor: It was visited.
            first: How many identifiers were noted before that.
            cls: The name of its class.
            decorator: The decorator that says that a container makes it.
        """
        parameters = constructor.child_by_field_name("parameters")
        children = parameters.named_children if parameters is not None else []
        types = [child.child_by_field_name("type") for child in children]
        places = {self._place_of_type(node) for node in types if node is not None}
        label = self.builder.text_of(cls)
        for index in range(first, self.builder.n_occurrences):
            if self.builder.is_at(index, O.TYPE, places):
                self.builder.hand_over(H.INJECTED, NONE, at=index, later=lambda: (label, decorator))

    def _place_of_type(self, annotation: Node) -> int:
        """Return where the name of an annotated type stands, 0 if it has none."""
        node = annotation.named_children[0] if annotation.named_child_count else annotation
        if node.type == "generic_type":
            node = node.named_children[0]
        return self.place_of(node) if node.type == "type_identifier" else 0

    def row_named(self, node: Node) -> int:
        """Return the row of a dotted name, -1 for any other expression."""
        if node.type in ("identifier", "property_identifier"):
            return self.builder.expression(E.NAME, self.name_of(node))
        if node.type == "this":
            return self.builder.expression(E.THIS, NONE, self.class_scope)
        if node.type == "member_expression":
            owner, last = node.child_by_field_name("object"), node.child_by_field_name("property")
            before = self.row_named(owner) if owner is not None else NONE
            if before != NONE and last is not None:
                return self.builder.expression(E.ATTRIBUTE, before, self.name_of(last))
        return NONE

    def string(self, node: Node) -> str | None:
        """Return what a string literal holds; None for any other expression."""
        return self.tree.text(node)[1:-1] if node.type == "string" else None


def decorators_before(node: Node) -> Iterator[Node]:
    """Yield the decorators right before a node, the last one first."""
    before = node.prev_named_sibling
    while before is not None and before.type == "decorator":
        yield before
        before = before.prev_named_sibling
