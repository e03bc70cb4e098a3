"""Definitions and imports of a JavaScript or TypeScript file, with or without JSX."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis.parsing.javascript_drafts import Place, Surroundings
from analysis.parsing.javascript_imports import (
    commonjs_exports,
    exported_names,
    import_of,
    is_exports,
    owner_of,
    required,
)
from analysis.parsing.javascript_nodes import (
    FUNCTIONS,
    has_token,
    path_of,
    pattern_names,
    unwrapped,
)
from analysis.parsing.javascript_walk import ScriptWalk

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.models import SymbolKind


_STATEMENTS = frozenset(
    {"if", "for", "while", "switch", "const", "let", "var", "return", "function", "do", "try"}
)


class ScriptReader(ScriptWalk):
    """One walk over a file; expressions that define nothing are not entered."""

    def visit(self, node: Node, around: Surroundings) -> None:
        """Take what a node defines, and enter what may define more."""
        visit = _VISITORS.get(node.type)
        if visit is not None:
            visit(self, node, around)
        elif node.type in _DEFINITIONS:
            self._define(node, around)
        else:
            self.enter(node, around.place if node.type == "ERROR" else "inner")

    def _inside(self, node: Node, around: Surroundings) -> None:
        """Visit a node's children as if they stood in its place."""
        for child in node.named_children:
            self.visit(child, around)

    def _import(self, node: Node, around: Surroundings) -> None:
        self.is_module = True
        found = import_of(self.tree, node)
        if found is not None:
            self.imports.append(found)

    def _export(self, node: Node, around: Surroundings) -> None:
        self._import(node, around)
        if node.child_by_field_name("source") is not None:
            return
        self.exported.update(exported_names(self.tree, node))
        around.exported = True
        around.decorators += [n for n in node.named_children if n.type == "decorator"]
        declaration = node.child_by_field_name("declaration")
        value = node.child_by_field_name("value")
        default = next((n for n in node.children if n.type == "default"), None)
        if declaration is not None:
            self.visit(declaration, around)
        elif value is not None and default is not None and value.type != "identifier":
            self._bind(default, value, around)

    def _ambient(self, node: Node, around: Surroundings) -> None:
        for child in node.named_children:
            if child.type == "statement_block":  # declare global { ... }
                self.enter(child, "module")
            else:
                self.visit(child, around)

    def _define(self, node: Node, around: Surroundings) -> None:
        """Take a function, class, interface, enum, type alias or namespace."""
        kind, place = _DEFINITIONS[node.type]
        around.decorators += [n for n in node.named_children if n.type == "decorator"]
        name = node.child_by_field_name("name") or next(
            (n for n in node.children if n.type == "default"), None
        )
        if name is None and around.exported:  # export default function () {}
            name = next((n for n in around.statement.children if n.type == "default"), None)
        if name is not None:
            self.add(node, name, kind, around)
        self.enter(node.child_by_field_name("parameters"), "inner")
        self.enter(node.child_by_field_name("body"), place)

    def _method(self, node: Node, around: Surroundings) -> None:
        around.decorators += [n for n in node.named_children if n.type == "decorator"]
        kind: SymbolKind = "property" if has_token(node, "get", "set") else "method"
        name = node.child_by_field_name("name")
        # After an error a statement can be taken for a method that is called like its keyword.
        is_statement = self.tree.root.has_error and name and self.tree.text(name) in _STATEMENTS
        if name is not None and not is_statement:
            self.add(node, name, kind, around)
        self.enter(node.child_by_field_name("parameters"), "inner")
        self.enter(node.child_by_field_name("body"), "inner")

    def _member(self, node: Node, around: Surroundings) -> None:
        """Take a class field, an interface's property or an enum's member."""
        around.decorators += [n for n in node.named_children if n.type == "decorator"]
        name = node.child_by_field_name("name") or node.child_by_field_name("property") or node
        if around.place == "enum":
            self.add(node, name, "variable", around)
        elif around.place in ("class", "interface"):
            self._bind(name, node.child_by_field_name("value"), around)

    def _declaration(self, node: Node, around: Surroundings) -> None:
        declarators = [n for n in node.named_children if n.type == "variable_declarator"]
        for declarator in declarators:
            if len(declarators) > 1:
                keyword = node.child(0).type
                around = replace(around, statement=declarator, keyword=keyword)
            self._declarator(declarator, around)

    def _declarator(self, node: Node, around: Surroundings) -> None:
        target, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if target is None or self._require(value, target, around):
            return
        names = list(pattern_names(target))
        if self._note_exports(value):
            self.exported.update(self.tree.text(name) for name in names)
        if target.type == "identifier":
            self._bind(target, value, around)
            return
        if around.place == "module":
            shared = replace(around, own_range=False)
            for name in names:
                self.add(name, name, "variable", shared)
        self.enter(node, "inner")

    def _require(self, value: Node | None, target: Node | None, around: Surroundings) -> bool:
        """Take ``require("x")`` and ``import("x")``; False if the value is something else."""
        outer = around.statement
        found = required(self.tree, value, target, outer) if value is not None else None
        if found is None:
            return False
        if around.keyword:
            found = replace(found, text=f"{around.keyword} {found.text}")
        self.is_module = True
        (self.imports if around.place == "module" else self.inner_imports).append(found)
        return True

    def _call(self, node: Node, around: Surroundings) -> None:
        if not self._require(node, None, around):
            self.enter(node, "inner")

    def _pair(self, node: Node, around: Surroundings) -> None:
        """Take a function, class or object in an object literal."""
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        inner = unwrapped(value)
        is_big = inner is not None and inner.type in (*FUNCTIONS, "class", "object")
        if around.place == "object" and key is not None and is_big:
            self._bind(key, value, around)
        else:
            self.enter(node, "inner")

    def _assignment(self, node: Node, around: Surroundings) -> None:
        """Take ``exports.name =``, ``Class.prototype.name =``, ``object.name = function``."""
        self._note_exports(node)
        right = node.child_by_field_name("right")
        value = unwrapped(right)
        if value is None or self._require(value, None, around):
            return
        path = path_of(node.child_by_field_name("left"))
        words = [self.tree.text(part) for part in path]
        if value.type == "object" and words and words[-1] in ("exports", "prototype"):
            self.enter(value, "object")
        elif len(path) > 1 and _is_member_value(words, value, around):
            around = replace(around, owner=owner_of(words), exported=is_exports(words))
            # What a file exports as a whole is called as it calls itself, if it does.
            own = value.child_by_field_name("name") if words[-1] == "exports" else None
            self._bind(own or path[-1], right, around)
            self._aliases(right, around)
        else:
            self.enter(node, "inner")

    def _aliases(self, node: Node | None, around: Surroundings) -> None:
        """Take the other names in ``a.one = a.two = function``."""
        while node is not None and node.type == "assignment_expression":
            path = path_of(node.child_by_field_name("left"))
            words = [self.tree.text(part) for part in path]
            if len(path) > 1 and words[-1] not in ("exports", "prototype"):
                alias = replace(around, owner=owner_of(words), own_range=False)
                value = unwrapped(node) or node
                is_function = value.type in FUNCTIONS
                kind: SymbolKind = "method" if is_function and alias.owner else "variable"
                self.add(value, path[-1], kind, alias)
            node = node.child_by_field_name("right")

    def _note_exports(self, node: Node | None) -> bool:
        """Remember what a CommonJS export makes public; False if it is none."""
        names = commonjs_exports(self.tree, node)
        if names is None:
            return False
        self.is_module = True
        self.exported.update(names)
        return True

    def _bind(self, name: Node, value: Node | None, around: Surroundings) -> None:
        """Add a name as what its value is, and go on inside the value."""
        value = unwrapped(value)
        is_member = around.place in ("class", "interface", "object") or bool(around.owner)
        place: Place = "inner"
        kind: SymbolKind | None = None
        if value is not None and value.type in FUNCTIONS:
            kind = "method" if is_member else "function"
        elif value is not None and value.type == "class":
            kind, place = "class", "class"
        elif around.place != "inner":
            kind = "property" if is_member else "variable"
            place = "object" if value is not None and value.type == "object" else "inner"
        if kind is not None:
            self.add(value or name, name, kind, around)
        if value is not None and value.type in FUNCTIONS:
            self.enter(value.child_by_field_name("parameters"), "inner")
        body = value.child_by_field_name("body") if value is not None else None
        self.enter(body if kind in ("function", "method", "class") else value, place)


def _is_member_value(words: list[str], value: Node, around: Surroundings) -> bool:
    """Return whether an assignment to a member defines it, rather than changes a state."""
    if value.type in FUNCTIONS or value.type == "class":
        return True
    is_named_export = is_exports(words) and words[-1] != "exports"
    return is_named_export and around.place == "module" and value.type != "unary_expression"


_Visitor = Callable[[ScriptReader, "Node", Surroundings], None]

_VISITORS: dict[str, _Visitor] = {
    "import_statement": ScriptReader._import,
    "export_statement": ScriptReader._export,
    "ambient_declaration": ScriptReader._ambient,
    "expression_statement": ScriptReader._inside,
    "method_definition": ScriptReader._method,
    "method_signature": ScriptReader._method,
    "abstract_method_signature": ScriptReader._method,
    "public_field_definition": ScriptReader._member,
    "field_definition": ScriptReader._member,
    "property_signature": ScriptReader._member,
    "enum_assignment": ScriptReader._member,
    "property_identifier": ScriptReader._member,
    "string": ScriptReader._member,
    "lexical_declaration": ScriptReader._declaration,
    "variable_declaration": ScriptReader._declaration,
    "call_expression": ScriptReader._call,
    "pair": ScriptReader._pair,
    "assignment_expression": ScriptReader._assignment,
}

_DEFINITIONS: dict[str, tuple[SymbolKind, Place]] = {
    "function_declaration": ("function", "inner"),
    "generator_function_declaration": ("function", "inner"),
    "function_signature": ("function", "inner"),
    "function_expression": ("function", "inner"),
    "generator_function": ("function", "inner"),
    "class_declaration": ("class", "class"),
    "abstract_class_declaration": ("class", "class"),
    "class": ("class", "class"),
    "interface_declaration": ("interface", "interface"),
    "enum_declaration": ("enum", "enum"),
    "type_alias_declaration": ("type", "inner"),
    "internal_module": ("module", "module"),
    "module": ("module", "module"),
}
