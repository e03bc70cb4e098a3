"""Which tokens of JavaScript and TypeScript count: not what a formatter adds or respells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.parsing.token_parts import TokenGrammar, text_pieces, without_last_comma

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

_OPERATIONS_TEXT = """
binary_expression unary_expression assignment_expression augmented_assignment_expression
ternary_expression arrow_function await_expression yield_expression sequence_expression
as_expression satisfies_expression update_expression function_type conditional_type type_query
index_type_query infer_type constructor_type
"""
_OPERATIONS = frozenset(_OPERATIONS_TEXT.split())
_TYPE_LISTS = frozenset({"union_type", "intersection_type"})
# Around a condition they are part of the statement; before a member, a call or an optional chain
# they may change what is called.
_KEEPING_PARENTHESES_TEXT = """
if_statement while_statement do_statement switch_statement with_statement member_expression
call_expression subscript_expression new_expression non_null_expression
"""
_KEEPING_PARENTHESES = frozenset(_KEEPING_PARENTHESES_TEXT.split())
_BODIES_TEXT = """
program statement_block class_body switch_case switch_default interface_body object_type
enum_body
"""
_BODIES = frozenset(_BODIES_TEXT.split())
_SEPARATORS = frozenset({";", ","})
_BLOCKS = frozenset({"statement_block"})
_NAME = re.compile(r"(?:[A-Za-z_$][\w$]*|0|[1-9]\d*)\Z")
_ESCAPED_QUOTE = re.compile(r"\\(['\"])")
_DECIMAL = re.compile(r"(\d*)\.(\d*)(e[+-]?\d+)?\Z")


def _parts(node: Node, tree: ParsedTree) -> Sequence[Node | str | tuple[str, int]]:
    kind = node.type
    line = node.start_point.row + 1
    if kind == "string":
        return _string(node, tree, line)
    if kind in ("template_string", "jsx_text", "string_fragment"):
        return _text(node, tree)
    if kind == "empty_statement":
        return ()
    children = node.children
    if kind in _BODIES:
        return _members(node, children)
    if kind in _TYPE_LISTS:
        return _type_list(node, children, line)
    if kind in ("parenthesized_expression", "parenthesized_type"):
        keeps = node.parent is not None and node.parent.type in _KEEPING_PARENTHESES
        return children if keeps else [c for c in children if c.type not in ("(", ")")]
    if kind == "for_statement":
        return children
    kept = [child for child in without_last_comma(children) if child.type != ";"]
    if kind == "formal_parameters" and _is_bare(node):
        kept = [child for child in kept if child.type not in ("(", ")")]
    elif kind == "new_expression" and node.child_by_field_name("arguments") is None:
        return [*kept, "(", ")"]
    if kind in _OPERATIONS:
        return [("\1(", line), *kept, "\1)"]
    return kept


def _members(node: Node, children: Sequence[Node]) -> list[Node | str | tuple[str, int]]:
    """Return statements or members, a mark behind each in place of what separates them."""
    found: list[Node | str | tuple[str, int]] = []
    for child in children:
        if child.type in _SEPARATORS:
            continue
        found.append(child)
        if child.is_named and child.type not in ("comment", "empty_statement"):
            found.append("\1;")
    return found


def _type_list(
    node: Node, children: Sequence[Node], line: int
) -> list[Node | str | tuple[str, int]]:
    """Return a union or intersection without the bar that may lead it."""
    kept = list(children)
    if kept and not kept[0].is_named:
        kept = kept[1:]
    if node.named_child_count < 2:
        return list(kept)
    return [("\1(", line), *kept, "\1)"]


def _is_bare(node: Node) -> bool:
    """Return whether these are the parameters of an arrow function that is just one name."""
    parent = node.parent
    if parent is None or parent.type != "arrow_function" or node.named_child_count != 1:
        return False
    only = node.named_children[0]
    if only.type == "identifier":
        return parent.child_by_field_name("return_type") is None
    simple = only.type == "required_parameter" and only.child_count == 1
    return simple and only.children[0].type == "identifier"


def _string(node: Node, tree: ParsedTree, line: int) -> Sequence[Node | str | tuple[str, int]]:
    """Return a string's contents, whatever its quotes; the key of an object as a bare name."""
    content = _ESCAPED_QUOTE.sub(r"\1", tree.text(node)[1:-1])
    parent = node.parent
    if parent is not None and parent.type == "pair" and _NAME.match(content):
        key = parent.child_by_field_name("key")
        if key is not None and key.id == node.id:
            return ((content, line),)
    return (("s'", line), *text_pieces(content, line))


def _text(node: Node, tree: ParsedTree) -> Sequence[Node | str | tuple[str, int]]:
    """Return what stands in a template or between tags."""
    line = node.start_point.row + 1
    if node.type == "jsx_text":
        lines = tree.text(node).split("\n")
        return [(f"s{word}", line + n) for n, text in enumerate(lines) for word in text.split()]
    if node.type == "string_fragment" or not node.children:
        return list(text_pieces(tree.text(node), line))
    found: list[Node | str | tuple[str, int]] = []
    at = node.start_byte
    row = line
    for child in [*node.children, None]:
        start = node.end_byte if child is None else child.start_byte
        if start > at:
            found.extend(text_pieces(tree.slice(at, start), row))
        if child is not None:
            if child.type in ("string_fragment", "escape_sequence", "`"):
                found.extend(text_pieces(tree.text(child), child.start_point.row + 1))
            else:
                found.append(child)
            at, row = child.end_byte, child.end_point.row + 1
    return found


def _number(text: str) -> str:
    """Return a number as a formatter spells it."""
    text = text.lower()
    match = _DECIMAL.match(text)
    if match is None:
        return text
    fraction = match[2].rstrip("0")
    return (match[1] or "0") + (f".{fraction}" if fraction else "") + (match[3] or "")


def _spelled(kind: str, text: str) -> str:
    if kind == "number":
        return _number(text)
    return "" if kind == "empty_statement" or text.isspace() else text


_CONTENTS = frozenset({"string", "template_string", "jsx_text", "string_fragment"})
GRAMMAR = TokenGrammar(frozenset({"comment", "html_comment"}), _parts, _spelled, _CONTENTS)
"""The rules of JavaScript and TypeScript."""
