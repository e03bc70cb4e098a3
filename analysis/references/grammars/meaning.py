"""What an identifier means, by what is declared around it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.parsing.grammars.paths import node_at, nodes_at
from analysis.references.grammars.bindings import local_binding
from analysis.references.grammars.classes import CLASS_KINDS, ClassMembers, ClassRef
from analysis.references.grammars.kinds import (
    is_followed_by,
    is_in_import,
    is_receiver,
    use_kind,
)
from analysis.references.grammars.levels import Levels
from analysis.references.grammars.modules import Modules
from analysis.references.grammars.overloads import argument_count, fitting
from analysis.references.grammars.source import SourceFiles, is_part, is_within
from analysis.references.grammars.types import Types
from analysis.references.grammars.visible import Visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from analysis.index.symbols import SymbolRow
    from analysis.references.grammars.source import DefinitionSource, SourceFile

_FUNCTIONS = frozenset({"function", "method"})
_VALUES = frozenset({"variable", "property"})
# A chain of calls, each of which needs the one before it.
_MAX_DEPTH = 24


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an identifier means."""

    rows: tuple[SymbolRow, ...] = ()
    is_known: bool = False
    """Whether it means these and nothing else; with none of them it means something else."""


UNKNOWN = Meaning()
OTHER = Meaning(is_known=True)


class Meanings:
    """Resolves identifiers of one state of a code base."""

    def __init__(self, code: DefinitionSource, files: SourceFiles) -> None:
        self.code = code
        self.files = files
        self.classes = ClassMembers(self)
        self.modules = Modules(self)
        self.levels = Levels(self)
        self.visible = Visible(self)
        self.types = Types(self)
        self._known: dict[tuple[str, int], Meaning] = {}
        self._depth = 0

    def of(self, file: SourceFile, node: Node) -> Meaning:
        """Return what an identifier means."""
        key = (file.path, node.start_byte)
        known = self._known.get(key)
        if known is not None:
            return known
        if self._depth >= _MAX_DEPTH:
            return UNKNOWN
        # What needs itself to be known is not known.
        self._known[key] = UNKNOWN
        self._depth += 1
        try:
            found = self._known[key] = self._of(file, node)
        finally:
            self._depth -= 1
        return found

    def _of(self, file: SourceFile, node: Node) -> Meaning:
        row = file.row_at(node)
        if row is not None and not is_part(row):
            return Meaning((row,), is_known=True)
        text = file.text(node)
        access = access_of(file, node)
        if access is not None:
            return self._member(file, node, access[0], text)
        literal = self._literal_of(file, node)
        if literal is not None:
            made = node_at(literal, file.rules.fields[literal.type][1])
            if made is not None and made.type in file.rules.elements:
                return self._plain(file, node, text)
            cls = self.types.class_of(self.types.named(file, made))
            if cls is None:
                return UNKNOWN
            return self._chosen(file, node, self.classes.member(cls, text).rows)
        if "." in text and node.type in file.rules.names:
            return self._module(file, node, text)
        return self._plain(file, node, text)

    def _module(self, file: SourceFile, node: Node, text: str) -> Meaning:
        """Return what a name means that is written with what it is looked up in."""
        *parts, last = text.split(".")
        found = self.modules.of_path(file, node, parts, last)
        if found is None or not found.is_known:
            return UNKNOWN
        return self._chosen(file, node, found.rows) if found.rows else OTHER

    def _plain(self, file: SourceFile, node: Node, text: str) -> Meaning:
        """Return what a name without a receiver means."""
        around = node.parent.type if node.parent is not None else ""
        if around in file.rules.detached or not self._is_sure(file, node, around):
            return UNKNOWN
        if around in file.rules.ignored or _is_implied(file, node, text):
            return OTHER
        if is_in_import(file, node):
            bound = [item for _, item in self.visible.imports(file)]
            if all(text not in (item.name, *item.path[-1:]) for item in bound):
                return OTHER
        is_variable = around in file.rules.variables
        local = local_binding(file, node, text) if is_variable or not file.rules.variables else None
        if is_variable and local is None:
            return OTHER
        if local is not None:
            row = file.row_at(local.name)
            return Meaning((row,), is_known=True) if row is not None else OTHER
        if around in file.rules.unparsed and not _names_more(file, node):
            return UNKNOWN
        found = self.visible.rows(file, node, text)
        if not found.is_known or self._is_extension(file, node, found.rows):
            return UNKNOWN
        return self._chosen(file, node, found.rows) if found.rows else OTHER

    def _is_sure(self, file: SourceFile, node: Node, around: str) -> bool:
        rules = file.rules
        if node.type in rules.firm:
            return True
        is_sure = not rules.sure_in or around in rules.sure_in
        return is_sure and not file.is_below(node, rules.sketches)

    def _is_extension(self, file: SourceFile, node: Node, rows: Sequence[SymbolRow]) -> bool:
        """Return whether a function needs a receiver, which a plain name has not."""
        if not file.rules.extensions or is_in_import(file, node):
            return False
        pattern = file.rules.extensions + re.escape(file.text(node)) + r"\b"
        functions = [row for row in rows if row.info.kind in _FUNCTIONS]
        # The language brings functions of its own, which compete with overloads.
        return len({row.info.signature.partition("(")[2] for row in functions}) > 1 or any(
            re.search(pattern, row.info.signature) for row in rows
        )

    def _member(self, file: SourceFile, node: Node, receiver: Node, text: str) -> Meaning:
        """Return what a name means that is looked up in a receiver."""
        module = self.modules.members(file, receiver, text)
        if module is not None:
            if not module.is_known:
                return UNKNOWN
            return self._chosen(file, node, module.rows) if module.rows else OTHER
        if is_in_import(file, node) and not file.rules.uses_paths:
            return OTHER
        cls = self.types.class_of(self.types.infer(file, receiver))
        if cls is None:
            return UNKNOWN
        rows = self.classes.member(cls, text).rows
        return self._chosen(file, node, self.levels.looked_up(file, receiver, rows))

    def _chosen(self, file: SourceFile, node: Node, rows: Sequence[SymbolRow]) -> Meaning:
        """Return what is meant of definitions of one name, such as overloads."""
        if any(self._is_conditional(file, row) for row in rows):
            return UNKNOWN
        if rows and file.text(node) in file.rules.inherited and argument_count(file, node):
            return UNKNOWN  # one of the language's own takes as many
        if file.rules.macros:
            is_macro = node.parent is not None and node.parent.type in file.rules.macros
            rows = [row for row in rows if row.info.signature.startswith("macro_rules") is is_macro]
        kinds = file.rules.means.get(node.type)
        if kinds and any(row.info.kind not in kinds for row in rows):
            return UNKNOWN
        if file.rules.sketches and file.rules.class_modules:
            is_sketch = file.is_below(node, file.rules.sketches)
            rows = [row for row in rows if (row.info.kind == "type") is is_sketch] or rows
        possible = [row for row in rows if _can_stand(file, node, row)]
        if rows and not possible:
            return OTHER
        rows = possible
        if self._is_a_type_as_well(file, node, rows):
            return UNKNOWN
        found = fitting(self, file, node, _of_kind(file, node, rows))
        return Meaning(tuple(found), is_known=bool(found))

    def _is_a_type_as_well(self, file: SourceFile, node: Node, rows: Sequence[SymbolRow]) -> bool:
        """Return whether what something is looked up in can be a type of the variable's name."""
        if not is_receiver(file, node) or any(row.info.kind not in _VALUES for row in rows):
            return False
        named = self.visible.candidates(file, file.text(node))
        return any(row.info.kind in CLASS_KINDS for row in named)

    def _is_conditional(self, file: SourceFile, row: SymbolRow) -> bool:
        """Return whether a definition is left out of some programs that a use is part of."""
        if row.path == file.path:
            return False
        if file.rules.links:
            home = self.files.get(row.path)
            name = home.node_of(row) if home is not None else None
            return home is not None and name is not None and home.is_conditional(name)
        if not file.rules.constraint:
            return False
        condition = self.files.constraint(row.path)
        return bool(condition) and condition != self.files.constraint(file.path)

    def _literal_of(self, file: SourceFile, node: Node) -> Node | None:
        """Return the part of a literal whose key a name is."""
        below, above = node, node.parent
        for _ in range(3):
            if above is None:
                return None
            rule = file.rules.fields.get(above.type)
            if rule is not None:
                keys = nodes_at(above, rule[0])
                if any(key.id in (below.id, node.id) for key in keys):
                    return above
            below, above = above, above.parent
        return None

    def owner_of(self, row: SymbolRow) -> ClassRef | None:
        """Return the class that a definition is a member of."""
        return ClassRef(row.path, row.parent) if row.parent else self._owner_outside(row)

    def _owner_outside(self, row: SymbolRow) -> ClassRef | None:
        owner = row.info.qualified_name.rpartition(".")[0]
        return ClassRef(row.path, owner) if owner and row.info.kind not in CLASS_KINDS else None


def _can_stand(file: SourceFile, node: Node, row: SymbolRow) -> bool:
    """Return whether a definition can be named at a place, which a function cannot for a type."""
    if row.info.kind not in _FUNCTIONS:
        return True
    if use_kind(file, node) in ("type", "base", "construction"):
        return False
    return bool(file.rules.called_bare) or not is_receiver(file, node)


def _is_implied(file: SourceFile, node: Node, text: str) -> bool:
    """Return whether a name means what the language gives it around a place."""
    above = node.parent if any(text in names for names in file.rules.implied.values()) else None
    while above is not None:
        if text in file.rules.implied.get(above.type, ()):
            return True
        above = above.parent
    return False


def _names_more(file: SourceFile, node: Node) -> bool:
    """Return whether a name in a text that is not parsed is called, a path or a type."""
    return is_followed_by(file, node, "(:!") or file.text(node)[:1].isupper()


def _of_kind(file: SourceFile, node: Node, rows: Sequence[SymbolRow]) -> Sequence[SymbolRow]:
    """Return the types where a type is named, functions where one is called, if there are such."""
    if file.rules.links and not file.rules.plain_members and node.type == "identifier":
        return [row for row in rows if row.info.kind not in CLASS_KINDS]
    if len(rows) < 2:
        return rows
    is_type = node.type == "type_identifier"
    rows = [row for row in rows if (row.info.kind in CLASS_KINDS) is is_type] or rows
    is_call = use_kind(file, node) == "call"
    return [row for row in rows if (row.info.kind in _FUNCTIONS) is is_call] or rows


def access_of(file: SourceFile, name: Node) -> tuple[Node, Node] | None:
    """Return the receiver in which a name is looked up, and the node that holds both."""
    above = name.parent
    while above is not None:
        rule = file.rules.members.get(above.type)
        if rule is not None:
            held = node_at(above, rule[1])
            receiver = node_at(above, rule[0])
            if held is None or not is_within(name, held):
                return None
            if receiver is not None and receiver.id != held.id:
                return receiver, above
            return None
        if above.type not in file.rules.through:
            return None
        above = above.parent
    return None
