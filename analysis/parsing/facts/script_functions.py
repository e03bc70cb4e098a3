"""TypeScript's and JavaScript's functions, with their parameters and types, to rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, B, E, O, P, S, U
from analysis.parsing.facts.rows import FunctionRow, ParameterRow
from analysis.parsing.facts.script_types import ScriptTypeVisitor

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

_FUNCTIONS = (
    "function_declaration", "generator_function_declaration", "function_signature",
    "function_expression", "arrow_function", "generator_function", "function",
)  # fmt: skip


class ScriptFunctionVisitor(ScriptTypeVisitor):
    """Visits functions and types of functions."""

    def __init__(self, builder: FactsBuilder, tree: ParsedTree) -> None:
        super().__init__(builder, tree)
        self.handlers |= dict.fromkeys(_FUNCTIONS, self._function)
        self.handlers |= dict.fromkeys(("function_type", "constructor_type"), self._function_type)

    def _function(self, node: Node, scope: int) -> int:
        name = node.child_by_field_name("name")
        before, own_this = self.class_scope, self.own_this
        self.own_this = NONE
        if node.type != "arrow_function":
            is_made = name is not None and "expression" not in node.type
            self.class_scope = self.constructed(name, scope) if is_made and name else own_this
        index = self.add_function(node, scope, self.name_of(name) if name else NONE)
        self.class_scope = before
        if name is not None and "expression" not in node.type:
            self.define(name, scope, B.FUNCTION, index)
        elif name is not None:
            inner = self.builder.functions[index].scope
            self.define(name, inner, B.FUNCTION, index)
        return self.builder.expression(E.FUNCTION, index)

    def constructed(self, name: Node, scope: int) -> int:
        """Return the scope of the members of what a function makes, -1 if it makes nothing."""
        return NONE

    def first_function_in(self, node: Node) -> int | None:
        """Return the first function that was visited in a node, None if there is none."""
        start, end = self.place_of(node), self.end_of(node)
        found = None
        for index in range(len(self.builder.functions) - 1, -1, -1):
            place = self.builder.functions[index].place
            if place < start:
                break
            found = index if place < end else found
        return found

    def add_function(
        self, node: Node, scope: int, name: int, decorators: tuple[int, ...] = ()
    ) -> int:
        """Visit a function's parameters, types and body, and return its index."""
        builder = self.builder
        index = len(builder.functions)
        inner = builder.add_scope(S.FUNCTION, scope, index)
        place = self.place_of(node)
        row = FunctionRow(name, inner, scope, NONE, 0, 0, NONE, 0, 0, 0, 0, place)
        builder.functions.append(row)
        self.type_parameters(node, inner)
        rows = self._parameters(node, inner, index)
        field = "type" if node.type == "construct_signature" else "return_type"
        returns = self.visit_field(node, field, inner)
        table, self.table, key, self.key = self.table, NONE, self.key, None
        before, self.returns = self.returns, []
        body = node.child_by_field_name("body")
        around, self.builder.block_end = self.builder.block_end, self.end_of(node)
        if body is not None and body.type == "statement_block":
            self.visit_children(body, inner)
        elif body is not None:
            self.returns.append(self.visit(body, inner, use_of_returned(body)))
        values = [value for value in dict.fromkeys(self.returns) if value != NONE]
        self.returns, self.table, self.key = before, table, key
        self.builder.block_end = around
        builder.functions[index] = row._replace(
            parameters=builder.add_parameters(rows),
            parameter_count=len(rows),
            returns=returns,
            return_values=builder.pool(values),
            decorators=builder.pool(decorators),
        )
        return index

    def _parameters(self, node: Node, scope: int, function: int) -> list[ParameterRow]:
        """Bind a function's parameters and return their rows."""
        single = node.child_by_field_name("parameter")
        if single is not None:
            name = self.occurs(single, O.PARAMETER, scope, NONE, U.DEFINITION)
            place = self.place_of(single)
            self.builder.bind(scope, name, B.PARAMETER, place, function, 0, effective=1)
            return [ParameterRow(name, P.PLAIN, NONE, NONE)]
        rows: list[ParameterRow] = []
        parameters = node.child_by_field_name("parameters")
        for child in parameters.named_children if parameters is not None else ():
            if child.type == "comment":
                continue
            self._parameter(child, scope, function, rows)
        return rows

    def _parameter(self, node: Node, scope: int, function: int, rows: list[ParameterRow]) -> None:
        builder = self.builder
        pattern = node.child_by_field_name("pattern") or node.child_by_field_name("left") or node
        annotation = self.visit_field(node, "type", scope)
        default = node.child_by_field_name("value") or node.child_by_field_name("right")
        value = self.visit(default, scope)
        if pattern.type != "identifier":
            is_rest = pattern.type == "rest_pattern"
            inner = pattern.named_children[0] if is_rest and pattern.named_children else pattern
            if is_rest and inner.type == "identifier":
                pattern = inner
            else:
                part = builder.expression(E.PARAMETER, function, len(rows))
                self.bind_pattern(pattern, scope, part)
                rows.append(ParameterRow(NONE, P.PLAIN, annotation, value))
                return
        name = self.occurs(pattern, O.PARAMETER, scope, NONE, U.DEFINITION)
        place = self.place_of(pattern)
        builder.bind(scope, name, B.PARAMETER, place, function, len(rows), effective=1)
        rows.append(ParameterRow(name, P.PLAIN, annotation, value))
        if any(c.type in ("accessibility_modifier", "readonly") for c in node.children):
            self.occurs(pattern, O.DEFINITION, self.class_scope, NONE, U.DEFINITION)
            kind, first, second = B.ANNOTATED, annotation, value
            if annotation == NONE:
                unknown = builder.expression(E.UNKNOWN) if value == NONE else value
                kind, first, second = B.ASSIGN, unknown, NONE
            builder.bind(
                self.class_scope, name, kind, place, first, second,
                effective=1, eval_scope=scope, is_instance=True,
            )  # fmt: skip

    def type_parameters(self, node: Node, scope: int) -> None:
        """Bind what stands between the angle brackets of a declaration."""
        parameters = node.child_by_field_name("type_parameters")
        for child in parameters.named_children if parameters is not None else ():
            name_node = child.child_by_field_name("name")
            if name_node is None:
                continue
            bound = self.visit_field(child, "constraint", scope)
            default = self.visit_field(child, "value", scope)
            name = self.occurs(name_node, O.NAME, scope, NONE, U.DEFINITION)
            place = self.place_of(name_node)
            self.builder.bind(scope, name, B.TYPE_PARAMETER, place, bound, default, effective=1)

    def _function_type(self, node: Node, scope: int) -> int:
        index = self.add_function(node, scope, self.builder.name(""))
        return self.builder.expression(E.FUNCTION, index)


def use_of_returned(node: Node) -> U:
    """Return what is done with a returned value; the members of an object are given new names."""
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    return U.ALIAS if node.type == "object" else U.VALUE
