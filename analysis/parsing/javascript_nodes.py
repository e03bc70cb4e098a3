"""Questions about single nodes of a JavaScript or TypeScript tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_WRAPPERS = frozenset(
    {"parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression"}
    | {"type_assertion"}
)
_NAMES = frozenset({"identifier", "property_identifier", "private_property_identifier", "this"})


def unwrapped(node: Node | None) -> Node | None:
    """Return the value inside parentheses, casts, assignments and ``Object.freeze``."""
    while node is not None:
        if node.type in _WRAPPERS:
            inner = [n for n in node.named_children if n.type != "comment"]
            node = (inner[-1] if node.type == "type_assertion" else inner[0]) if inner else None
        elif node.type == "assignment_expression":
            node = node.child_by_field_name("right")
        elif node.type == "call_expression" and _is_freeze(node):
            arguments = node.child_by_field_name("arguments")
            node = arguments.named_child(0) if arguments is not None else None
        else:
            return node
    return None


def path_of(node: Node | None) -> list[Node]:
    """Return the names in ``a.b.c``, outermost first; nothing if there is more in it than names."""
    names: list[Node] = []
    while node is not None and node.type == "member_expression":
        last = node.child_by_field_name("property")
        if last is None or last.type not in _NAMES:
            return []
        names.append(last)
        node = node.child_by_field_name("object")
    if node is None or node.type not in _NAMES:
        return []
    return [node, *reversed(names)]


def name_of(tree: ParsedTree, node: Node) -> str:
    """Return a member's name as code uses it: without quotes, ``[computed]`` as it stands."""
    text = tree.text(node)
    return text.strip("'\"") if node.type == "string" else text


def string_value(tree: ParsedTree, node: Node) -> str:
    """Return what is between a string literal's quotes."""
    return tree.slice(node.start_byte + 1, max(node.start_byte + 1, node.end_byte - 1))


def has_token(node: Node, *tokens: str) -> bool:
    """Return whether one of the keywords is among the node's own tokens."""
    return any(child.type in tokens for child in node.children)


def is_private(tree: ParsedTree, member: Node, name: str) -> bool:
    """Return whether a class member is private by syntax or by a leading underscore."""
    if name.startswith(("#", "_")):
        return True
    return any(
        child.type == "accessibility_modifier" and tree.text(child) == "private"
        for child in member.named_children
    )


def pattern_names(pattern: Node) -> Iterator[Node]:
    """Yield the identifiers that a binding pattern defines, in order."""
    stack = [pattern]
    while stack:
        node = stack.pop()
        kind = node.type
        if kind in ("identifier", "shorthand_property_identifier_pattern"):
            yield node
        elif kind in ("object_pattern", "array_pattern", "rest_pattern"):
            stack.extend(reversed(node.named_children))
        elif kind in ("pair_pattern", "assignment_pattern", "object_assignment_pattern"):
            field = "value" if kind == "pair_pattern" else "left"
            part = node.child_by_field_name(field)
            stack.extend([part] if part is not None else [])


def _is_freeze(call: Node) -> bool:
    function = call.child_by_field_name("function")
    arguments = call.child_by_field_name("arguments")
    is_freeze = function is not None and function.text == b"Object.freeze"
    return is_freeze and arguments is not None and arguments.named_child_count == 1
