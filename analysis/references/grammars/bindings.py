"""What binds a name inside of a function, and where it is seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.parsing.grammars.paths import nodes_at
from analysis.references.grammars.source import is_within

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.grammars.use_rules import Binds
    from analysis.references.grammars.source import SourceFile

# No name stands deeper than this in what binds it.
_MAX_STEPS = 12
_VARIABLES = frozenset({"identifier", "simple_identifier", "variable"})


@dataclass(frozen=True, slots=True)
class LocalBinding:
    """A place that binds a name."""

    name: Node
    holder: Node
    """The node that binds it."""
    rule: Binds
    index: int
    """Which of the names it is, -1 for one somewhere in a pattern."""
    scope: Node
    """Where it is seen."""
    is_local: bool


def binding_at(file: SourceFile, name: Node) -> LocalBinding | None:
    """Return the binding whose name a node is."""
    below, above = name, name.parent
    for _ in range(_MAX_STEPS):
        if above is None:
            return None
        for rule in file.rules.binds.get(above.type, ()):
            index = _index(file, above, rule, name)
            if index is not None:
                scope, is_local = _scope(file, above, rule, name)
                return LocalBinding(name, above, rule, index, scope, is_local)
        if below.type in file.rules.scopes and below.id != name.id:
            return None
        below, above = above, above.parent
    return None


def _index(file: SourceFile, holder: Node, rule: Binds, name: Node) -> int | None:
    names = nodes_at(holder, rule.name, file.table.through)
    for index, node in enumerate(names):
        if node.id == name.id:
            return index
    is_variable = name.type in _VARIABLES
    if rule.nests and is_variable and not file.text(name)[:1].isupper():
        parent = name.parent
        is_path = parent is not None and parent.type in file.rules.members
        if not is_path and any(is_within(name, node) for node in names):
            return -1
    return None


def _scope(file: SourceFile, holder: Node, rule: Binds, name: Node) -> tuple[Node, bool]:
    """Return where a name is seen, and whether that is less than what outlines list."""
    node = holder.parent if rule.outside else holder
    last = holder
    while node is not None:
        last = node
        if node.type in file.rules.holders:
            return node, file.row_at(name) is None
        if node.type in file.rules.scopes:
            return node, True
        if node.type in file.rules.heads:
            return _headed(file, node), True
        node = node.parent
    return last, False


def _headed(file: SourceFile, head: Node) -> Node:
    """Return the function that a list of parameters is of; itself if it has no body."""
    above = head.parent
    while above is not None and above.type.endswith("_declarator"):
        above = above.parent
    return above if above is not None and above.type in file.rules.scopes else head


def local_binding(file: SourceFile, node: Node, text: str) -> LocalBinding | None:
    """Return the binding of a local name that a use means; the last one, if it has several."""
    found = local_bindings(file, node, text)
    return found[-1] if found else None


def local_bindings(file: SourceFile, node: Node, text: str) -> list[LocalBinding]:
    """Return the bindings of a local name in the scope that a use sees, in order."""
    best: list[LocalBinding] = []
    for name in file.occurrences(text):
        found = binding_at(file, name)
        if found is None or not found.is_local or not is_within(node, found.scope):
            continue
        is_later = name.start_byte > node.start_byte
        if is_later and not (file.rules.rebinds or found.rule.outside):
            continue
        if name.id != node.id and is_in_value(found, node):
            continue
        if best:
            size = _size(found.scope) - _size(best[0].scope)
            if size > 0:
                continue
            if size < 0:
                best = []
        best.append(found)
    return best


def is_in_value(binding: LocalBinding, node: Node) -> bool:
    """Return whether a use stands in type or value of a binding, where the name is not bound."""
    paths = [path for path in (binding.rule.type, binding.rule.value) if path]
    found = [inner for path in paths for inner in nodes_at(binding.holder, path)]
    return any(is_within(node, inner) for inner in found)


def _size(node: Node) -> int:
    return node.end_byte - node.start_byte
