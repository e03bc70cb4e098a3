"""Types of TypeScript to rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, C, E, O, U
from analysis.parsing.facts.script_expressions import ScriptExpressionVisitor

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree


class ScriptTypeVisitor(ScriptExpressionVisitor):
    """Visits types."""

    def __init__(self, builder: FactsBuilder, tree: ParsedTree) -> None:
        super().__init__(builder, tree)
        self.handlers |= dict.fromkeys(("union_type", "intersection_type"), self._union)
        self.handlers |= {
            "type_identifier": self._type_identifier,
            "lookup_type": self._lookup,
            "type_query": self._type_of,
            "conditional_type": self._conditional,
            "tuple_type": self._tuple_type,
            "index_type_query": self._keys,
            "index_signature": self._index_signature,
            "generic_type": self._generic,
            "array_type": self._array_type,
        }

    def _type_identifier(self, node: Node, scope: int) -> int:
        return self.builder.expression(E.NAME, self.occurs(node, O.TYPE, scope, NONE, U.TYPE))

    def _union(self, node: Node, scope: int) -> int:
        rows = [self.visit(child, scope) for child in node.named_children]
        return self._folded([row for row in rows if row != NONE])

    def _folded(self, rows: list[int]) -> int:
        result = rows[0] if rows else self.builder.expression(E.UNKNOWN)
        for row in rows[1:]:
            result = self.builder.expression(E.UNION, result, row)
        return result

    def _lookup(self, node: Node, scope: int) -> int:
        owner, index = node.named_children[0], node.named_children[-1]
        key = index.named_children[0] if index.type == "literal_type" else index
        base = self.visit(owner, scope)
        if key.type == "string":
            name = self.occurs(key, O.LOOKUP, scope, base, U.TYPE)
            return self.builder.expression(E.LOOKUP, base, name)
        self.visit(index, scope)
        is_number = key.type == "predefined_type"
        return self.builder.expression(E.LOOKUP if is_number else E.UNKNOWN, base, NONE)

    def _type_of(self, node: Node, scope: int) -> int:
        self.use = U.TYPE
        return self.builder.expression(E.TYPE_OF, self.inside(node, scope))

    def _conditional(self, node: Node, scope: int) -> int:
        rows = [self.visit(child, scope) for child in node.named_children]
        return self._folded([row for row in rows[2:] if row != NONE])

    def _tuple_type(self, node: Node, scope: int) -> int:
        rows = []
        for child in node.named_children:
            if child.type == "optional_parameter":
                rows.append(self.visit_field(child, "type", scope))
            else:
                wraps = child.type in ("rest_type", "optional_type")
                rows.append(self.inside(child, scope) if wraps else self.visit(child, scope))
        known = self.builder.pool([row for row in rows if row != NONE])
        base = self.builder.expression(E.NAME, self.builder.name("tuple"))
        return self.builder.expression(E.SUBSCRIPT, base, self.builder.expression(E.TUPLE, known))

    def _index_signature(self, node: Node, scope: int) -> int:
        """Return the type whose members a mapped type has; -1 for any other signature."""
        rows = [self.visit(child, scope) for child in node.named_children]
        is_mapped = bool(rows) and node.named_children[0].type == "mapped_type_clause"
        return rows[0] if is_mapped else NONE

    def _keys(self, node: Node, scope: int) -> int:
        self.visit_children(node, scope)
        return self.builder.expression(E.CONSTANT, C.OTHER)

    def _generic(self, node: Node, scope: int) -> int:
        base = self.visit_field(node, "name", scope)
        arguments = node.child_by_field_name("type_arguments")
        return base if arguments is None else self.applied(base, arguments, scope, E.SUBSCRIPT)

    def _array_type(self, node: Node, scope: int) -> int:
        array = self.builder.expression(E.NAME, self.builder.name("Array"))
        return self.builder.expression(E.SUBSCRIPT, array, self.inside(node, scope))
