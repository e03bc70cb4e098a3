"""What is done with a name where it stands, as the syntax says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.grammars.paths import nodes_at

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.models import SymbolKind, UseKind
    from analysis.references.grammars.source import SourceFile

_MAX_STEPS = 8
_CLASSES = frozenset({"class", "interface", "enum", "type", "module"})


def use_kind(file: SourceFile, name: Node, kind: SymbolKind | None = None) -> UseKind:
    """Return what is done with a name.

    Args:
        file: Where it stands.
        name: The identifier.
        kind: What it means, if that is known.
    """
    found = _by_syntax(file, name)
    if kind in _CLASSES:
        return "construction" if found == "call" else "type" if found == "read" else found
    if found == "read" and kind in ("function", "method"):
        return "value"
    return found


def is_in_import(file: SourceFile, node: Node) -> bool:
    """Return whether a name stands in an import."""
    above: Node | None = node
    while above is not None:
        if above.type in file.rules.imports:
            return True
        above = above.parent
    return False


def _by_syntax(file: SourceFile, name: Node) -> UseKind:
    rules = file.rules
    if is_in_import(file, name):
        return "import"
    below, above = name, name.parent
    for _ in range(_MAX_STEPS):
        if above is None:
            break
        for path, kind in rules.roles.get(above.type, ()):
            if any(node.id == below.id for node in nodes_at(above, path)):
                return kind
        member = rules.members.get(above.type)
        is_name = member is not None and any(
            node.id in (below.id, name.id) for node in nodes_at(above, member[1])
        )
        if not is_name and above.type not in rules.through:
            break
        below, above = above, above.parent
    return "type" if name.type in ("type_identifier",) else "read"
