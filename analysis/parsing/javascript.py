"""Definitions and imports of a JavaScript or TypeScript file, with or without JSX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analysis.parsing.javascript_drafts import Around, Place, draft_of
from analysis.parsing.javascript_imports import (
    commonjs_exports,
    exported_names,
    import_of,
    is_exports,
    required,
)
from analysis.parsing.javascript_nodes import (
    FUNCTIONS,
    has_token,
    path_of,
    pattern_names,
    unwrapped,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.models import ImportInfo, SymbolKind
    from analysis.parsing.drafts import Draft
    from analysis.parsing.trees import ParsedTree

# Expressions and inner blocks without one of these words define, import and export nothing.
_KEYWORDS = re.compile(
    rb"\b(?:function|class|require|import|exports|interface|enum|type\s+\w)\b|=>"
)
_POLL_EVERY = 512


@dataclass(slots=True)
class _Frame:
    """A node whose children are being read."""

    children: Iterator[Node]
    place: Place
    comment: Node | None = None
    """The comment right before the next child."""
    decorators: list[Node] = field(default_factory=list)
    """The decorators right before the next child."""


class ScriptReader:
    """One walk over a file; expressions that define nothing are not entered."""

    def __init__(self, tree: ParsedTree) -> None:
        self.tree = tree
        self.drafts: list[Draft] = []
        self.imports: list[ImportInfo] = []
        self.inner_imports: list[ImportInfo] = []
        self.docstring: str | None = None
        self.docstrings: list[tuple[int, int]] = []
        """Always empty: what documents a definition here is a comment."""
        self._exported: set[str] = set()
        self._is_module = False
        self._keywords = tree.positions(_KEYWORDS)
        self._stack: list[_Frame] = []

    def read(self) -> None:
        """Fill ``drafts`` and the imports."""
        self._enter(self.tree.root, "module")
        n_seen = 0
        while self._stack:
            frame = self._stack[-1]
            node = next(frame.children, None)
            n_seen += 1
            if n_seen % _POLL_EVERY == 0:
                self.tree.watch.check()
            if node is None:
                self._stack.pop()
            elif node.type == "comment":
                frame.comment = node
            elif node.type == "decorator":
                frame.decorators.append(node)
            else:
                around = Around(frame.place, node, frame.comment, frame.decorators)
                frame.comment, frame.decorators = None, []
                self._visit(node, around)
        for draft in self.drafts:
            if draft.top_level and (not self._is_module or draft.name in self._exported):
                draft.exported = True

    def _enter(self, node: Node | None, place: Place) -> None:
        """Read a node's children next; in expressions only if there is something to find."""
        if node is None:
            return
        if place != "inner" or self._keywords.any_in(node.start_byte, node.end_byte):
            self._stack.append(_Frame(iter(node.named_children), place))

    def _visit(self, node: Node, around: Around) -> None:
        visit = _VISITORS.get(node.type)
        if visit is not None:
            visit(self, node, around)
        elif node.type in _DEFINITIONS:
            self._define(node, around)
        else:
            self._enter(node, around.place if node.type == "ERROR" else "inner")

    def _inside(self, node: Node, around: Around) -> None:
        """Visit a node's children as if they stood in its place."""
        for child in node.named_children:
            self._visit(child, around)

    def _import(self, node: Node, around: Around) -> None:
        self._is_module = True
        found = import_of(self.tree, node)
        if found is not None:
            self.imports.append(found)

    def _export(self, node: Node, around: Around) -> None:
        self._import(node, around)
        if node.child_by_field_name("source") is not None:
            return
        self._exported.update(exported_names(self.tree, node))
        around.exported = True
        around.decorators += [n for n in node.named_children if n.type == "decorator"]
        declaration = node.child_by_field_name("declaration")
        value = node.child_by_field_name("value")
        default = next((n for n in node.children if n.type == "default"), None)
        if declaration is not None:
            self._visit(declaration, around)
        elif value is not None and default is not None and value.type != "identifier":
            self._bind(default, value, around)

    def _ambient(self, node: Node, around: Around) -> None:
        for child in node.named_children:
            if child.type == "statement_block":  # declare global { ... }
                self._enter(child, "module")
            else:
                self._visit(child, around)

    def _define(self, node: Node, around: Around) -> None:
        """Take a function, class, interface, enum, type alias or namespace."""
        kind, place = _DEFINITIONS[node.type]
        around.decorators += [n for n in node.named_children if n.type == "decorator"]
        name = node.child_by_field_name("name") or next(
            (n for n in node.children if n.type == "default"), None
        )
        if name is None and around.exported:  # export default function () {}
            name = next((n for n in around.statement.children if n.type == "default"), None)
        if name is not None:
            self.drafts.append(draft_of(self.tree, node, name, kind, around))
        self._enter(node.child_by_field_name("parameters"), "inner")
        self._enter(node.child_by_field_name("body"), place)

    def _method(self, node: Node, around: Around) -> None:
        around.decorators += [n for n in node.named_children if n.type == "decorator"]
        kind: SymbolKind = "property" if has_token(node, "get", "set") else "method"
        name = node.child_by_field_name("name")
        if around.place != "inner" and name is not None:
            self.drafts.append(draft_of(self.tree, node, name, kind, around))
        self._enter(node.child_by_field_name("parameters"), "inner")
        self._enter(node.child_by_field_name("body"), "inner")

    def _member(self, node: Node, around: Around) -> None:
        """Take a class field, an interface's property or an enum's member."""
        around.decorators += [n for n in node.named_children if n.type == "decorator"]
        name = node.child_by_field_name("name") or node.child_by_field_name("property") or node
        if around.place == "enum":
            self.drafts.append(draft_of(self.tree, node, name, "variable", around))
        elif around.place in ("class", "interface"):
            self._bind(name, node.child_by_field_name("value"), around)

    def _declaration(self, node: Node, around: Around) -> None:
        declarators = [n for n in node.named_children if n.type == "variable_declarator"]
        for declarator in declarators:
            if len(declarators) > 1:
                keyword = node.child(0).type
                around = replace(around, statement=declarator, keyword=keyword)
            self._declarator(declarator, around)

    def _declarator(self, node: Node, around: Around) -> None:
        target, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if target is None or self._require(value, target, around):
            return
        names = list(pattern_names(target))
        if self._note_exports(value):
            self._exported.update(self.tree.text(name) for name in names)
        if target.type == "identifier":
            self._bind(target, value, around)
            return
        if around.place == "module":
            shared = replace(around, own_range=False)
            self.drafts += [draft_of(self.tree, n, n, "variable", shared) for n in names]
        self._enter(node, "inner")

    def _require(self, value: Node | None, target: Node | None, around: Around) -> bool:
        """Take ``require("x")`` and ``import("x")``; False if the value is something else."""
        outer = around.statement
        found = required(self.tree, value, target, outer) if value is not None else None
        if found is None:
            return False
        if around.keyword:
            found = replace(found, text=f"{around.keyword} {found.text}")
        self._is_module = True
        (self.imports if around.place == "module" else self.inner_imports).append(found)
        return True

    def _call(self, node: Node, around: Around) -> None:
        if not self._require(node, None, around):
            self._enter(node, "inner")

    def _pair(self, node: Node, around: Around) -> None:
        """Take a function, class or object in an object literal."""
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        inner = unwrapped(value)
        is_big = inner is not None and inner.type in (*FUNCTIONS, "class", "object")
        if around.place == "object" and key is not None and is_big:
            self._bind(key, value, around)
        else:
            self._enter(node, "inner")

    def _assignment(self, node: Node, around: Around) -> None:
        """Take ``exports.name =``, ``Class.prototype.name =``, ``object.name = function``."""
        self._note_exports(node)
        right = node.child_by_field_name("right")
        value = unwrapped(right)
        path = path_of(node.child_by_field_name("left"))
        words = [self.tree.text(part) for part in path]
        if value is None or self._require(value, None, around):
            return
        is_object = value.type == "object"
        is_definition = value.type in FUNCTIONS or value.type == "class"
        if is_object and words and words[-1] in ("exports", "prototype"):
            self._enter(value, "object")
        elif len(path) > 1 and (is_definition or _is_public_value(words, value, around)):
            owner = ".".join(w for w in words[:-1] if w not in _UNNAMED)
            self._bind(path[-1], right, replace(around, owner=owner, exported=is_exports(words)))
        else:
            self._enter(node, "inner")

    def _note_exports(self, node: Node | None) -> bool:
        """Remember what a CommonJS export makes public; False if it is none."""
        names = commonjs_exports(self.tree, node)
        if names is None:
            return False
        self._is_module = True
        self._exported.update(names)
        return True

    def _bind(self, name: Node, value: Node | None, around: Around) -> None:
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
            self.drafts.append(draft_of(self.tree, value or name, name, kind, around))
        if value is not None and value.type in FUNCTIONS:
            self._enter(value.child_by_field_name("parameters"), "inner")
        body = value.child_by_field_name("body") if value is not None else None
        self._enter(body if kind in ("function", "method", "class") else value, place)


# Parts of a path that say where a member lives but are no name of their own.
_UNNAMED = frozenset({"module", "exports", "prototype", "this"})


def _is_public_value(words: list[str], value: Node, around: Around) -> bool:
    """Return whether an assignment gives a value to CommonJS's ``exports.name``."""
    is_named = is_exports(words) and words[-1] != "exports"
    return is_named and around.place == "module" and value.type != "unary_expression"


_Visitor = Callable[[ScriptReader, "Node", Around], None]

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
    "class_declaration": ("class", "class"),
    "abstract_class_declaration": ("class", "class"),
    "class": ("class", "class"),
    "interface_declaration": ("interface", "interface"),
    "enum_declaration": ("enum", "enum"),
    "type_alias_declaration": ("type", "inner"),
    "internal_module": ("module", "module"),
    "module": ("module", "module"),
}
