"""Which members a place can see: those of objects or of the class itself, of which class around."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.references.grammars.classes import CLASS_KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from analysis.index.symbols import SymbolRow
    from analysis.references.grammars.meaning import Meanings
    from analysis.references.grammars.source import SourceFile

_FUNCTIONS = frozenset({"function", "method"})


class Levels:
    """Leaves out members of the right name and class that a place cannot mean."""

    def __init__(self, meanings: Meanings) -> None:
        self._meanings = meanings

    def looked_up(
        self, file: SourceFile, receiver: Node, rows: Sequence[SymbolRow]
    ) -> list[SymbolRow]:
        """Return the members that can be looked up in a receiver."""
        rules = file.rules
        if not rules.static:
            return list(rows)
        if file.text(receiver) in rules.own:
            wanted = _level(file, receiver)
        else:
            wanted = receiver.type in rules.static_receivers
        return self._of_level(rows, wanted)

    def seen(
        self,
        file: SourceFile,
        node: Node,
        rows: Sequence[SymbolRow],
        qualified: str,
    ) -> list[SymbolRow]:
        """Return the members of a class around a place that can be named there by themselves.

        Args:
            file: The file of the place.
            node: The name.
            rows: Members of its spelling.
            qualified: The class.
        """
        around = [row for row in file.around(node) if _holds_members(row)]
        if file.rules.hides_outer and around and around[0].info.qualified_name != qualified:
            rows = [row for row in rows if not is_plain_member(row)]
        if file.rules.is_apart:
            homes = [row for row in around if row.info.qualified_name == qualified]
            rows = [row for row in rows if not homes or _is_in(row, homes[0])]
        return self._of_level(rows, _level(file, node)) if file.rules.static else list(rows)

    def _of_level(self, rows: Sequence[SymbolRow], wanted: object) -> list[SymbolRow]:
        return [row for row in rows if not is_plain_member(row) or self._own_level(row) is wanted]

    def _own_level(self, row: SymbolRow) -> bool | None:
        file = self._meanings.files.get(row.path)
        name = file.node_of(row) if file is not None else None
        return _level(file, name) if file is not None and name is not None else False


def _holds_members(row: SymbolRow) -> bool:
    return row.info.kind in CLASS_KINDS or row.info.kind == "module"


def is_plain_member(row: SymbolRow) -> bool:
    """Return whether a definition is a method or property, rather than a type or constant."""
    is_constant = row.info.name[:1].isupper()
    return row.info.kind in _FUNCTIONS or (row.info.kind == "property" and not is_constant)


def _is_in(row: SymbolRow, home: SymbolRow) -> bool:
    """Return whether a member of a class stands in one of several definitions of its name."""
    if row.path != home.path or row.parent != home.info.qualified_name:
        return True
    return home.info.line <= row.info.line <= home.info.line_end


def _level(file: SourceFile, node: Node) -> bool | None:
    """Return whether a place belongs to the class itself; None if nobody knows."""
    is_in_method = is_in_block = False
    above = node.parent
    while above is not None:
        rule = file.rule_at(above)
        if above.type in file.rules.static:
            return True
        if rule is not None and rule.kind in _FUNCTIONS:
            is_in_method = True
        elif rule is not None and (rule.kind in CLASS_KINDS or rule.kind == "module"):
            return None if is_in_block and not is_in_method else not is_in_method
        is_in_block |= above.type in file.rules.blocks
        above = above.parent
    return False if is_in_method else None
