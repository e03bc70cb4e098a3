"""TypeScript's and JavaScript's imports and exports to rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, B, E, O
from analysis.parsing.facts.script_statements import ScriptStatementVisitor

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree


class ScriptVisitor(ScriptStatementVisitor):
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
                self._namespace_name(clause.named_children[0], scope, module)
            if clause.type != "import_clause":
                continue
            for child in clause.named_children:
                if child.type == "identifier":
                    self._imported(child, child, "default", scope, module)
                elif child.type == "namespace_import":
                    self._namespace_name(child.named_children[0], scope, module)
                elif child.type == "named_imports":
                    for specifier in child.named_children:
                        self._specifier(specifier, scope, module)
        return NONE

    def _module_of(self, node: Node) -> int:
        source = node.child_by_field_name("source")
        return self.builder.name(self.tree.text(source)[1:-1] if source else "")

    def _namespace_name(self, node: Node, scope: int, module: int) -> None:
        name = self.occurs(node, O.IMPORT_AS, scope, module)
        self.builder.bind(scope, name, B.IMPORT, self.place_of(node), module, 1, effective=1)

    def _specifier(self, node: Node, scope: int, module: int) -> None:
        """Bind one name of ``import { a as b }`` or ``export { a as b } from``."""
        name = node.child_by_field_name("name")
        alias = node.child_by_field_name("alias")
        if name is None:
            return
        original = self.tree.text(name)
        row = self.builder.from_import(module, 0, self.builder.name(original))
        if original != "default":
            self.occurs(name, O.FROM, scope, row)
        bound = alias or name
        bound_id = self.name_of(bound)
        if alias is not None:
            self.occurs(alias, O.FROM_AS, scope, row)
        self.builder.bind(scope, bound_id, B.FROM, self.place_of(bound), row, effective=1)

    def _imported(self, node: Node, bound: Node, original: str, scope: int, module: int) -> None:
        row = self.builder.from_import(module, 0, self.builder.name(original))
        name = self.occurs(bound, O.FROM_AS, scope, row)
        self.builder.bind(scope, name, B.FROM, self.place_of(node), row, effective=1)

    def _export(self, node: Node, scope: int) -> int:
        source = node.child_by_field_name("source")
        words = {child.type for child in node.children}
        for child in node.named_children:
            if child.type == "export_clause":
                for specifier in child.named_children:
                    self._exported(specifier, node, scope)
            elif child.type == "namespace_export" and source is not None:
                self._namespace_name(child.named_children[0], scope, self._module_of(node))
            elif child != source:
                row = self.visit(child, scope)
                if "default" in words or "=" in words:
                    self._export_default(child, row, scope)
        if source is not None and "*" in words:
            self.builder.star_import(self._module_of(node), 0)
        return NONE

    def _exported(self, specifier: Node, statement: Node, scope: int) -> None:
        """Note one name of ``export { a as b }``, from here or from another module."""
        if specifier.type != "export_specifier":
            return
        if statement.child_by_field_name("source") is not None:
            self._specifier(specifier, scope, self._module_of(statement))
            return
        name = specifier.child_by_field_name("name")
        alias = specifier.child_by_field_name("alias")
        if name is None:
            return
        row = self.builder.expression(E.NAME, self.occurs(name, O.NAME, scope))
        if alias is not None:
            bound = self.occurs(alias, O.NAME, scope)
            place = self.place_of(alias)
            self.builder.bind(scope, bound, B.EXPORT, place, row, effective=1)

    def _export_default(self, node: Node, row: int, scope: int) -> None:
        name = node.child_by_field_name("name")
        if name is not None and node.type.endswith("declaration"):
            row = self.builder.expression(E.NAME, self.name_of(name))
        default = self.builder.name("default")
        self.builder.bind(scope, default, B.EXPORT, self.place_of(node), row, effective=1)
