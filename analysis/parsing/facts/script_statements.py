"""TypeScript's and JavaScript's declarations and statements to rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, B, E, O, S, U
from analysis.parsing.facts.script_functions import use_of_returned
from analysis.parsing.facts.script_handovers import TABLES
from analysis.parsing.facts.script_members import ScriptMemberVisitor

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree


class ScriptStatementVisitor(ScriptMemberVisitor):
    """Visits a module's statements."""

    def __init__(self, builder: FactsBuilder, tree: ParsedTree) -> None:
        super().__init__(builder, tree)
        self.assigned = NONE
        """The value of the last assignment to a member."""
        self.handlers |= {
            "type_alias_declaration": self._alias,
            "variable_declarator": self._variable,
            "statement_block": self._block,
            "for_in_statement": self._for_in,
            "catch_clause": self._catch,
            "return_statement": self._return,
            "assignment_expression": self._assignment,
            "augmented_assignment_expression": self._augmented,
            "mapped_type_clause": self._mapped,
            "infer_type": self._infer,
            "type_predicate": self._predicate,
        }

    def _block(self, node: Node, scope: int) -> int:
        inner = self.builder.add_scope(S.BLOCK, scope, NONE)
        before, self.builder.block_end = self.builder.block_end, self.end_of(node)
        self.visit_children(node, inner)
        self.builder.block_end = before
        return NONE

    def _alias(self, node: Node, scope: int) -> int:
        name = node.child_by_field_name("name")
        inner = self.builder.add_scope(S.BLOCK, scope, NONE)
        self.type_parameters(node, inner)
        value = self.visit_field(node, "value", inner)
        if name is not None:
            name_id = self.occurs(name, O.TYPE_DEFINITION, scope, NONE, U.DEFINITION)
            self.builder.bind(
                scope, name_id, B.ALIAS, self.place_of(name), value, effective=1, eval_scope=inner
            )
        return NONE

    def _variable(self, node: Node, scope: int) -> int:
        name = node.child_by_field_name("name")
        annotation = self.visit_field(node, "type", scope)
        if self.bind_required(node, scope):
            return NONE
        is_name = name is not None and name.type == "identifier"
        inner = node.child_by_field_name("value")
        if is_name and name is not None and inner is not None and inner.type in TABLES:
            self.table = self.row_named(name)
        value = self.visit(inner, scope, U.ALIAS if is_name else U.READ)
        self.table = NONE
        if name is None:
            return NONE
        if name.type == "identifier" and annotation != NONE:
            self.define(name, scope, B.ANNOTATED, annotation, value)
        elif name.type == "identifier":
            self.define(name, scope, B.ASSIGN, value)
        else:
            typed = self.builder.expression(E.CAST, annotation, value)
            self.bind_pattern(name, scope, value if annotation == NONE else typed)
        return NONE

    def _for_in(self, node: Node, scope: int) -> int:
        inner = self.builder.add_scope(S.BLOCK, scope, NONE)
        value = self.visit_field(node, "right", scope, U.READ)
        left = node.child_by_field_name("left")
        operator = node.child_by_field_name("operator")
        is_of = operator is not None and operator.type == "of"
        if left is not None:
            self.bind_pattern(left, inner, value if is_of else NONE, B.FOR)
        self.visit_field(node, "body", inner)
        return NONE

    def _catch(self, node: Node, scope: int) -> int:
        inner = self.builder.add_scope(S.BLOCK, scope, NONE)
        parameter = node.child_by_field_name("parameter")
        if parameter is not None:
            self.bind_pattern(parameter, inner, NONE)
        self.visit_field(node, "body", inner)
        return NONE

    def _return(self, node: Node, scope: int) -> int:
        for child in node.named_children:
            row = self.visit(child, scope, use_of_returned(child))
            if self.returns is not None:
                self.returns.append(row)
        return NONE

    def _assignment(self, node: Node, scope: int) -> int:
        left = node.child_by_field_name("left")
        if left is None:
            return self.visit_field(node, "right", scope)
        if left.type in ("object_pattern", "array_pattern"):
            value = self.visit_field(node, "right", scope, U.READ)
            self.bind_pattern(left, scope, value)
            return value
        if self.assign_member(node, left, scope):
            return self.assigned
        is_name = left.type == "identifier"
        right = node.child_by_field_name("right")
        self.bound_at = NONE
        value = self.visit(right, scope, U.ALIAS if is_name else U.VALUE)
        if not is_name:
            self.hand_over_assigned(right, left)
        self.visit(left, scope, U.WRITE)
        if is_name:
            self.builder.reassign(scope, self.name_of(left), self.place_of(left), value)
        return value

    def _augmented(self, node: Node, scope: int) -> int:
        self.visit_field(node, "left", scope, U.WRITE)
        return self.visit_field(node, "right", scope)

    def bind_required(self, node: Node, scope: int) -> bool:
        """Bind what a declaration takes from ``require("x")``; False if it is no such one."""
        raise NotImplementedError

    def assign_member(self, node: Node, left: Node, scope: int) -> bool:
        """Note ``a.b = value``; False if the left side is no member."""
        raise NotImplementedError

    def _mapped(self, node: Node, scope: int) -> int:
        name = node.child_by_field_name("name")
        if name is not None:
            name_id = self.occurs(name, O.NAME, scope, NONE, U.DEFINITION)
            self.builder.bind(scope, name_id, B.TYPE_PARAMETER, self.place_of(name), effective=1)
        keys = node.child_by_field_name("type")
        is_query = keys is not None and keys.type == "index_type_query"
        inner = keys.named_children[0] if is_query and keys is not None else keys
        mapped = self.visit(inner, scope)
        self.visit_field(node, "alias", scope)
        return mapped if is_query else self.builder.expression(E.UNKNOWN)

    def _infer(self, node: Node, scope: int) -> int:
        first = node.named_children[0] if node.named_children else None
        if first is not None and first.type == "type_identifier":
            name_id = self.occurs(first, O.NAME, scope, NONE, U.DEFINITION)
            self.builder.bind(scope, name_id, B.TYPE_PARAMETER, self.place_of(first), effective=1)
        return self.builder.expression(E.UNKNOWN)

    def _predicate(self, node: Node, scope: int) -> int:
        self.visit_children(node, scope)
        return self.builder.expression(E.UNKNOWN)
