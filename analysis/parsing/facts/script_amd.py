"""AMD modules to rows: what ``define`` hands to a function, and what that gives back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import WHOLE, B, E, U
from analysis.parsing.facts.script_commonjs import ScriptCommonJsVisitor

if TYPE_CHECKING:
    from tree_sitter import Node

_LOADERS = ("define", "require", "requirejs")


class ScriptAmdVisitor(ScriptCommonJsVisitor):
    """Visits ``define([...], function (...) { return ... })``."""

    def visit_call(self, node: Node, scope: int, called: str) -> None:
        """Note what a call says about modules, after its arguments were visited."""
        arguments = node.child_by_field_name("arguments")
        if arguments is None or called not in _LOADERS:
            super().visit_call(node, scope, called)
            return
        given = [child for child in arguments.named_children if child.type != "comment"]
        factory = given[-1] if given else None
        if factory is None:
            return
        is_module = called == "define"
        if factory.type == "object" and is_module:
            self.export(WHOLE, self.place_of(factory), self.object_at(factory), scope)
        index = self.first_function_in(factory)
        if index is None or factory.type not in ("function_expression", "arrow_function"):
            return
        modules = next((item for item in given if item.type == "array"), None)
        if modules is not None:
            self._bind_modules(modules, index)
        row = self.builder.functions[index]
        for value in self.builder.items(row.return_values) if is_module else ():
            self.export(WHOLE, self.place_of(factory), value, row.scope)

    def _bind_modules(self, modules: Node, function: int) -> None:
        """Bind the parameters of a function to the modules that a list names."""
        row = self.builder.functions[function]
        names = self.builder.parameter_names(row)
        specifiers = [item for item in modules.named_children if item.type == "string"]
        for name, specifier in zip(names, specifiers, strict=False):
            self.module_value(specifier, row.outer, U.IMPORT)
            module = self.builder.name(self.tree.text(specifier)[1:-1])
            source = self.builder.from_import(module, 0, self.builder.name(WHOLE))
            place = self.place_of(specifier)
            self.builder.bind(row.scope, name, B.FROM, place, source, effective=1)

    def object_at(self, node: Node) -> int:
        """Return the row of an object literal that was visited."""
        place = self.place_of(node)
        rows = enumerate(self.builder.classes)
        index = next(number for number, row in rows if row.place == place)
        return self.builder.expression(E.OBJECT, index)
