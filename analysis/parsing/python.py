"""Definitions and imports of a Python file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis.models import ImportInfo, SymbolKind
from analysis.parsing.drafts import Draft
from analysis.parsing.python_imports import imports_of
from analysis.parsing.python_repair import repaired
from analysis.parsing.python_values import (
    assigned_names,
    docstring_line,
    docstring_node,
    exported_names,
    is_private,
    makes_property,
    settle_exports,
)
from analysis.parsing.signatures import MAX_VALUE, one_line
from analysis.parsing.trees import check_time

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

# Statements whose blocks belong to the scope around them.
_SAME_SCOPE = frozenset(
    {"block", "if_statement", "elif_clause", "else_clause", "try_statement", "except_clause"}
    | {"except_group_clause", "finally_clause", "with_statement", "match_statement"}
    | {"case_clause", "ERROR"}
)
_LOOPS = frozenset({"for_statement", "while_statement"})
_BLOCKS = _SAME_SCOPE | _LOOPS | {"function_definition", "class_definition", "decorated_definition"}
_IMPORTS = frozenset({"import_statement", "import_from_statement", "future_import_statement"})
# A block without one of these words defines and imports nothing.
_WORDS = (b"def", b"class", b"import")
_KEYWORDS = re.compile(rb"\b(?:def|class|import)\b")
_POLL_EVERY = 512


class PythonReader:
    """One walk over the statements of a file; expressions are not visited."""

    def __init__(self, tree: ParsedTree) -> None:
        self.tree = tree
        self.drafts: list[Draft] = []
        self.imports: list[ImportInfo] = []
        self.inner_imports: list[ImportInfo] = []
        self.docstring: str | None = None
        self.exported: frozenset[str] | None = None
        """The names in ``__all__``, if there is one."""
        """Byte ranges, in the order in which they were found."""
        self._stack: list[tuple[Iterator[Node], str]] = []

    def read(self) -> None:
        """Fill ``drafts`` and the imports."""
        self.docstring = self._docstring(self.tree.root)
        self._stack.append((iter(self.tree.root.named_children), "module"))
        n_seen = 0
        while self._stack:
            children, scope = self._stack[-1]
            node = next(children, None)
            if node is None:
                self._stack.pop()
                continue
            n_seen += 1
            if n_seen % _POLL_EVERY == 0:
                check_time(self.tree.deadline)
            self._visit(node, scope)
        if self.tree.root.has_error:
            self.drafts = repaired(self.tree, self.drafts)
        settle_exports(self.drafts, self.exported)

    def _visit(self, node: Node, scope: str) -> None:
        kind = node.type
        if kind == "function_definition":
            self._define(node, node, scope, "function")
        elif kind == "class_definition":
            self._define(node, node, scope, "class")
        elif kind == "decorated_definition":
            definition = node.child_by_field_name("definition")
            if definition is not None:
                is_class = definition.type == "class_definition"
                self._define(definition, node, scope, "class" if is_class else "function")
        elif kind in _IMPORTS:
            found = self.imports if scope in ("module", "class") else self.inner_imports
            found.extend(imports_of(self.tree, node))
        elif kind in _SAME_SCOPE:
            self._enter(node, scope)
        elif kind in _LOOPS:
            self._enter(node, "function" if scope == "function" else "loop")
        elif scope in ("module", "class"):
            self._bind(node, scope)

    def _enter(self, node: Node, scope: str) -> None:
        if scope in ("module", "class") or self._may_define(node.start_byte, node.end_byte):
            self._stack.append((iter(node.named_children), scope))

    def _may_define(self, start: int, end: int) -> bool:
        """Return whether there can be a definition or an import in a range of bytes."""
        data = self.tree.data
        if not any(data.find(word, start, end) >= 0 for word in _WORDS):
            return False
        return _KEYWORDS.search(data, start, end) is not None

    def _define(self, node: Node, outer: Node, scope: str, kind: SymbolKind) -> None:
        name_node = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        if name_node is None or not name_node.end_byte > name_node.start_byte:
            return
        name = self.tree.text(name_node)
        decorators = self._decorators(outer) if outer is not node else ()
        if kind == "function" and scope == "class":
            kind = "property" if any(map(makes_property, decorators)) else "method"
        last = _last_statement(self.tree, node)
        self.drafts.append(
            Draft(
                name=name,
                kind=kind,
                start=node.start_byte,
                end=last.end_byte,
                line=node.start_point.row + 1,
                line_end=last.end_point.row + 1,
                signature=self._signature(node),
                name_line=name_node.start_point.row + 1,
                name_column=self.tree.column(name_node.start_point),
                decorated_line=outer.start_point.row + 1,
                decorators=decorators,
                docstring=self._docstring(body) if body is not None else None,
                exported=scope != "function" and not is_private(name),
                top_level=scope in ("module", "loop"),
            )
        )
        if body is not None:
            self._enter(body, "class" if kind == "class" else "function")

    def _signature(self, node: Node) -> str:
        return one_line(self.tree.slice(node.start_byte, _head_end(node)), python=True)

    def _docstring(self, block: Node) -> str | None:
        node = docstring_node(block)
        if node is None:
            return None
        return docstring_line(self.tree.text(node))

    def _decorators(self, node: Node) -> tuple[str, ...]:
        return tuple(
            one_line(self.tree.slice(child.start_byte + 1, child.end_byte), python=True).strip()
            for child in node.named_children
            if child.type == "decorator"
        )

    def _bind(self, node: Node, scope: str) -> None:
        """Take the variables that an assignment or a type alias defines."""
        if node.type == "expression_statement":
            for name_node, value in assigned_names(node):
                kind: SymbolKind = "variable"
                if value is not None and value.type == "call" and scope == "class":
                    called = self.tree.text(value).partition("(")[0]
                    kind = "property" if makes_property(called) else "variable"
                self._add_variable(node, name_node, kind, scope)
            if scope == "module":
                names = exported_names(self.tree, node)
                if names is not None:
                    self.exported = (self.exported or frozenset()) | names
        elif node.type == "type_alias_statement":
            alias = next((n for n in _descend(node) if n.type == "identifier"), None)
            if alias is not None:
                self._add_variable(node, alias, "type", scope)

    def _add_variable(self, node: Node, name_node: Node, kind: SymbolKind, scope: str) -> None:
        name = self.tree.text(name_node)
        source = self.tree.slice(node.start_byte, min(node.end_byte, node.start_byte + 2000))
        self.drafts.append(
            Draft(
                name=name,
                kind=kind,
                start=name_node.start_byte,
                end=name_node.end_byte,
                line=node.start_point.row + 1,
                line_end=node.end_point.row + 1,
                signature=one_line(source, python=True, limit=MAX_VALUE),
                name_line=name_node.start_point.row + 1,
                name_column=self.tree.column(name_node.start_point),
                decorated_line=node.start_point.row + 1,
                exported=not is_private(name),
                top_level=scope == "module",
            )
        )


def _descend(node: Node) -> Iterator[Node]:
    """Yield the node's first named descendants, one a level."""
    child = node.named_child(0) if node.named_child_count else None
    while child is not None:
        yield child
        child = child.named_child(0) if child.named_child_count else None


def _head_end(node: Node) -> int:
    """Return the byte after a definition's head, before its colon."""
    for field in ("return_type", "parameters", "superclasses", "type_parameters", "name"):
        part = node.child_by_field_name(field)
        if part is not None:
            return part.end_byte
    return node.end_byte


def _last_statement(tree: ParsedTree, node: Node) -> Node:
    """Return the node at whose end a definition ends; comments after it are not part of it."""
    line_start = tree.data.rfind(b"\n", node.start_byte, node.end_byte) + 1
    if not tree.data[line_start : node.end_byte].lstrip().startswith(b"#"):
        return node
    while node.type in _BLOCKS:
        inner = [n for n in node.named_children if n.type != "comment"]
        if not inner:
            break
        node = inner[-1]
    return node
