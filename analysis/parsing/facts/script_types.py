"""Types and expressions of TypeScript and JavaScript to rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import ANYTHING, NONE, B, C, E, O, S
from analysis.parsing.facts.script_base import ScriptTreeVisitor

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

_INSIDE = (
    "parenthesized_expression", "non_null_expression", "type_annotation",
    "parenthesized_type", "readonly_type", "opting_type_annotation", "constraint", "default_type",
    "jsx_expression", "expression_statement", "asserts_annotation", "type_predicate_annotation",
)  # fmt: skip
_CONSTANTS = (
    "number", "string", "template_string", "true", "false", "null", "undefined", "regex",
    "predefined_type", "literal_type", "template_literal_type",
)  # fmt: skip


class ScriptExpressionVisitor(ScriptTreeVisitor):
    """Visits types and expressions."""

    def __init__(self, builder: FactsBuilder, tree: ParsedTree) -> None:
        super().__init__(builder, tree)
        self.handlers |= dict.fromkeys(_INSIDE, self._inside)
        self.handlers |= dict.fromkeys(_CONSTANTS, self._constant)
        self.handlers |= dict.fromkeys(("union_type", "intersection_type"), self._union)
        self.handlers |= dict.fromkeys(("object", "object_type"), self._object)
        self.handlers |= {
            "identifier": self._identifier,
            "shorthand_property_identifier": self._identifier,
            "type_identifier": self._type_identifier,
            "this": self._this,
            "this_type": self._this,
            "member_expression": self._member,
            "nested_type_identifier": self._member,
            "nested_identifier": self._member,
            "call_expression": self._call,
            "new_expression": self._new,
            "subscript_expression": self._subscript,
            "lookup_type": self._lookup,
            "await_expression": self._await,
            "spread_element": self._spread,
            "as_expression": self._cast,
            "satisfies_expression": self._cast,
            "type_query": self._type_of,
            "conditional_type": self._conditional,
            "tuple_type": self._tuple_type,
            "index_type_query": self._keys,
            "index_signature": self._index_signature,
            "ternary_expression": self._ternary,
            "binary_expression": self._binary,
            "array": self._array,
            "generic_type": self._generic,
            "array_type": self._array_type,
            "jsx_attribute": self._jsx_attribute,
            "property_identifier": self._nothing,
            "comment": self._nothing,
        }

    def _nothing(self, node: Node, scope: int) -> int:
        return NONE

    def _inside(self, node: Node, scope: int) -> int:
        rows = [self.visit(child, scope) for child in node.named_children]
        rows = [row for row in rows if row != NONE]
        return rows[0] if rows else self.builder.expression(E.UNKNOWN)

    def _constant(self, node: Node, scope: int) -> int:
        self.visit_children(node, scope)
        if node.type == "predefined_type" and self.tree.text(node) in ("any", "unknown", "object"):
            return self.builder.expression(E.UNKNOWN, ANYTHING)
        kind = C.NONE if node.type in ("null", "undefined") else C.OTHER
        return self.builder.expression(E.CONSTANT, kind)

    def _identifier(self, node: Node, scope: int) -> int:
        return self.builder.expression(E.NAME, self.occurs(node, O.NAME, scope))

    def _type_identifier(self, node: Node, scope: int) -> int:
        return self.builder.expression(E.NAME, self.occurs(node, O.TYPE, scope))

    def _this(self, node: Node, scope: int) -> int:
        return self.builder.expression(E.THIS, NONE, self.class_scope)

    def _union(self, node: Node, scope: int) -> int:
        rows = [self.visit(child, scope) for child in node.named_children]
        return self._folded([row for row in rows if row != NONE])

    def _folded(self, rows: list[int]) -> int:
        result = rows[0] if rows else self.builder.expression(E.UNKNOWN)
        for row in rows[1:]:
            result = self.builder.expression(E.UNION, result, row)
        return result

    def _member(self, node: Node, scope: int) -> int:
        base_node = node.child_by_field_name("object") or node.child_by_field_name("module")
        last = node.child_by_field_name("property") or node.child_by_field_name("name")
        base = self.visit(base_node, scope)
        if last is None:
            return self.builder.expression(E.UNKNOWN)
        is_type = node.type == "nested_type_identifier"
        name = self.occurs(last, O.TYPE_ATTRIBUTE if is_type else O.ATTRIBUTE, scope, base)
        return self.builder.expression(E.ATTRIBUTE, base, name)

    def _call(self, node: Node, scope: int) -> int:
        function = node.child_by_field_name("function")
        required = self._required(node, function)
        if required is not None:
            return self.builder.expression(E.REQUIRE, self.builder.name(required))
        callee = self._generic_callee(node, self.visit(function, scope), scope)
        return self.builder.expression(E.CALL, callee, self._arguments(node, scope))

    def _generic_callee(self, node: Node, callee: int, scope: int) -> int:
        """Return a called expression with the types that it is called with."""
        types = node.child_by_field_name("type_arguments")
        return callee if types is None else self.applied(callee, types, scope, E.APPLIED)

    def _required(self, node: Node, function: Node | None) -> str | None:
        """Return the module that ``require("x")`` or ``import("x")`` names."""
        arguments = node.child_by_field_name("arguments")
        if function is None or arguments is None or arguments.named_child_count != 1:
            return None
        if self.tree.text(function) not in ("require", "import"):
            return None
        argument = arguments.named_children[0]
        return self.tree.text(argument)[1:-1] if argument.type == "string" else None

    def _arguments(self, node: Node, scope: int) -> int:
        arguments = node.child_by_field_name("arguments")
        children = arguments.named_children if arguments is not None else []
        rows = [self.visit(child, scope) for child in children if child.type != "comment"]
        return self.builder.pool([row for row in rows if row != NONE], 4)

    def _new(self, node: Node, scope: int) -> int:
        cls = self._generic_callee(node, self.visit_field(node, "constructor", scope), scope)
        return self.builder.expression(E.NEW, cls, self._arguments(node, scope))

    def _subscript(self, node: Node, scope: int) -> int:
        base = self.visit_field(node, "object", scope)
        index = node.child_by_field_name("index") or node
        if index.type == "string":
            name = self.occurs(index, O.ATTRIBUTE, scope, base)
            return self.builder.expression(E.ATTRIBUTE, base, name)
        return self.builder.expression(E.SUBSCRIPT, base, self.visit(index, scope))

    def _lookup(self, node: Node, scope: int) -> int:
        owner, index = node.named_children[0], node.named_children[-1]
        key = index.named_children[0] if index.type == "literal_type" else index
        base = self.visit(owner, scope)
        if key.type == "string":
            name = self.occurs(key, O.LOOKUP, scope, base)
            return self.builder.expression(E.LOOKUP, base, name)
        self.visit(index, scope)
        is_number = key.type == "predefined_type"
        return self.builder.expression(E.LOOKUP if is_number else E.UNKNOWN, base, NONE)

    def _type_of(self, node: Node, scope: int) -> int:
        return self.builder.expression(E.TYPE_OF, self._inside(node, scope))

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
                rows.append(self._inside(child, scope) if wraps else self.visit(child, scope))
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

    def _await(self, node: Node, scope: int) -> int:
        return self.builder.expression(E.AWAIT, self._inside(node, scope))

    def _spread(self, node: Node, scope: int) -> int:
        return self.builder.expression(E.STAR, self._inside(node, scope))

    def _cast(self, node: Node, scope: int) -> int:
        rows = [self.visit(child, scope) for child in node.named_children]
        if len(rows) < 2:
            return rows[0] if rows else self.builder.expression(E.UNKNOWN)
        kind = E.CAST if node.type == "as_expression" else E.SATISFIES
        return self.builder.expression(kind, rows[1], rows[0])

    def _ternary(self, node: Node, scope: int) -> int:
        self.visit_field(node, "condition", scope)
        rows = [self.visit_field(node, field, scope) for field in ("consequence", "alternative")]
        return self.builder.expression(E.CHOICE, self.builder.pool(rows))

    def _binary(self, node: Node, scope: int) -> int:
        rows = [self.visit_field(node, field, scope) for field in ("left", "right")]
        operator = node.child_by_field_name("operator")
        if operator is not None and operator.type in ("||", "??"):
            return self.builder.expression(E.CHOICE, self.builder.pool(rows))
        if operator is not None and operator.type == "&&":
            return rows[1]
        return self.builder.expression(E.CONSTANT, C.OTHER)

    def _array(self, node: Node, scope: int) -> int:
        rows = [self.visit(child, scope) for child in node.named_children]
        known = list(dict.fromkeys(row for row in rows if row != NONE))
        return self.builder.expression(E.LIST, self.builder.pool(known, 4))

    def _generic(self, node: Node, scope: int) -> int:
        base = self.visit_field(node, "name", scope)
        arguments = node.child_by_field_name("type_arguments")
        return base if arguments is None else self.applied(base, arguments, scope, E.SUBSCRIPT)

    def applied(self, base: int, types: Node, scope: int, kind: E) -> int:
        """Return a type or function with the types that stand for its type parameters."""
        rows = [self.visit(child, scope) for child in types.named_children]
        unknown = self.builder.expression(E.UNKNOWN)
        known = self.builder.pool([unknown if row == NONE else row for row in rows])
        return self.builder.expression(kind, base, self.builder.expression(E.TUPLE, known))

    def _array_type(self, node: Node, scope: int) -> int:
        array = self.builder.expression(E.NAME, self.builder.name("Array"))
        return self.builder.expression(E.SUBSCRIPT, array, self._inside(node, scope))

    def _jsx_attribute(self, node: Node, scope: int) -> int:
        for child in node.named_children[1:]:
            self.visit(child, scope)
        return NONE

    def _object(self, node: Node, scope: int) -> int:
        """Visit an object, a class without a name; a mapped type is taken for what it maps."""
        first = node.named_children[0] if node.named_child_count == 1 else None
        if first is not None and first.type == "index_signature":
            mapped = self.visit(first, scope)
            if mapped != NONE:
                return mapped
        name = self.builder.name("")
        index = self.open_class(name, scope, scope, self.place_of(node), S.CLASS)
        bases = self.visit_members(node, index, scope)
        row = self.builder.classes[index]
        self.builder.classes[index] = row._replace(bases=self.builder.pool(bases))
        return self.builder.expression(E.OBJECT, index)

    def visit_members(self, node: Node, index: int, scope: int) -> list[int]:
        """Visit the members of a class, interface or object; the layer above knows how."""
        raise NotImplementedError

    def bind_pattern(self, pattern: Node, scope: int, value: int, kind: B = B.ASSIGN) -> None:
        """Bind the names in a pattern to (parts of) a value."""
        builder = self.builder
        if pattern.type in ("identifier", "shorthand_property_identifier_pattern"):
            name = self.occurs(pattern, O.NAME, scope)
            place = self.place_of(pattern)
            if pattern.type != "identifier":
                self.occurs(pattern, O.ATTRIBUTE, scope, value)
                value = builder.expression(E.ATTRIBUTE, value, name)
                kind = B.ASSIGN
            builder.bind(scope, name, kind, place, value, effective=1)
        elif pattern.type == "pair_pattern":
            key = pattern.child_by_field_name("key")
            inner = pattern.child_by_field_name("value")
            if key is not None and inner is not None:
                name = self.occurs(key, O.ATTRIBUTE, scope, value)
                self.bind_pattern(inner, scope, builder.expression(E.ATTRIBUTE, value, name))
        elif pattern.type in ("assignment_pattern", "object_assignment_pattern"):
            left = pattern.child_by_field_name("left")
            if left is not None:
                self.bind_pattern(left, scope, value, kind)
            self.visit_field(pattern, "right", scope)
        elif pattern.type == "array_pattern":
            for number, child in enumerate(pattern.named_children):
                index = builder.expression(E.CONSTANT, C.INT)
                part = builder.expression(E.SUBSCRIPT, value, index) if number < 8 else NONE
                self.bind_pattern(child, scope, part)
        elif pattern.type in ("object_pattern", "rest_pattern"):
            rest = pattern.type == "rest_pattern"
            for child in pattern.named_children:
                self.bind_pattern(child, scope, NONE if rest else value, kind)
        else:
            self.visit(pattern, scope)
