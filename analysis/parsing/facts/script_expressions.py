"""Expressions of TypeScript and JavaScript to rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import ANYTHING, NONE, B, C, E, O, S, U
from analysis.parsing.facts.script_handovers import HANDED, ScriptHandoverVisitor

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


_METHODS_OF_FUNCTIONS = ("call", "apply", "bind")
# Functions that say something about the modules of a program.
_TELLING = frozenset(
    {"assign", "extend", "__exportStar", "__export", "_export_star", "defineProperty"}
    | {"define", "require", "requirejs"}
)
_EITHER = ("||", "??")
# Functions that give back a module, each called with its specifier.
_REQUIRERS = ("require", "import", "requireActual", "requireMock", "importActual", "importMock")
_TESTED = ("if_statement", "while_statement", "do_statement", "switch_statement", "switch_case")


class ScriptExpressionVisitor(ScriptHandoverVisitor):
    """Visits expressions."""

    def __init__(self, builder: FactsBuilder, tree: ParsedTree) -> None:
        super().__init__(builder, tree)
        self.use_of_object = U.READ
        """What is done with what stands before the dot of the next member expression."""
        self.use_of_members = U.VALUE
        """What is done with the object literal whose members are visited."""
        self.requirers = set(_REQUIRERS)
        self.handlers |= dict.fromkeys(_INSIDE, self.inside)
        self.handlers |= dict.fromkeys(_TESTED, self._tested)
        self.handlers |= dict.fromkeys(
            ("unary_expression", "template_substitution"), self._looked_at
        )
        self.handlers |= dict.fromkeys(
            ("jsx_opening_element", "jsx_self_closing_element", "jsx_closing_element"),
            self._jsx_tag,
        )
        self.handlers |= dict.fromkeys(_CONSTANTS, self._constant)
        self.handlers |= dict.fromkeys(("object", "object_type"), self._object)
        self.handlers |= {
            "identifier": self._identifier,
            "shorthand_property_identifier": self._identifier,
            "this": self._this,
            "this_type": self._this,
            "super": self._super,
            "member_expression": self._member,
            "nested_type_identifier": self._member,
            "nested_identifier": self._member,
            "call_expression": self._call,
            "new_expression": self._new,
            "subscript_expression": self._subscript,
            "await_expression": self._await,
            "spread_element": self._spread,
            "as_expression": self._cast,
            "satisfies_expression": self._cast,
            "ternary_expression": self._ternary,
            "binary_expression": self._binary,
            "array": self._array,
            "jsx_attribute": self._jsx_attribute,
            "sequence_expression": self._sequence,
            "update_expression": self._changed,
            "decorator": self._decorator,
            "throw_statement": self._throw,
            "property_identifier": self._nothing,
        }

    def _nothing(self, node: Node, scope: int) -> int:
        return NONE

    def inside(self, node: Node, scope: int) -> int:
        """Visit what only wraps another expression or type, and return the row of that."""
        use = U.READ if node.type == "expression_statement" else self.use
        rows = [self.visit(child, scope, use) for child in node.named_children]
        rows = [row for row in rows if row != NONE]
        return rows[0] if rows else self.builder.expression(E.UNKNOWN)

    def _constant(self, node: Node, scope: int) -> int:
        self.visit_children(node, scope, U.READ)
        if node.type == "predefined_type" and self.tree.text(node) in ("any", "unknown", "object"):
            return self.builder.expression(E.UNKNOWN, ANYTHING)
        kind = C.NONE if node.type in ("null", "undefined") else C.OTHER
        return self.builder.expression(E.CONSTANT, kind)

    def _identifier(self, node: Node, scope: int) -> int:
        return self.builder.expression(E.NAME, self.occurs(node, O.NAME, scope, NONE, self.use))

    def _super(self, node: Node, scope: int) -> int:
        row = self.builder.expression(E.SUPER, NONE, self.class_scope)
        if self.use == U.CALL and self.class_scope != NONE:
            name = self.builder.name("constructor")
            place = node.start_point.row + 1, self.tree.column(node.start_point)
            self.builder.occurs(name, *place, O.ATTRIBUTE, scope, row, U.CALL)
        return row

    def _this(self, node: Node, scope: int) -> int:
        return self.builder.expression(E.THIS, NONE, self.class_scope)

    def _member(self, node: Node, scope: int) -> int:
        # In a type the fields of a member are those of the member before it.
        base_node, last = node.named_child(0), node.named_child(node.named_child_count - 1)
        use, of_object, self.use_of_object = self.use, self.use_of_object, U.READ
        base = self.visit(base_node, scope, of_object)
        if last is None:
            return self.builder.expression(E.UNKNOWN)
        is_type = node.type == "nested_type_identifier"
        kind = O.TYPE_ATTRIBUTE if is_type else O.ATTRIBUTE
        name = self.occurs(last, kind, scope, base, U.TYPE if is_type else use)
        return self.builder.expression(E.ATTRIBUTE, base, name)

    def _call(self, node: Node, scope: int) -> int:
        use, function = self.use, node.child_by_field_name("function")
        called = self._last_name(function)
        required = self.required(node) if called in self.requirers else None
        if required is not None:
            return self.module_value(required, scope, use, is_namespace=called != "require")
        if called in _METHODS_OF_FUNCTIONS:
            # ``f.call()`` calls ``f``; ``f.bind()`` does if the result is called at once.
            is_called = called != "bind" or use == U.CALL
            self.use_of_object = U.CALL if is_called else U.VALUE
        callee = self._generic_callee(node, self.visit(function, scope, U.CALL), scope)
        self.use_of_object = U.READ
        bound = self.builder.n_occurrences - 2 if called == "bind" else NONE
        row = self.builder.expression(E.CALL, callee, self._arguments(node, scope, callee, called))
        self.bound_at = bound
        if called in _TELLING:
            self.visit_call(node, scope, called)
        return row

    def visit_call(self, node: Node, scope: int, called: str) -> None:
        """Note what a call says beyond its value, after its arguments were visited."""

    def callee_name(self, node: Node) -> str:
        """Return the last name of what a call calls, nothing if it has none."""
        is_call = node.type == "call_expression"
        return self._last_name(node.child_by_field_name("function")) if is_call else ""

    def _last_name(self, node: Node | None) -> str:
        if node is not None and node.type == "member_expression":
            node = node.child_by_field_name("property")
        return "" if node is None or node.named_child_count else self.tree.text(node)

    def module_value(
        self, specifier: Node, scope: int, use: U, *, is_namespace: bool = False
    ) -> int:
        """Note that a module is loaded, and return the row of its value."""
        name = self.builder.name(self.tree.text(specifier)[1:-1])
        row = self.builder.from_import(name, 0, NONE)
        place = specifier.start_point.row + 1, self.tree.column(specifier.start_point) + 1
        self.builder.occurs(name, *place, O.MODULE, scope, row, use)
        return self.builder.expression(E.REQUIRE, name, 1 if is_namespace else NONE)

    def _generic_callee(self, node: Node, callee: int, scope: int) -> int:
        """Return a called expression with the types that it is called with."""
        types = node.child_by_field_name("type_arguments")
        return callee if types is None else self.applied(callee, types, scope, E.APPLIED)

    def required(self, node: Node | None) -> Node | None:
        """Return the specifier in ``require("x")``, ``import("x")`` and their kin."""
        if node is None or node.type != "call_expression":
            return None
        arguments = node.child_by_field_name("arguments")
        if arguments is None or not arguments.named_child_count:
            return None
        if self.callee_name(node) not in self.requirers:
            return None
        argument = arguments.named_children[0]
        return argument if argument.type == "string" else None

    def _arguments(self, node: Node, scope: int, callee: int, called: str = "") -> int:
        arguments = node.child_by_field_name("arguments")
        children = arguments.named_children if arguments is not None else []
        if arguments is not None and arguments.type == "template_string":
            children = [inner for child in children for inner in child.named_children]
        rows: list[int] = []
        label: str | None = None
        outer, key, is_map = self.table, self.key, self.is_map
        self.is_map = called == "Map"
        self.table, self.key = outer if self.is_map else NONE, None
        for child in children:
            if child.type == "comment":
                continue
            self.bound_at = NONE
            rows.append(self.visit(child, scope))
            if child.type == "string" and label is None:
                label = self.string(child)
                self.hand_over_event(child, callee, called, scope)
            elif child.type in HANDED:
                self.hand_over_argument(child, callee, label)
        self.table, self.key, self.is_map = outer, key, is_map
        # An argument without a row keeps its place: parameters are found by position.
        unknown = self.builder.expression(E.UNKNOWN)
        return self.builder.pool([unknown if row == NONE else row for row in rows], 4)

    def _new(self, node: Node, scope: int) -> int:
        use = U.THROWN if self.use == U.RAISED else U.NEW
        cls = self._generic_callee(node, self.visit_field(node, "constructor", scope, use), scope)
        called = self._last_name(node.child_by_field_name("constructor"))
        return self.builder.expression(E.NEW, cls, self._arguments(node, scope, cls, called))

    def _subscript(self, node: Node, scope: int) -> int:
        use = self.use
        base = self.visit_field(node, "object", scope, U.READ)
        index = node.child_by_field_name("index")
        if index is not None and index.type == "string":
            name = self.occurs(index, O.ATTRIBUTE, scope, base, use)
            return self.builder.expression(E.ATTRIBUTE, base, name)
        return self.builder.expression(E.SUBSCRIPT, base, self.visit(index, scope, U.READ))

    def _await(self, node: Node, scope: int) -> int:
        self.use = U.READ if self.use == U.CALL else self.use
        return self.builder.expression(E.AWAIT, self.inside(node, scope))

    def _spread(self, node: Node, scope: int) -> int:
        return self.builder.expression(E.STAR, self.inside(node, scope))

    def _cast(self, node: Node, scope: int) -> int:
        use = self.use
        rows = [
            self.visit(child, scope, U.TYPE if number else use)
            for number, child in enumerate(node.named_children)
        ]
        if len(rows) < 2:
            return rows[0] if rows else self.builder.expression(E.UNKNOWN)
        kind = E.CAST if node.type == "as_expression" else E.SATISFIES
        return self.builder.expression(kind, rows[1], rows[0])

    def _ternary(self, node: Node, scope: int) -> int:
        use = part_of(self.use)
        self.visit_field(node, "condition", scope, U.READ)
        branches = ("consequence", "alternative")
        rows = [self.visit_field(node, field, scope, use) for field in branches]
        return self.builder.expression(E.CHOICE, self.builder.pool(rows))

    def _binary(self, node: Node, scope: int) -> int:
        field = node.child_by_field_name("operator")
        operator = field.type if field is not None else ""
        use = part_of(self.use)
        left = self.visit_field(node, "left", scope, use if operator in _EITHER else U.READ)
        right = self.visit_field(
            node, "right", scope, use if operator in (*_EITHER, "&&") else U.READ
        )
        if operator in _EITHER:
            return self.builder.expression(E.CHOICE, self.builder.pool([left, right]))
        if operator == "&&":
            return right
        return self.builder.expression(E.CONSTANT, C.OTHER)

    def _array(self, node: Node, scope: int) -> int:
        rows = []
        for child in node.named_children:
            rows.append(self.visit(child, scope))
            self.hand_over_item(child)
        known = list(dict.fromkeys(row for row in rows if row != NONE))
        return self.builder.expression(E.LIST, self.builder.pool(known, 4))

    def applied(self, base: int, types: Node, scope: int, kind: E) -> int:
        """Return a type or function with the types that stand for its type parameters."""
        rows = [self.visit(child, scope) for child in types.named_children]
        unknown = self.builder.expression(E.UNKNOWN)
        known = self.builder.pool([unknown if row == NONE else row for row in rows])
        return self.builder.expression(kind, base, self.builder.expression(E.TUPLE, known))

    def _looked_at(self, node: Node, scope: int) -> int:
        self.visit_children(node, scope, U.READ)
        return self.builder.expression(E.UNKNOWN)

    def _changed(self, node: Node, scope: int) -> int:
        self.visit_children(node, scope, U.WRITE)
        return self.builder.expression(E.CONSTANT, C.OTHER)

    def _tested(self, node: Node, scope: int) -> int:
        """Visit a statement that looks at a condition or a value."""
        tested = node.child_by_field_name("condition") or node.child_by_field_name("value")
        for child in node.named_children:
            self.visit(child, scope, U.READ if child == tested else U.VALUE)
        return NONE

    def _sequence(self, node: Node, scope: int) -> int:
        """Visit ``a, b``, whose value is that of the last one."""
        use, row = self.use, NONE
        for number, child in enumerate(node.named_children, 1):
            row = self.visit(child, scope, use if number == node.named_child_count else U.READ)
        return row

    def _throw(self, node: Node, scope: int) -> int:
        self.visit_children(node, scope, U.RAISED)
        return NONE

    def _decorator(self, node: Node, scope: int) -> int:
        self.visit_children(node, scope, U.DECORATOR)
        return NONE

    def _jsx_tag(self, node: Node, scope: int) -> int:
        """Visit a tag; names in lower case are the browser's own elements."""
        name = node.child_by_field_name("name")
        use = U.CLOSING if node.type == "jsx_closing_element" else U.ELEMENT
        if name is not None and not (
            name.type == "identifier" and self.tree.text(name)[0].islower()
        ):
            self.visit(name, scope, use)
        for child in node.named_children:
            if child != name:
                self.visit(child, scope)
        return NONE

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
        before, self.use_of_members = self.use_of_members, self.use
        index = self.open_class(name, scope, scope, self.place_of(node), S.CLASS)
        bases = self.visit_members(node, index, scope)
        row = self.builder.classes[index]
        self.builder.classes[index] = row._replace(bases=self.builder.pool(bases))
        self.use_of_members = before
        return self.builder.expression(E.OBJECT, index)

    def visit_members(self, node: Node, index: int, scope: int) -> list[int]:
        """Visit the members of a class, interface or object; the layer above knows how."""
        raise NotImplementedError

    def bind_pattern(self, pattern: Node, scope: int, value: int, kind: B = B.ASSIGN) -> None:
        """Bind the names in a pattern to (parts of) a value."""
        builder = self.builder
        if pattern.type in ("identifier", "shorthand_property_identifier_pattern"):
            name = self.occurs(pattern, O.NAME, scope, NONE, U.DEFINITION)
            place = self.place_of(pattern)
            if pattern.type != "identifier":
                self.occurs(pattern, O.ATTRIBUTE, scope, value, U.ALIAS)
                value = builder.expression(E.ATTRIBUTE, value, name)
                kind = B.ASSIGN
            builder.bind(scope, name, kind, place, value, effective=1)
        elif pattern.type == "pair_pattern":
            key = pattern.child_by_field_name("key")
            inner = pattern.child_by_field_name("value")
            if key is not None and inner is not None:
                use = U.ALIAS if inner.type == "identifier" else U.READ
                name = self.occurs(key, O.ATTRIBUTE, scope, value, use)
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


def part_of(use: U) -> U:
    """Return what is done with one of several values when this is done with the whole."""
    return U.VALUE if use == U.ALIAS else use
