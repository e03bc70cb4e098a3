"""From a node of a syntax tree to others, along a path of a language's table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.grammars.table import LanguageTable
    from analysis.parsing.trees import ParsedTree

_STEP = re.compile(
    r"(?:\[(?P<when>[^\]]+)\])?(?:<(?P<type>.+)>|(?P<field>[^<>*]+))(?P<repeats>\*)?\Z"
)
# No name stands deeper than this in what is around it.
_MAX_REPEATS = 40


@dataclass(frozen=True, slots=True)
class _PathStep:
    name: str
    is_type: bool
    repeats: bool
    when: str


def key_of(node: Node, table: LanguageTable, tree: ParsedTree) -> str:
    """Return the key of a node in a table: its type, and the text that tells it apart."""
    path = table.keyed.get(node.type)
    told = node_at(node, path) if path else None
    return f"{node.type}:{tree.text(told)}" if told is not None else node.type


def nodes_at(node: Node, path: str, through: frozenset[str] = frozenset()) -> list[Node]:
    """Return the nodes that a path leads to, in the order of the text; none if it leads nowhere.

    Args:
        node: Where the path begins.
        path: As ``table`` describes it; an empty one stays where it is.
        through: Types of nodes without fields of which the last child is meant.
    """
    if path.isidentifier():  # as most are
        return node.children_by_field_name(path)
    for steps in _alternatives(path):
        found = [node]
        for step in steps:
            found = [target for origin in found for target in _go(origin, step, through)]
        if found:
            return found
    return []


def node_at(node: Node, path: str, through: frozenset[str] = frozenset()) -> Node | None:
    """Return the first node that a path leads to."""
    found = nodes_at(node, path, through)
    return found[0] if found else None


@cache
def _alternatives(path: str) -> tuple[tuple[_PathStep, ...], ...]:
    return tuple(
        tuple(_step(text) for text in alternative.split("/") if text)
        for alternative in path.split("|")
    )


def _step(text: str) -> _PathStep:
    match = _STEP.match(text)
    if match is None:
        raise ValueError(f"{text!r} is no step of a path.")
    name = match["type"] or match["field"]
    return _PathStep(name, bool(match["type"]), bool(match["repeats"]), match["when"] or "")


def _go(node: Node, step: _PathStep, through: frozenset[str]) -> list[Node]:
    if not step.repeats:
        return _next(node, step, through)
    ends = [node]
    for _ in range(_MAX_REPEATS):
        further = [_next(end, step, through) or [end] for end in ends]
        following = [target for targets in further for target in targets]
        if following == ends:
            break
        ends = following
    return ends


def _next(node: Node, step: _PathStep, through: frozenset[str]) -> list[Node]:
    if step.when and not _holds(node, step.when):
        return []
    if step.name == ".":
        return [node]
    if step.name == "^":
        return [node.parent] if node.parent is not None else []
    if step.name == "#":
        return node.named_children[:1]
    if step.name == "~":
        following = node.next_named_sibling
        return [following] if following is not None else []
    if step.is_type and step.name == "_":
        return node.named_children
    if step.is_type:
        return [child for child in node.children if child.type == step.name]
    found = node.children_by_field_name(step.name)
    if not found and node.type in through and node.named_child_count:
        return node.named_children[-1:]
    return found


def _holds(node: Node, condition: str) -> bool:
    """Return whether a node has a child of a type, or none of it if ``!`` stands before that."""
    wanted = condition.removeprefix("!")
    return any(child.type == wanted for child in node.children) is not condition.startswith("!")
