"""Which of several definitions of one name a call means, by how many arguments it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.parsing.grammars.paths import node_at, nodes_at
from analysis.references.grammars.source import is_within

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.index.symbols import SymbolRow
    from analysis.references.grammars.meaning import Meanings
    from analysis.references.grammars.source import SourceFile

_MANY = 1_000
_BRACKETS = frozenset({"(", ")", "[", "]"})


def fitting(
    meanings: Meanings, file: SourceFile, node: Node, rows: Sequence[SymbolRow]
) -> list[SymbolRow]:
    """Return the definitions that take as many arguments as a call gives, all if that is open."""
    if not rows or not file.rules.arguments:
        return list(rows)
    count = argument_count(file, node)
    if count is None:
        return list(rows)
    found = []
    for row in rows:
        least, most = _room(meanings, row)
        if least <= count <= most:
            found.append(row)
    return found


def argument_count(file: SourceFile, name: Node) -> int | None:
    """Return how many arguments a name is called with; nothing if it is not called, or unclear."""
    below, above = name, name.parent
    for _ in range(6):
        if above is None:
            return None
        path = file.rules.arguments.get(above.type)
        if path is not None:
            member = file.rules.members.get(above.type)
            held = node_at(above, member[1]) if member is not None else None
            if held is not None and not is_within(name, held):
                return None
            arguments = node_at(above, path)
            if arguments is None or arguments.start_byte <= name.start_byte:
                return None
            outer = above.parent
            if (
                outer is not None
                and outer.type == above.type
                and outer.start_byte == above.start_byte
            ):
                return None  # one more argument stands behind the brackets
            return sum(1 for child in arguments.named_children if "comment" not in child.type)
        is_last = above.end_byte == below.end_byte or above.type in file.rules.through
        if not is_last:
            return None
        below, above = above, above.parent
    return None


def _room(meanings: Meanings, row: SymbolRow) -> tuple[int, int]:
    """Return how many arguments a definition takes at least and at most."""
    file = meanings.files.get(row.path)
    name = file.node_of(row) if file is not None else None
    if file is None or name is None:
        return 0, _MANY
    above = name.parent
    for _ in range(6):
        if above is None:
            return 0, _MANY
        lists = nodes_at(above, file.rules.parameters)
        if lists:
            break
        above = above.parent
    else:
        return 0, _MANY
    given = _parts(lists[0])
    optional = file.rules.optional
    needed = [part for part in given if not any(_is_optional(node, optional) for node in part)]
    return len(needed), len(given) if len(needed) == len(given) else _MANY


def _parts(parameters: Node) -> list[list[Node]]:
    """Return the nodes of each parameter of a list, its default value among them."""
    parts: list[list[Node]] = [[]]
    for child in parameters.children:
        if child.type == ",":
            parts.append([])
        elif "comment" not in child.type and child.text != b"void" and child.type not in _BRACKETS:
            parts[-1].append(child)
    return [part for part in parts if any(node.is_named for node in part)]


def _is_optional(node: Node, types: frozenset[str], depth: int = 2) -> bool:
    return node.type in types or (
        depth > 0 and any(_is_optional(child, types, depth - 1) for child in node.children)
    )
