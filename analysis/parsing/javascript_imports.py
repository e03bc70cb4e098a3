"""Imports, exports and ``require`` in JavaScript and TypeScript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.models import ImportInfo
from analysis.parsing.javascript_nodes import path_of, pattern_names, string_value, unwrapped
from analysis.parsing.signatures import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

# An import statement is short; a `require` may stand in an expression of any length.
_MAX_TEXT = 300
_CLAUSES = frozenset(
    {"import_clause", "named_imports", "namespace_import", "namespace_export", "export_clause"}
    | {"import_require_clause"}
)


def import_of(tree: ParsedTree, node: Node) -> ImportInfo | None:
    """Return what an ``import`` statement, or an ``export`` with a source, imports.

    A re-export binds no name in its own file: its names are those that it passes on.
    """
    source = node.child_by_field_name("source")
    for child in node.named_children:
        if child.type == "import_require_clause":
            source = child.child_by_field_name("source")
    if source is None:
        return None
    names = tuple(_names(tree, node))
    if not names and any(child.type == "*" for child in node.children):
        names = ("*",)
    return ImportInfo(_text(tree, node), string_value(tree, source), names, _line(node))


def required(tree: ParsedTree, value: Node, target: Node | None, outer: Node) -> ImportInfo | None:
    """Return what ``require("x")`` or ``import("x")`` loads, with or without ``.name``.

    Args:
        tree: The file.
        value: The expression; None comes back if it is another one.
        target: The name or pattern that it is bound to.
        outer: What to show as the import's source.
    """
    call = _innermost_call(value)
    function = call.child_by_field_name("function") if call is not None else None
    arguments = call.child_by_field_name("arguments") if call is not None else None
    if call is None or function is None or arguments is None:
        return None
    if function.type not in ("identifier", "import"):
        return None
    if tree.text(function) not in ("require", "import"):
        return None
    first = arguments.named_child(0) if arguments.named_child_count else None
    if first is None or first.type != "string":
        return None
    names = tuple(tree.text(name) for name in pattern_names(target)) if target is not None else ()
    return ImportInfo(_text(tree, outer), string_value(tree, first), names, _line(call))


def _innermost_call(value: Node) -> Node | None:
    """Return ``f("x")`` of ``await f("x")``, ``f("x").name`` and ``f("x")(y)``."""
    node: Node | None = value
    call: Node | None = None
    while node is not None:
        if node.type == "await_expression":
            node = node.named_child(0) if node.named_child_count else None
        elif node.type == "member_expression":
            node = node.child_by_field_name("object")
        elif node.type == "call_expression":
            call, node = node, node.child_by_field_name("function")
        else:
            break
    return call


def exported_names(tree: ParsedTree, node: Node) -> list[str]:
    """Return the local names in ``export { a, b as c }``, ``export default a``, ``export = a``."""
    names = []
    for child in node.named_children:
        if child.type == "identifier":
            names.append(tree.text(child))
        for specifier in child.named_children if child.type == "export_clause" else ():
            local = specifier.child_by_field_name("name")
            names += [tree.text(local)] if local is not None else []
    return names


def commonjs_exports(tree: ParsedTree, node: Node | None) -> list[str] | None:
    """Return the local names that an assignment to ``module.exports`` or a member makes public.

    None if no export is assigned to, however long the chain ``a = exports = module.exports =``.
    """
    names: list[str] | None = None
    while node is not None and node.type == "assignment_expression":
        words = [tree.text(part) for part in path_of(node.child_by_field_name("left"))]
        node = node.child_by_field_name("right")
        if is_exports(words):
            names = [*(names or []), *_public_locals(tree, unwrapped(node))]
    return names


def is_exports(words: list[str]) -> bool:
    """Return whether ``a.b.c`` is CommonJS's ``exports`` or a member of it."""
    return words[:1] == ["exports"] or words[:2] == ["module", "exports"]


def owner_of(words: list[str]) -> str:
    """Return what ``a.b.name`` is a member of, without words that are no name of a thing."""
    silent = ("module", "exports", "prototype", "this")
    return ".".join(word for word in words[:-1] if word not in silent)


def _public_locals(tree: ParsedTree, value: Node | None) -> list[str]:
    if value is None:
        return []
    parts: list[Node | None] = [value]
    if value.type == "object":
        parts = [
            part.child_by_field_name("value") if part.type == "pair" else part
            for part in value.named_children
        ]
    return [
        tree.text(part)
        for part in parts
        if part is not None and part.type in ("identifier", "shorthand_property_identifier")
    ]


def _names(tree: ParsedTree, node: Node) -> Iterator[str]:
    """Yield the names that a statement's clauses bind."""
    stack = list(reversed(node.named_children))
    while stack:
        child = stack.pop()
        if child.type in ("import_specifier", "export_specifier"):
            name = child.child_by_field_name("alias") or child.child_by_field_name("name")
            if name is not None:
                yield tree.text(name)
        elif child.type == "identifier":
            yield tree.text(child)
        elif child.type in _CLAUSES:
            stack.extend(reversed(child.named_children))


def _text(tree: ParsedTree, node: Node) -> str:
    source = tree.slice(node.start_byte, min(node.end_byte, node.start_byte + 10 * _MAX_TEXT))
    return one_line(source, python=False, limit=_MAX_TEXT).rstrip("; ")


def _line(node: Node) -> int:
    return node.start_point.row + 1
