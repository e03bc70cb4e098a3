"""What is done with a name where it stands, as the syntax says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analysis.parsing.grammars.paths import node_at, nodes_at

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.index.symbols import SymbolRow
    from analysis.models import UseKind
    from analysis.references.grammars.source import SourceFile

_MAX_STEPS = 8
_OBJECT = re.compile(r"\A(?:[\w\[\]]+\s+)*object\b")
_CLASSES = frozenset({"class", "interface", "enum", "type", "module"})


def use_kind(file: SourceFile, name: Node, row: SymbolRow | None = None) -> UseKind:
    """Return what is done with a name.

    Args:
        file: Where it stands.
        name: The identifier.
        row: What it means, if that is known.
    """
    found = _by_syntax(file, name)
    kind = row.info.kind if row is not None else None
    if kind in _CLASSES:
        if found == "call" and _OBJECT.search(row.info.signature if row is not None else ""):
            return "call"  # of the method by which an object stands for a function
        if file.is_below(name, file.rules.sketches):
            return "type"
        is_made = found == "call" or (found == "read" and _makes(file, name))
        return "construction" if is_made else "type" if found == "read" else found
    if row is not None and found == "read" and kind in ("function", "method"):
        return "call" if is_called_bare(file, row) else "value"
    return found


def is_called_bare(file: SourceFile, row: SymbolRow) -> bool:
    """Return whether a function is called by being named."""
    pattern = file.rules.called_bare
    return bool(pattern) and re.search(pattern, row.info.signature) is not None


def is_receiver(file: SourceFile, name: Node) -> bool:
    """Return whether something is looked up in what a name means."""
    above = name.parent
    member = file.rules.members.get(above.type) if above is not None else None
    if above is None or member is None:
        return False
    receiver, held = node_at(above, member[0]), node_at(above, member[1])
    return receiver is not None and held is not None and name.id == receiver.id != held.id


def _makes(file: SourceFile, name: Node) -> bool:
    """Return whether a class is asked for an object of it."""
    above = name
    while above.parent is not None and is_last(file, above):
        above = above.parent
    holder = above.parent
    if holder is None or not file.rules.makers or not is_receiver(file, above):
        return False
    held = node_at(holder, file.rules.members[holder.type][1])
    return held is not None and file.text(held) in file.rules.makers


def is_followed_by(file: SourceFile, name: Node, signs: str) -> bool:
    """Return whether one of some signs stands right behind a name."""
    following = name.next_sibling
    return following is not None and file.text(following)[:1] in signs


def _behind(file: SourceFile, name: Node) -> str:
    """Return what stands right behind a name, two bytes of it."""
    return file.tree.data[name.end_byte : name.end_byte + 2].decode(errors="replace")


def is_last(file: SourceFile, name: Node) -> bool:
    """Return whether a name is what is looked up in the node around it."""
    above = name.parent
    member = file.rules.members.get(above.type) if above is not None else None
    held = node_at(above, member[1]) if above is not None and member is not None else None
    return held is not None and held.id == name.id


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
    if rules.handed_on and re.match(rules.handed_on, _behind(file, name)):
        return "value"
    if above is not None and above.type in rules.unparsed and is_followed_by(file, name, "("):
        return "call"
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
