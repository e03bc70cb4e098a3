"""What visiting TypeScript's and JavaScript's syntax trees shares: text, places, dispatch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, B, E, O, S, U
from analysis.parsing.facts.rows import ClassRow, position

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

Handler = Callable[["Node", int], int]


class ScriptTreeVisitor:
    """Dispatches on the type of node; the layers above it add handlers."""

    def __init__(self, builder: FactsBuilder, tree: ParsedTree) -> None:
        self.builder = builder
        self.tree = tree
        self.handlers: dict[str, Handler] = {}
        self.returns: list[int] | None = None
        """Values returned by the function that is being visited."""
        self.this_around = NONE
        """The scope of the members of ``this`` around the class or object that is visited."""
        self.own_this = NONE
        """The scope of the members of ``this`` in the function that is visited next."""
        self.use = U.VALUE
        """What is done with the expression whose handler is called next."""
        self.class_scope = NONE
        """The scope of the class that ``this`` is an object of."""

    def forget(self) -> None:
        """Let go of the tree at once: the handlers and the visitor hold each other."""
        self.handlers.clear()

    def visit(self, node: Node | None, scope: int, use: U = U.VALUE) -> int:
        """Note the identifiers below a node and return its row.

        Args:
            node: The expression, type or statement.
            scope: The scope in which it stands.
            use: What is done with its value.
        """
        if node is None:
            return NONE
        self.use = use
        handler = self.handlers.get(node.type)
        if handler is not None:
            return handler(node, scope)
        for child in node.named_children:
            self.visit(child, scope)
        return self.builder.expression(E.UNKNOWN)

    def visit_children(self, node: Node, scope: int, use: U = U.VALUE) -> None:
        """Visit all children of a node."""
        for child in node.named_children:
            self.visit(child, scope, use)

    def visit_field(self, node: Node, field: str, scope: int, use: U = U.VALUE) -> int:
        """Visit the child in a field; -1 if there is none."""
        return self.visit(node.child_by_field_name(field), scope, use)

    def name_of(self, node: Node) -> int:
        """Return the name a node spells."""
        return self.builder.name(self.tree.text(node).strip("'\""))

    def place_of(self, node: Node) -> int:
        """Return the position at which a node starts."""
        return position(node.start_point.row + 1, self.tree.column(node.start_point))

    def end_of(self, node: Node) -> int:
        """Return the position after a node."""
        return position(node.end_point.row + 1, self.tree.column(node.end_point))

    def occurs(
        self, node: Node, kind: O, scope: int, reference: int = NONE, use: U = U.VALUE
    ) -> int:
        """Note an identifier and return its name."""
        name = self.name_of(node)
        column = self.tree.column(node.start_point) + (node.type == "string")
        self.builder.occurs(name, node.start_point.row + 1, column, kind, scope, reference, use)
        return name

    def define(
        self,
        node: Node,
        scope: int,
        kind: B,
        a: int = NONE,
        b: int = NONE,
        occurrence: O = O.DEFINITION,
    ) -> int:
        """Note a definition's name and bind it."""
        use = U.KEY if occurrence == O.KEY else U.DEFINITION
        name = self.occurs(node, occurrence, scope, NONE, use)
        self.builder.bind(scope, name, kind, self.place_of(node), a, b, effective=1)
        return name

    def open_class(self, name: int, outer: int, parent: int, place: int, kind: S) -> int:
        """Open a class, interface, enum, namespace or object and return its index."""
        builder = self.builder
        index = len(builder.classes)
        inner = builder.add_scope(kind, parent, index)
        builder.classes.append(ClassRow(name, inner, outer, 0, 0, 0, place, 0))
        return index
