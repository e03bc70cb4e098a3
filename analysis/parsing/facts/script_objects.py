"""Members that scripts give to objects, functions and prototypes after they were made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, STAND_IN, B, E, O, S, U
from analysis.parsing.facts.script_handovers import TABLES
from analysis.parsing.facts.script_statements import ScriptStatementVisitor

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

_PROTOTYPE = re.compile(rb"\.prototype\b")
_NAME_BEFORE = re.compile(rb"[A-Za-z_$][\w$]*\Z")
# Longer names than this are made by programs.
_MAX_NAME = 80


class ScriptObjectVisitor(ScriptStatementVisitor):
    """Visits assignments to members."""

    def __init__(self, builder: FactsBuilder, tree: ParsedTree) -> None:
        super().__init__(builder, tree)
        self._with_prototype = set(_names_before(_PROTOTYPE, tree.data))
        self._bound: dict[tuple[int, int], int] = {}
        self._given: set[tuple[int, int]] = set()
        self._n_bound = 0

    def constructed(self, name: Node, scope: int) -> int:
        """Return the scope of the members of what a function makes, -1 if it makes nothing."""
        if self.tree.text(name) not in self._with_prototype:
            return NONE
        known = self._members_of(self.name_of(name), scope)
        if known != NONE:
            return known
        index = self.class_behind(self.name_of(name), scope, self.place_of(name))
        return self.builder.classes[index].scope

    def assign_member(self, node: Node, left: Node, scope: int) -> bool:
        """Note ``a.b = value``; False if the left side is no member with a name."""
        if self.assign_exports(node, left, scope):
            return True
        owner, last = left.child_by_field_name("object"), left.child_by_field_name("property")
        if owner is None or last is None:
            return False
        home = self._home_of(owner, scope)
        name, place = self.name_of(last), self.place_of(last)
        is_first = owner.type != "this" and home != NONE and not self._is_bound(home, name)
        right = node.child_by_field_name("right")
        if right is not None and right.type == "function_expression":
            self.own_this = home
        self.bound_at = NONE
        if right is not None and right.type in TABLES:
            self.table = self.row_named(left)
        value = self.visit(right, scope)
        self.table = NONE
        self.hand_over_assigned(right, left)
        self.assigned = value
        if home == NONE or (owner.type != "this" and left.type != "member_expression"):
            target = self.visit(left, scope, U.WRITE)
            self.builder.expression(E.ASSIGNED, target, value)
            return True
        row = self.visit(owner, scope, U.READ)
        self.builder.expression(E.ASSIGNED, self.builder.expression(E.ATTRIBUTE, row, name), value)
        if is_first:
            self.occurs(last, O.DEFINITION, home, NONE, U.DEFINITION)
        else:
            self.occurs(last, O.ATTRIBUTE, scope, row, U.WRITE)
        kind, function, _ = self.builder.row_of(value)
        if kind == E.FUNCTION and owner.type != "this":
            self.builder.bind(home, name, B.FUNCTION, place, function, effective=1)
        else:
            self.builder.bind(
                home, name, B.ASSIGN, place, value, eval_scope=scope, is_instance=True
            )
        return True

    def _home_of(self, owner: Node, scope: int) -> int:
        """Return the scope of the members of what stands before a dot, -1 if it is not known."""
        if owner.type == "this":
            return self.class_scope
        if owner.type == "identifier":
            return self._members_of(self.name_of(owner), scope)
        first, last = owner.child_by_field_name("object"), owner.child_by_field_name("property")
        if first is None or last is None or first.type != "identifier":
            return NONE
        if self.tree.text(last) != "prototype":
            return NONE
        return self._members_of(self.name_of(first), scope)

    def _members_of(self, name: int, scope: int) -> int:
        """Return the scope of the members of an object, class or function with a name."""
        index = self._binding_of(name, scope)
        if index == NONE:
            return NONE
        binding = self.builder.facts.bindings[index]
        if binding.kind == B.CLASS:
            return self.builder.classes[binding.a].scope
        value = binding.a if binding.kind == B.ASSIGN else NONE
        kind, cls, _ = self.builder.row_of(value)
        if kind == E.OBJECT:
            return self.builder.classes[cls].scope
        is_made = kind in (E.FUNCTION, E.CALL, E.NEW, E.CHOICE)
        if binding.kind != B.FUNCTION and not is_made:
            return NONE
        return self.builder.classes[self.class_behind(name, binding.scope, binding.place)].scope

    def class_behind(self, name: int, scope: int, place: int) -> int:
        """Make the class that a function or object with members stands for; return its index.

        Its bases are not known: they are set by calls that differ from library to library.
        """
        index = self.open_class(name, scope, scope, place, S.CLASS)
        unknown = self.builder.expression(E.UNKNOWN)
        row = self.builder.classes[index]
        self.builder.classes[index] = row._replace(
            bases=self.builder.pool([unknown]), is_interface=STAND_IN
        )
        self.builder.bind(scope, name, B.CLASS, place, index, effective=1)
        return index

    def _is_bound(self, scope: int, name: int) -> bool:
        """Return whether a member was given before; the member counts as given from now on."""
        self._note_bindings()
        is_bound = (scope, name) in self._bound or (scope, name) in self._given
        self._given.add((scope, name))
        return is_bound

    def _binding_of(self, name: int, scope: int) -> int:
        """Return the last binding of a name so far, seen from a scope; a class before others."""
        self._note_bindings()
        while scope >= 0:
            index = self._bound.get((scope, name), NONE)
            if index != NONE:
                return index
            scope = self.builder.facts.scopes[scope].parent
        return NONE

    def _note_bindings(self) -> None:
        bindings = self.builder.facts.bindings
        for index in range(self._n_bound, len(bindings)):
            row = bindings[index]
            known = self._bound.get((row.scope, row.name))
            if known is None or bindings[known].kind != B.CLASS:
                self._bound[row.scope, row.name] = index
        self._n_bound = len(bindings)

    def assign_exports(self, node: Node, left: Node, scope: int) -> bool:
        """Note an assignment to what the file exports; False if it is none."""
        raise NotImplementedError


def _names_before(pattern: re.Pattern[bytes], data: bytes) -> Iterator[str]:
    """Yield the names that stand right before the matches of a pattern."""
    for match in pattern.finditer(data):
        name = _NAME_BEFORE.search(data[max(match.start() - _MAX_NAME, 0) : match.start()])
        if name:
            yield name[0].decode()
