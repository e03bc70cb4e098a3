"""CommonJS and AMD to rows: ``require`` in all its forms, ``exports`` and ``module.exports``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, WHOLE, B, E, O, S, U
from analysis.parsing.facts.script_objects import ScriptObjectVisitor

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

_EXPORTS = ("exports", "module.exports")
# What compilers wrap around ``require``; the module is then a namespace with a default.
_INTEROP = frozenset(
    {"__importStar", "__importDefault", "__toESM", "_interopRequireDefault"}
    | {"_interopRequireWildcard", "_interopDefault", "_interop_require_default"}
    | {"_interop_require_wildcard", "interopDefault"}
)
# Longer than ``module.exports`` with blanks in it.
_MAX_OWNER = 20
_WRAPPING = ("parenthesized_expression", "non_null_expression", "as_expression")


class ScriptCommonJsVisitor(ScriptObjectVisitor):
    """Visits what modules give and take without ``import`` and ``export``."""

    def __init__(self, builder: FactsBuilder, tree: ParsedTree) -> None:
        super().__init__(builder, tree)
        self._exports = NONE

    def exports_scope(self) -> int:
        """Return the scope of what the file exports, opened at its first use."""
        if self._exports == NONE:
            self._exports = self.builder.add_scope(S.EXPORTS, 0, NONE)
        return self._exports

    def export(self, name: str, place: int, value: int, scope: int) -> None:
        """Note that the file exports a value, which is evaluated in ``scope``, under a name."""
        self.builder.bind(
            self.exports_scope(), self.builder.name(name), B.EXPORT, place, value,
            effective=1, eval_scope=scope,
        )  # fmt: skip

    def bind_required(self, node: Node, scope: int) -> bool:
        """Bind what a declaration takes from ``require("x")``; False if it is no such one."""
        target, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if target is None or value is None:
            return False
        if self._is_requirer(value):
            self.requirers.add(self.tree.text(target))
        inner, is_namespace = self._unwrapped(value)
        member = None
        if inner.type == "member_expression":
            member = inner.child_by_field_name("property")
            inner, is_namespace = self._unwrapped(inner.child_by_field_name("object") or inner)
        specifier = self.required(inner)
        if specifier is None or target.type not in ("identifier", "object_pattern"):
            return False
        module = self.builder.name(self.tree.text(specifier)[1:-1])
        self.module_value(specifier, scope, U.IMPORT)
        if target.type == "object_pattern":
            row = self.builder.expression(E.REQUIRE, module, 1 if is_namespace else NONE)
            if member is not None:
                name = self.occurs(member, O.ATTRIBUTE, scope, row, U.READ)
                self.bind_pattern(target, scope, self.builder.expression(E.ATTRIBUTE, row, name))
            else:
                self._taken_apart(target, scope, module, row)
        elif member is not None:
            self._taken(member, target, scope, module)
        elif is_namespace:
            name = self.occurs(target, O.IMPORT_AS, scope, module, U.IMPORT)
            self.builder.bind(scope, name, B.IMPORT, self.place_of(target), module, 1, effective=1)
        else:
            self.imported(target, WHOLE, scope, module)
        return True

    def _unwrapped(self, node: Node) -> tuple[Node, bool]:
        """Return the call behind ``await``, brackets and helpers, and whether it is a namespace."""
        is_namespace = False
        while True:
            inner = node.named_children[0] if node.named_child_count else None
            if node.type == "await_expression" and inner is not None:
                node, is_namespace = inner, True
            elif node.type in _WRAPPING and inner is not None:
                node = inner
            elif node.type == "call_expression" and self.callee_name(node) in _INTEROP:
                arguments = node.child_by_field_name("arguments")
                if arguments is None or not arguments.named_child_count:
                    return node, is_namespace
                node, is_namespace = arguments.named_children[0], True
            else:
                return node, is_namespace or self.callee_name(node) in ("import", "importActual")

    def _is_requirer(self, value: Node) -> bool:
        return self.callee_name(value) == "createRequire"

    def _taken_apart(self, pattern: Node, scope: int, module: int, row: int) -> None:
        """Bind the names in ``const { a, b: c } = require("x")``."""
        for child in pattern.named_children:
            key = child.child_by_field_name("key") or child.child_by_field_name("left") or child
            bound = child.child_by_field_name("value") if child.type == "pair_pattern" else key
            if bound is not None and bound.type == "assignment_pattern":
                self.visit_field(bound, "right", scope)
                bound = bound.child_by_field_name("left")
            is_plain = key.type in ("property_identifier", "shorthand_property_identifier_pattern")
            if child.type == "object_assignment_pattern":
                self.visit_field(child, "right", scope)
            if not is_plain or bound is None or "identifier" not in bound.type:
                self._bind_part(child, scope, row)
            else:
                self._taken(key, bound, scope, module)

    def _bind_part(self, part: Node, scope: int, value: int) -> None:
        if part.type == "comment":
            return
        is_rest = part.type == "rest_pattern"
        self.bind_pattern(part, scope, NONE if is_rest else value)

    def _taken(self, original: Node, bound: Node, scope: int, module: int) -> None:
        """Bind one member of a module, under its own or another name."""
        row = self.builder.from_import(module, 0, self.name_of(original))
        name = self.occurs(original, O.FROM, scope, row, U.IMPORT)
        if bound != original:
            name = self.occurs(bound, O.FROM_AS, scope, row, U.IMPORT)
        self.builder.bind(scope, name, B.FROM, self.place_of(bound), row, effective=1)

    def imported(self, bound: Node, original: str, scope: int, module: int) -> None:
        """Bind what a module exports without a name, or under one that is not spelled here."""
        row = self.builder.from_import(module, 0, self.builder.name(original))
        name = self.occurs(bound, O.FROM_AS, scope, row, U.IMPORT)
        self.builder.bind(scope, name, B.FROM, self.place_of(bound), row, effective=1)

    def assign_exports(self, node: Node, left: Node, scope: int) -> bool:
        """Note ``module.exports = value`` or ``exports.a = value``; False if it is neither."""
        owner, last = left.child_by_field_name("object"), left.child_by_field_name("property")
        if owner is None or last is None or owner.end_byte - owner.start_byte > _MAX_OWNER:
            return False
        if self.tree.text(left) == "module.exports":
            value = self.visit_field(node, "right", scope, U.EXPORT)
            if self._is_new(node):
                self.occurs(last, O.DEFINITION, self.exports_scope(), NONE, U.DEFINITION)
            self.export(WHOLE, self.place_of(last), value, scope)
            self.assigned = value
            return True
        if self.tree.text(owner) not in _EXPORTS:
            return False
        value = self.visit_field(node, "right", scope, U.EXPORT)
        is_defined = self._is_new(node) and not self._is_blank(node)
        use = U.DEFINITION if is_defined else U.EXPORT
        kind = O.DEFINITION if is_defined else O.NAME
        name = self.occurs(last, kind, self.exports_scope(), NONE, use)
        if not self._is_blank(node):
            self.export(self.builder.text_of(name), self.place_of(last), value, scope)
        self.assigned = value
        return True

    def _is_new(self, node: Node) -> bool:
        """Return whether a value is made where it is assigned, and not only named."""
        value = _rightmost(node)
        return value is not None and value.type not in ("identifier", "member_expression")

    def _is_blank(self, node: Node) -> bool:
        """Return whether ``exports.a = void 0`` only makes room for a name."""
        value = _rightmost(node)
        return value is not None and self.tree.text(value) in ("void 0", "undefined")

    def visit_call(self, node: Node, scope: int, called: str) -> None:
        """Note what a call says about the file's exports, after its arguments were visited."""
        arguments = node.child_by_field_name("arguments")
        given = list(arguments.named_children) if arguments is not None else []
        if called in ("assign", "__exportStar", "__export", "_export_star", "extend"):
            is_export = any(self.tree.text(item) in _EXPORTS for item in given)
            for item in given if is_export else ():
                specifier = self.required(self._unwrapped(item)[0])
                if specifier is not None:
                    self.star(self.tree.text(specifier)[1:-1])
        elif called == "defineProperty" and len(given) == 3:
            self._defined_property(given, scope)

    def visit_spread(self, node: Node) -> None:
        """Note that ``module.exports = { ...require("x") }`` exports what the module does."""
        if self.use_of_members == U.EXPORT and node.named_child_count:
            specifier = self.required(self._unwrapped(node.named_children[0])[0])
            if specifier is not None:
                self.star(self.tree.text(specifier)[1:-1])

    def star(self, module: str) -> None:
        """Note that all that a module exports is exported again."""
        self.exports_scope()
        self.builder.star_import(self.builder.name(module), 0)

    def _defined_property(self, given: list[Node], scope: int) -> None:
        """Note ``Object.defineProperty(exports, "a", { get: function () { return x } })``."""
        if self.tree.text(given[0]) not in _EXPORTS or given[1].type != "string":
            return
        text = self.tree.text(given[1])[1:-1]
        if text == "__esModule":
            return
        function = self.first_function_in(given[2])
        if function is None:
            return
        row = self.builder.functions[function]
        values = self.builder.items(row.return_values)
        place = self.place_of(given[1]) + 1
        name = self.occurs(given[1], O.NAME, self.exports_scope(), NONE, U.EXPORT)
        self.export(self.builder.text_of(name), place, values[0] if values else NONE, row.scope)


def _rightmost(node: Node) -> Node | None:
    """Return the value at the end of ``a = b = value``."""
    value = node.child_by_field_name("right")
    while value is not None and value.type == "assignment_expression":
        value = value.child_by_field_name("right")
    return value
