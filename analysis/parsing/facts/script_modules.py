"""TypeScript's and JavaScript's imports and exports to rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, WHOLE, B, E, O, U
from analysis.parsing.facts.script_amd import ScriptAmdVisitor

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

_DECLARING = ("ambient_declaration", "lexical_declaration", "variable_declaration")
_PATTERNS = ("identifier", "type_identifier", "shorthand_property_identifier_pattern")


class ScriptVisitor(ScriptAmdVisitor):
    """Visits a whole module."""

    def __init__(self, builder: FactsBuilder, tree: ParsedTree) -> None:
        super().__init__(builder, tree)
        self.handlers |= {
            "import_statement": self._import,
            "export_statement": self._export,
        }

    def _import(self, node: Node, scope: int) -> int:
        module = self._module_of(node)
        for clause in node.named_children:
            if clause.type == "import_require_clause":
                module = self._module_of(clause)
                self.imported(clause.named_children[0], WHOLE, scope, module)
            if clause.type != "import_clause":
                continue
            for child in clause.named_children:
                if child.type == "identifier":
                    self.imported(child, "default", scope, module)
                elif child.type == "namespace_import":
                    self._namespace_name(child.named_children[0], scope, module)
                elif child.type == "named_imports":
                    for specifier in child.named_children:
                        self._specifier(specifier, scope, module, U.IMPORT)
        return NONE

    def _module_of(self, node: Node) -> int:
        """Return the module that a statement names, and note that it does."""
        source = node.child_by_field_name("source")
        if source is None:
            return self.builder.name("")
        self.module_value(source, 0, U.IMPORT)
        return self.builder.name(self.tree.text(source)[1:-1])

    def _namespace_name(self, node: Node, scope: int, module: int) -> None:
        name = self.occurs(node, O.IMPORT_AS, scope, module, U.IMPORT)
        self.builder.bind(scope, name, B.IMPORT, self.place_of(node), module, 1, effective=1)

    def _specifier(self, node: Node, scope: int, module: int, use: U) -> None:
        """Bind one name of ``import { a as b }`` or ``export { a as b } from``."""
        name = node.child_by_field_name("name")
        alias = node.child_by_field_name("alias")
        if name is None:
            return
        original = self.tree.text(name).strip("'\"")
        row = self.builder.from_import(module, 0, self.builder.name(original))
        if original != "default":
            self.occurs(name, O.FROM, scope, row, use)
        bound = alias or name
        if alias is not None:
            self.occurs(alias, O.FROM_AS, scope, row, use)
        place = self.place_of(bound)
        self.builder.bind(scope, self.name_of(bound), B.FROM, place, row, effective=1)

    def _export(self, node: Node, scope: int) -> int:
        source = node.child_by_field_name("source")
        module = self._module_of(node) if source is not None else NONE
        words = {child.type for child in node.children}
        for child in node.named_children:
            if child.type == "export_clause":
                for specifier in child.named_children:
                    self._exported(specifier, module, scope)
            elif child.type == "namespace_export":
                self._namespace_name(child.named_children[0], self.exports_scope(), module)
            elif child == source or child.type in ("comment", "decorator"):
                self.visit(child if child != source else None, scope)
            elif "default" in words or "=" in words:
                name = "default" if "default" in words else WHOLE
                self._export_value(name, child, self.visit(child, scope, U.EXPORT), scope)
            else:
                self.visit(child, scope)
                for name_node in self._declared(child):
                    self._export_local(name_node, self.tree.text(name_node), scope)
        if source is not None and "*" in words:
            self.star(self.tree.text(source)[1:-1])
        return NONE

    def _declared(self, node: Node) -> Iterator[Node]:
        """Yield the names that a declaration binds."""
        name = node.child_by_field_name("name")
        if node.type in _DECLARING:
            for child in node.named_children:
                yield from self._declared(child)
        elif name is not None and name.type in _PATTERNS:
            yield name
        elif name is not None:
            yield from self._names_in(name)

    def _names_in(self, pattern: Node) -> Iterator[Node]:
        """Yield the names that a pattern binds."""
        if pattern.type in _PATTERNS:
            yield pattern
            return
        inner = pattern.child_by_field_name("value") or pattern.child_by_field_name("left")
        for child in (inner,) if inner is not None else pattern.named_children:
            yield from self._names_in(child)

    def _export_local(self, node: Node, name: str, scope: int) -> None:
        row = self.builder.expression(E.NAME, self.name_of(node))
        self.export(name, self.place_of(node), row, scope)

    def _exported(self, specifier: Node, module: int, scope: int) -> None:
        """Note one name of ``export { a as b }``, from here or from another module."""
        if specifier.type != "export_specifier":
            return
        exports = self.exports_scope()
        if module != NONE:
            self._specifier(specifier, exports, module, U.EXPORT)
            return
        name = specifier.child_by_field_name("name")
        alias = specifier.child_by_field_name("alias")
        if name is None:
            return
        self.occurs(name, O.NAME, scope, NONE, U.EXPORT)
        if alias is not None and self.tree.text(alias) != "default":
            self.occurs(alias, O.NAME, exports, NONE, U.EXPORT)
        self._export_local(name, self.tree.text(alias or name).strip("'\""), scope)

    def _export_value(self, name: str, node: Node, row: int, scope: int) -> None:
        own = node.child_by_field_name("name")
        if own is not None and node.type.endswith(("declaration", "function_signature")):
            row = self.builder.expression(E.NAME, self.name_of(own))
        self.export(name, self.place_of(node), row, scope)
