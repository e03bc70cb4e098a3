"""What a Python file says in its values: docstrings, assigned names, ``__all__``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.drafts import Draft
    from analysis.parsing.trees import ParsedTree

_LITERAL = re.compile(r"""(\w*)('''|\"\"\"|'|")((?:\\.|[^\\])*?)(?:\2|$)""", re.DOTALL)


def docstring_node(block: Node) -> Node | None:
    """Return the string node that documents a module, class or function body."""
    for child in block.named_children:
        if child.type == "comment":
            continue
        if child.type != "expression_statement" or child.named_child_count != 1:
            return None
        first = child.named_child(0)
        return first if first.type in ("string", "concatenated_string") else None
    return None


def docstring_line(source: str) -> str | None:
    """Return the first line that is not blank of string literals that follow each other."""
    plain = source.lstrip("rRuU")
    quote = plain[:3] if plain.startswith(('"""', "'''")) else plain[:1]
    inner = plain[len(quote) : -len(quote)]
    if quote in ('"""', "'''", '"', "'") and quote not in inner and plain.endswith(quote):
        return inner.strip().partition("\n")[0].rstrip() or None
    literals = list(_LITERAL.finditer(source))
    if any(set(literal[1].lower()) & set("bft") for literal in literals):
        return None  # bytes and templates are not documentation
    text = "".join(literal[3] for literal in literals)
    return next((line.strip() for line in text.split("\n") if line.strip()), None)


def assigned_names(statement: Node) -> Iterator[tuple[Node, Node | None]]:
    """Yield the identifiers that an expression statement assigns, each with the value."""
    node = statement.named_child(0) if statement.named_child_count else None
    targets: list[Node] = []
    while node is not None and node.type == "assignment":
        left = node.child_by_field_name("left")
        if left is not None:
            targets.append(left)
        node = node.child_by_field_name("right")
    for target in targets:
        for name in _identifiers(target):
            yield name, node


def exported_names(tree: ParsedTree, statement: Node) -> frozenset[str] | None:
    """Return the names that a statement puts into ``__all__``; None if it does not."""
    node = statement.named_child(0) if statement.named_child_count else None
    if node is None or node.type not in ("assignment", "augmented_assignment"):
        return None
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or tree.text(left) != "__all__":
        return None
    return quoted_names(tree.text(right))


def quoted_names(source: str) -> frozenset[str]:
    """Return the names that stand in quotes in an expression."""
    return frozenset(re.findall(r"""["'](\w+)["']""", source))


def settle_exports(drafts: Iterable[Draft], exported: frozenset[str] | None) -> None:
    """Let ``__all__``, if there is one, say which definitions of a module are exported."""
    if exported is not None:
        for draft in drafts:
            if draft.top_level:
                draft.exported = draft.name in exported


def _identifiers(target: Node) -> Iterator[Node]:
    """Yield the plain names in an assignment's target, in order."""
    stack = [target]
    while stack:
        node = stack.pop()
        if node.type == "identifier":
            yield node
        elif node.type in ("pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern"):
            stack.extend(reversed(node.named_children))


def makes_property(decorator: str) -> bool:
    """Return whether a decorator turns a method into a property or a part of one."""
    name = decorator.partition("(")[0]
    last = name.rpartition(".")[2]
    return last.endswith("property") or ("." in name and last in ("setter", "getter", "deleter"))


def is_private(name: str) -> bool:
    """Return whether a name is private by convention."""
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))
