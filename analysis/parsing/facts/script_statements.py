"""TypeScript's and JavaScript's declarations, modules and statements to rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, B, E, O, P, S
from analysis.parsing.facts.rows import FunctionRow, ParameterRow
from analysis.parsing.facts.script_types import ScriptExpressionVisitor

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

_FUNCTIONS = (
    "function_declaration", "generator_function_declaration", "function_signature",
    "function_expression", "arrow_function", "generator_function", "function",
)  # fmt: skip
_CLASSES = ("class_declaration", "abstract_class_declaration", "class", "interface_declaration")
_METHODS = ("method_definition", "method_signature", "abstract_method_signature")
_FIELDS = ("public_field_definition", "field_definition", "property_signature", "pair")


class ScriptStatementVisitor(ScriptExpressionVisitor):
    """Visits a module's statements."""

    def __init__(self, builder: FactsBuilder, tree: ParsedTree) -> None:
        super().__init__(builder, tree)
        self.handlers |= dict.fromkeys(_FUNCTIONS, self._function)
        self.handlers |= dict.fromkeys(_CLASSES, self._class)
        self.handlers |= dict.fromkeys(_METHODS, self._stray_method)
        self.handlers |= {
            "enum_declaration": self._enum,
            "internal_module": self._namespace,
            "module": self._namespace,
            "type_alias_declaration": self._alias,
            "variable_declarator": self._variable,
            "statement_block": self._block,
            "for_in_statement": self._for_in,
            "catch_clause": self._catch,
            "return_statement": self._return,
            "assignment_expression": self._assignment,
            "function_type": self._function_type,
            "constructor_type": self._function_type,
            "mapped_type_clause": self._mapped,
            "infer_type": self._infer,
            "type_predicate": self._predicate,
        }

    def _block(self, node: Node, scope: int) -> int:
        inner = self.builder.add_scope(S.BLOCK, scope, NONE)
        self.visit_children(node, inner)
        return NONE

    def _function(self, node: Node, scope: int) -> int:
        name = node.child_by_field_name("name")
        index = self._add_function(node, scope, self.name_of(name) if name else NONE)
        if name is not None and "expression" not in node.type:
            self.define(name, scope, B.FUNCTION, index)
        elif name is not None:
            inner = self.builder.functions[index].scope
            self.define(name, inner, B.FUNCTION, index)
        return self.builder.expression(E.FUNCTION, index)

    def _add_function(
        self, node: Node, scope: int, name: int, decorators: tuple[int, ...] = ()
    ) -> int:
        """Visit a function's parameters, types and body, and return its index."""
        builder = self.builder
        index = len(builder.functions)
        inner = builder.add_scope(S.FUNCTION, scope, index)
        place = self.place_of(node)
        row = FunctionRow(name, inner, scope, NONE, 0, 0, NONE, 0, 0, 0, 0, place)
        builder.functions.append(row)
        self._type_parameters(node, inner)
        rows = self._parameters(node, inner, index)
        returns = self.visit_field(node, "return_type", inner)
        before, self.returns = self.returns, []
        body = node.child_by_field_name("body")
        if body is not None and body.type == "statement_block":
            self.visit_children(body, inner)
        elif body is not None:
            self.returns.append(self.visit(body, inner))
        values = [value for value in dict.fromkeys(self.returns) if value != NONE]
        self.returns = before
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
            name = self.occurs(single, O.PARAMETER, scope)
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
            typed = builder.expression(E.CAST, annotation, NONE) if annotation != NONE else value
            self.bind_pattern(pattern, scope, typed)
            rows.append(ParameterRow(NONE, P.PLAIN, annotation, value))
            return
        name = self.occurs(pattern, O.PARAMETER, scope)
        place = self.place_of(pattern)
        builder.bind(scope, name, B.PARAMETER, place, function, len(rows), effective=1)
        rows.append(ParameterRow(name, P.PLAIN, annotation, value))
        if any(c.type in ("accessibility_modifier", "readonly") for c in node.children):
            self.occurs(pattern, O.DEFINITION, self.class_scope)
            builder.bind(
                self.class_scope, name, B.ANNOTATED, place, annotation, value,
                effective=1, eval_scope=scope, is_instance=True,
            )  # fmt: skip

    def _type_parameters(self, node: Node, scope: int) -> None:
        parameters = node.child_by_field_name("type_parameters")
        for child in parameters.named_children if parameters is not None else ():
            name_node = child.child_by_field_name("name")
            if name_node is None:
                continue
            bound = self.visit_field(child, "constraint", scope)
            self.visit_field(child, "value", scope)
            name = self.occurs(name_node, O.NAME, scope)
            place = self.place_of(name_node)
            self.builder.bind(scope, name, B.TYPE_PARAMETER, place, bound, effective=1)

    def _class(self, node: Node, scope: int) -> int:
        builder = self.builder
        name = node.child_by_field_name("name")
        around = builder.add_scope(S.BLOCK, scope, NONE)
        self._type_parameters(node, around)
        name_id = self.name_of(name) if name else builder.name("")
        index = self.open_class(name_id, scope, around, self.place_of(node), S.CLASS)
        is_interface = node.type == "interface_declaration"
        if name is not None:
            occurrence = O.TYPE_DEFINITION if is_interface else O.DEFINITION
            self.define(name, scope, B.CLASS, index, NONE, occurrence)
        bases = []
        for child in node.named_children:
            if child.type in ("class_heritage", "extends_type_clause"):
                bases += self._bases(child, around)
            elif child.type == "decorator":
                self.visit_children(child, scope)
        row = builder.classes[index]
        builder.classes[index] = row._replace(
            bases=builder.pool(bases), is_interface=int(is_interface)
        )
        body = node.child_by_field_name("body")
        if body is not None:
            self.visit_members(body, index, around)
        return builder.expression(E.OBJECT, index) if name is None else NONE

    def _bases(self, node: Node, scope: int) -> list[int]:
        """Return the classes and interfaces that a class extends or implements."""
        rows: list[int] = []
        for child in node.named_children:
            if child.type in ("extends_clause", "implements_clause"):
                rows += self._bases(child, scope)
            elif child.type == "type_arguments":
                self.visit(child, scope)
            else:
                rows.append(self.visit(child, scope))
        return [row for row in rows if row != NONE]

    def visit_members(self, node: Node, index: int, scope: int) -> None:
        """Visit the members of a class, interface or object."""
        row = self.builder.classes[index]
        before = self.class_scope
        self.class_scope = row.scope
        initial = self.builder.add_scope(S.BLOCK, row.scope, NONE)
        is_literal = node.type == "object"
        for child in node.named_children:
            if child.type in _METHODS:
                self._method(child, row.scope, O.KEY if is_literal else O.DEFINITION)
            elif child.type in _FIELDS:
                self._field(child, row.scope, initial, O.KEY if is_literal else O.DEFINITION)
            elif child.type == "shorthand_property_identifier":
                value = self.visit(child, scope)
                self.occurs(child, O.KEY, row.scope)
                self.builder.bind(
                    row.scope, self.name_of(child), B.ASSIGN, self.place_of(child), value,
                    effective=1, eval_scope=scope,
                )  # fmt: skip
            else:
                self.visit(child, scope if is_literal else initial)
        self.class_scope = before

    def _method(self, node: Node, scope: int, occurrence: O = O.DEFINITION) -> None:
        name = node.child_by_field_name("name")
        words = {child.type for child in node.children}
        getter = self.builder.expression(E.NAME, self.builder.name("property"))
        decorators = (getter,) if "get" in words else ()
        index = self._add_function(node, scope, self.name_of(name) if name else NONE, decorators)
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
        value = self.visit_field(node, "value", initial)
        if name is None or name.type == "computed_property_name":
            self.visit(name, initial)
            return
        kind, values = (
            (B.ANNOTATED, (annotation, value)) if annotation != NONE else (B.ASSIGN, (value, NONE))
        )
        name_id = self.occurs(name, occurrence, scope)
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

    def _alias(self, node: Node, scope: int) -> int:
        name = node.child_by_field_name("name")
        inner = self.builder.add_scope(S.BLOCK, scope, NONE)
        self._type_parameters(node, inner)
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

    def _function_type(self, node: Node, scope: int) -> int:
        index = self._add_function(node, scope, self.builder.name(""))
        return self.builder.expression(E.FUNCTION, index)

    def _mapped(self, node: Node, scope: int) -> int:
        name = node.child_by_field_name("name")
        if name is not None:
            name_id = self.occurs(name, O.NAME, scope)
            self.builder.bind(scope, name_id, B.TYPE_PARAMETER, self.place_of(name), effective=1)
        self.visit_field(node, "type", scope)
        self.visit_field(node, "alias", scope)
        return NONE

    def _infer(self, node: Node, scope: int) -> int:
        first = node.named_children[0] if node.named_children else None
        if first is not None and first.type == "type_identifier":
            name_id = self.occurs(first, O.NAME, scope)
            self.builder.bind(scope, name_id, B.TYPE_PARAMETER, self.place_of(first), effective=1)
        return self.builder.expression(E.UNKNOWN)

    def _predicate(self, node: Node, scope: int) -> int:
        self.visit_children(node, scope)
        return self.builder.expression(E.UNKNOWN)
