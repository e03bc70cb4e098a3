"""Which tokens of Python count: not what a formatter adds, takes away or respells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.parsing.token_parts import TokenGrammar, text_pieces, without_last_comma

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

_OPERATIONS_TEXT = """
binary_operator boolean_operator comparison_operator not_operator unary_operator
conditional_expression lambda await named_expression yield
"""
_OPERATIONS = frozenset(_OPERATIONS_TEXT.split())
_TUPLES = frozenset({"tuple", "expression_list", "pattern_list", "tuple_pattern"})
_PARENTHESES = frozenset({"(", ")"})
# Nodes whose own parentheses only allow a line break.
_WRAPPED = frozenset(
    ["parenthesized_expression", "with_clause", "import_from_statement", "future_import_statement"]
)
_ESCAPED_QUOTE = re.compile(r"\\(['\"])")
_ESCAPED_HEX = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})")


def _parts(node: Node, tree: ParsedTree) -> Sequence[Node | str | tuple[str, int]]:
    kind = node.type
    if kind == "string":
        return _string(node, tree)
    children = node.children
    if kind in ("block", "module"):
        return _statements(node, children)
    if kind in _TUPLES:
        return ["\1,", *_tuple_items(children), "\1)"]
    if kind == "class_definition":
        children = [c for c in children if c.type != "argument_list" or c.named_child_count]
    elif kind in _WRAPPED:
        children = _unwrapped(children)
    elif kind != "subscript" or node.named_child_count > 2:  # ``x[1,]`` is not ``x[1]``
        children = without_last_comma(children)
    if kind in _OPERATIONS:
        return [("\1(", node.start_point.row + 1), *children, "\1)"]
    return children


def _statements(node: Node, children: Sequence[Node]) -> list[Node | str | tuple[str, int]]:
    found: list[Node | str | tuple[str, int]] = []
    for child in children:
        found.append(child)
        if child.is_named and child.type != "comment":
            found.append("\1;")
    if node.type == "module":
        return found
    return [("\1{", node.start_point.row + 1), *found, "\1}"]


def _tuple_items(children: Sequence[Node]) -> list[Node]:
    """Return a tuple's items and commas; that it is one stands in its marks."""
    inside = [child for child in children if child.type not in _PARENTHESES]
    code = [child for child in inside if child.type != "comment"]
    if code and code[-1].type == ",":
        inside = [child for child in inside if child.id != code[-1].id]
    return inside


def _unwrapped(children: Sequence[Node]) -> list[Node]:
    """Return children without parentheses and the comma before the closing one."""
    kept = without_last_comma(children)
    return [child for child in kept if child.type not in _PARENTHESES]


def _string(node: Node, tree: ParsedTree) -> list[Node | str | tuple[str, int]]:
    """Return a string's prefix and contents, whatever its quotes."""
    prefix = _prefix(node, tree)
    found: list[Node | str | tuple[str, int]] = []
    before = node.prev_named_sibling
    joined = (
        node.parent is not None
        and node.parent.type == "concatenated_string"
        and before is not None
        and before.type == "string"
        and _prefix(before, tree) == prefix
    )
    if not joined:
        found.append((f"s{prefix}'", node.start_point.row + 1))
    if _is_docstring(node):
        return [*found, *_docstring(node, tree)]
    for child in node.children:
        if child.type == "string_content":
            text = tree.text(child)
            if "r" not in prefix:
                text = _ESCAPED_HEX.sub(lambda m: m[0].lower(), _ESCAPED_QUOTE.sub(r"\1", text))
            found.extend(text_pieces(text, child.start_point.row + 1))
        elif child.type not in ("string_start", "string_end"):
            found.append(child)
    return found


def _prefix(node: Node, tree: ParsedTree) -> str:
    start = node.children[0] if node.children else None
    text = tree.text(start) if start is not None and start.type == "string_start" else ""
    return "".join(sorted(text.rstrip("'\"").lower().replace("u", "")))


def _is_docstring(node: Node) -> bool:
    statement = node.parent
    if statement is None or statement.type != "expression_statement":
        return False
    body = statement.parent
    if body is None or body.type not in ("block", "module"):
        return False
    first = next((child for child in body.named_children if child.type != "comment"), None)
    return first is not None and first.id == statement.id


def _docstring(node: Node, tree: ParsedTree) -> list[tuple[str, int]]:
    """Return the lines of a docstring without their common indentation and blanks at their ends."""
    inner = node.children[1:-1]
    if not inner:
        return []
    text = tree.slice(inner[0].start_byte, inner[-1].end_byte)
    lines = [line.rstrip() for line in text.split("\n")]
    rest = [line for line in lines[1:] if line]
    margin = min((len(line) - len(line.lstrip()) for line in rest), default=0)
    lines = [lines[0].strip(), *(line[margin:] for line in lines[1:])]
    while lines and not lines[-1]:
        lines.pop()
    pieces = list(text_pieces("\n".join(lines), inner[0].start_point.row + 1))
    while pieces and pieces[0][0] == "s\n":
        pieces.pop(0)
    return pieces


def _spelled(kind: str, text: str) -> str:
    if kind in ("integer", "float"):
        return text.lower()
    return "" if kind in (";", "line_continuation") or text.isspace() else text


GRAMMAR = TokenGrammar(frozenset({"comment"}), _parts, _spelled, frozenset({"string"}))
"""The rules of Python."""
