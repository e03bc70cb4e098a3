"""TypeScript's and JavaScript's declarations and statements to rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, B, E, O, S
from analysis.parsing.facts.script_members import ScriptMemberVisitor

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree


class ScriptStatementVisitor(ScriptMemberVisitor):
    """Visits a module's statements."""

    def __init__(self, builder: FactsBuilder, tree: ParsedTree) -> None:
        super().__init__(builder, tree)
        self.handlers |= {
            "type_alias_declaration": self._alias,
            "variable_declarator": self._variable,
            "statement_block": self._block,
            "for_in_statement": self._for_in,
            "catch_clause": self._catch,
            "return_statement": self._return,
            "assignment_expression": self._assignment,
            "mapped_type_clause": self._mapped,
            "infer_type": self._infer,
            "type_predicate": self._predicate,
        }

    def _block(self, node: Node, scope: int) -> int:
        inner = self.builder.add_scope(S.BLOCK, scope, NONE)
        self.visit_children(node, inner)
        return NONE

    def _alias(self, node: Node, scope: int) -> int:
        name = node.child_by_field_name("name")
        inner = self.builder.add_scope(S.BLOCK, scope, NONE)
        self.type_parameters(node, inner)
        value = self.visit_field(node, "value", inner)
        if name is not None:
            name_id = self.occurs(name, O.TYPE_DEFINITION, scope)
            self.builder.bind(
                scope, name_id, B.ALIAS, self.place_of(name), value, effective=1, eval_scope=inner
            )
        return NONE

    def _variable(self, node: Node, scope: int) -> int:
        name = node.child_by_field_name("name")
        annotation = self.visit_field(node, "type", scope)
        value = self.visit_field(node, "value", scope)
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
        value = self.visit_field(node, "right", scope)
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
            row = self.visit(child, scope)
            if self.returns is not None:
                self.returns.append(row)
        return NONE

    def _assignment(self, node: Node, scope: int) -> int:
        left = node.child_by_field_name("left")
        value = self.visit_field(node, "right", scope)
        if left is None:
            return value
        if left.type in ("object_pattern", "array_pattern"):
            self.visit_children(left, scope)
            return value
        target = self.visit(left, scope)
        owner = left.child_by_field_name("object")
        last = left.child_by_field_name("property")
        if owner is None or last is None or target == NONE:
            return value
        self.builder.expression(E.ASSIGNED, target, value)
        name, place = self.name_of(last), self.place_of(last)
        if owner.type == "this" and self.class_scope != NONE:
            self.builder.bind(
                self.class_scope, name, B.ASSIGN, place, value, eval_scope=scope, is_instance=True
            )
        elif self.tree.text(owner) in ("exports", "module.exports"):
            self.occurs(last, O.DEFINITION, 0)
            self.builder.bind(0, name, B.EXPORT, place, value, effective=1)
        elif self.tree.text(left) == "module.exports":
            self.builder.bind(0, self.builder.name("default"), B.EXPORT, place, value, effective=1)
        return value

    def _mapped(self, node: Node, scope: int) -> int:
        name = node.child_by_field_name("name")
        if name is not None:
            name_id = self.occurs(name, O.NAME, scope)
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
            name_id = self.occurs(first, O.NAME, scope)
            self.builder.bind(scope, name_id, B.TYPE_PARAMETER, self.place_of(first), effective=1)
        return self.builder.expression(E.UNKNOWN)

    def _predicate(self, node: Node, scope: int) -> int:
        self.visit_children(node, scope)
        return self.builder.expression(E.UNKNOWN)
