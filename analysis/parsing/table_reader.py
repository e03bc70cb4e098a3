"""Definitions and imports of a file in any language that has a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from analysis.models import ImportInfo
from analysis.parsing.grammars.paths import key_of, node_at, nodes_at
from analysis.parsing.signatures import one_line
from analysis.parsing.table_drafts import Statement, draft_of, end_row, says
from analysis.parsing.trees import Positions, check_time

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.models import SymbolKind
    from analysis.parsing.drafts import Draft
    from analysis.parsing.grammars.table import DefinitionRule, LanguageTable, MemberPlace
    from analysis.parsing.trees import ParsedTree

_POLL_EVERY = 512
_MEMBERS = frozenset({"class", "interface", "enum"})
# Inside a function these are its own business.
_LOCAL = frozenset({"variable", "property"})
_QUOTES = "\"'<>`"


@dataclass(slots=True)
class _OpenNode:
    """A node whose children are being read, and what was read just before the next one."""

    children: Iterator[Node]
    place: MemberPlace
    around: Draft | None
    """The definition whose members these are."""
    comments: list[Node] = field(default_factory=list)
    attributes: list[Node] = field(default_factory=list)
    documents: list[Node] = field(default_factory=list)
    row: int = -1
    """Where what was read last ends, comments apart."""
    near: int = -2
    """Where the last comment or attribute ends."""
    last: tuple[str, Draft] | None = None
    """Key and draft of the definition right before."""

    def clear(self, row: int) -> None:
        """Forget what stood above the node that has been read."""
        self.comments, self.attributes, self.documents = [], [], []
        self.row = row


class TableReader:
    """One walk over a file; what the table does not name is not entered."""

    def __init__(self, tree: ParsedTree, table: LanguageTable) -> None:
        self.tree = tree
        self.table = table
        self.drafts: list[Draft] = []
        self.imports: list[ImportInfo] = []
        self.inner_imports: list[ImportInfo] = []
        self.docstring: str | None = None
        self.misread: list[tuple[int, int]] = []
        """First and last rows of what cannot be what the tree says."""
        self._nested = tree.positions(_pattern(table.nested)) if table.nested else Positions([])
        self._stack: list[_OpenNode] = []

    def read(self) -> None:
        """Fill ``drafts`` and the imports."""
        self._stack.append(_OpenNode(iter(self.tree.root.children), "module", None))
        n_seen = 0
        while self._stack:
            frame = self._stack[-1]
            node = next(frame.children, None)
            n_seen += 1
            if n_seen % _POLL_EVERY == 0:
                check_time(self.tree.deadline)
            if node is None:
                self._stack.pop()
            elif node.is_named:
                self._read(node, frame)

    def _read(self, node: Node, frame: _OpenNode) -> None:
        table = self.table
        kind = node.type
        if kind in table.comments:
            self._note_comment(node, frame)
            return
        key = self._key(node, kind)
        if key in table.attributes or key in table.documents:
            listed = frame.documents if key in table.documents else frame.attributes
            listed.append(node)
            frame.near = end_row(self.tree, node)
            return
        if key in table.inside_documents:
            if frame.around is not None and frame.around.docstring is None:
                frame.around.docstring = says(self.tree, [node], table)
            return
        self._visit(node, kind, key, Statement(node), frame)
        frame.clear(end_row(self.tree, node))

    def _note_comment(self, node: Node, frame: _OpenNode) -> None:
        row = node.start_point.row
        inner = self.table.inner_comment
        if row == 0 and self.tree.data.startswith(b"#!"):
            return
        if inner and self.tree.data.startswith(inner.encode(), node.start_byte):
            target = self if frame.around is None else frame.around
            target.docstring = target.docstring or says(self.tree, [node], self.table)
            return
        if row == frame.row and not frame.comments:
            return  # it is about what stands before it on its line
        if frame.comments and row > frame.near + 1:
            frame.comments = []
        frame.comments.append(node)
        frame.near = end_row(self.tree, node)

    def _key(self, node: Node, kind: str) -> str:
        return key_of(node, self.table, self.tree) if kind in self.table.keyed else kind

    def _visit(
        self, node: Node, kind: str, key: str, statement: Statement, frame: _OpenNode
    ) -> None:
        """Take what a node defines, and enter what may define more."""
        table = self.table
        rule = table.definitions.get(key)
        if rule is None and key not in table.transparent:
            rule = table.definitions.get(kind)
        if rule is not None and self._applies(rule, node, frame.place):
            self._define(node, key, rule, statement, frame)
        elif key in table.imports:
            self._import(node, key, frame.place)
        elif key in table.wrappers and (inner := self._only_definition(node)) is not None:
            inner_kind = inner.type
            self._visit(inner, inner_kind, self._key(inner, inner_kind), statement, frame)
        elif kind == "ERROR" or key in table.transparent or key in table.wrappers:
            self._enter(node, frame.place, frame.around)
        elif self._nested.any_in(node.start_byte, node.end_byte):
            if table.expressions_are_broken and frame.place != "inner":
                self.misread.append((node.start_point.row, node.end_point.row))
            keeps = key in table.doubtful or kind in table.doubtful
            self._enter(node, frame.place if keeps else "inner", frame.around)

    def _applies(self, rule: DefinitionRule, node: Node, place: MemberPlace) -> bool:
        if rule.places and place not in rule.places:
            return False
        return not rule.required or node_at(node, rule.required) is not None

    def _only_definition(self, node: Node) -> Node | None:
        """Return the definition that a wrapper is all about, unless it can hold several."""
        table = self.table
        if any(child.type == "(" for child in node.children):
            return None
        found = [
            child
            for child in node.named_children
            if (key := self._key(child, child.type)) in table.definitions or key in table.wrappers
        ]
        return found[0] if len(found) == 1 else None

    def _enter(self, node: Node, place: MemberPlace, around: Draft | None) -> None:
        self._stack.append(_OpenNode(iter(node.children), place, around))

    def _define(
        self, node: Node, key: str, rule: DefinitionRule, statement: Statement, frame: _OpenNode
    ) -> None:
        names = nodes_at(node, rule.name, self.table.through)
        names = [name for name in names if name.end_byte > name.start_byte]
        if rule.name_types:
            names = [name for name in names if name.type in rule.name_types]
        if not rule.many:
            names = names[:1]
        beside = nodes_at(node, rule.beside) if rule.beside else []
        statement.comments, statement.attributes = (
            self._above(statement.node, frame),
            [*frame.attributes],
        )
        statement.documents = frame.documents
        statement.is_shared = len(names) > 1 or any(self._has_name(part) for part in beside)
        draft, is_enum = frame.around, False
        for name in names:
            kind = self._kind(node, name, rule, frame.place)
            is_enum = kind == "enum"
            is_own = frame.place == "inner" and kind in _LOCAL and not rule.is_local
            if kind and not is_own:
                found = draft_of(self.tree, self.table, node, name, kind, rule, statement)
                is_seen = frame.place == "interface"
                is_seen |= self.table.hidden_outside and frame.place == "class"
                found.exported = found.exported or is_seen
                draft = self._add(found, key, frame)
        for part in beside:
            self._enter(part.parent or part, frame.place, frame.around)
        is_open = bool(rule.interface_if) and node_at(node, rule.interface_if) is not None
        place: MemberPlace = "interface" if is_open else "enum" if is_enum else rule.place
        for path in rule.members.split():
            for part in nodes_at(node, path):
                if place != "inner" or self._nested.any_in(part.start_byte, part.end_byte):
                    self._enter(part, place, draft)

    def _above(self, node: Node, frame: _OpenNode) -> list[Node]:
        """Return the comments that stand right above a statement."""
        return frame.comments if node.start_point.row <= frame.near + 1 else []

    def _has_name(self, node: Node) -> bool:
        rule = self.table.definitions.get(node.type)
        return (
            rule is not None
            and (not rule.required or node_at(node, rule.required) is not None)
            and node_at(node, rule.name) is not None
        )

    def _add(self, draft: Draft, key: str, frame: _OpenNode) -> Draft:
        """Add a definition, or make the one before it longer if they are one."""
        if key in self.table.merged:
            if frame.last is not None and frame.last[1].name == draft.name:
                before = frame.last[1]
                before.end, before.line_end = draft.end, draft.line_end
                return before
            frame.last = (key, draft)
        else:
            frame.last = None
        self.drafts.append(draft)
        return draft

    def _kind(
        self, node: Node, name: Node, rule: DefinitionRule, place: MemberPlace
    ) -> SymbolKind | None:
        """Return what a name is; nothing if it is no definition."""
        kind: str = rule.kind
        origins = nodes_at(node, rule.kinds_at) if rule.kinds_at else [node]
        types = [child.type for origin in origins for child in origin.children]
        kind = next((rule.kinds[word] for word in types if word in rule.kinds), kind)
        if rule.by_parent:
            parent = name.parent
            while parent is not None and parent.type in self.table.through:
                parent = parent.parent
            kind = rule.by_parent.get(parent.type if parent is not None else "", kind)
            if kind == "method" and place not in _MEMBERS:
                return None  # a prototype
        if place in _MEMBERS and kind == "function":
            return "method"
        if place in ("class", "interface") and kind == "variable":
            return "property"
        return kind or None  # type: ignore[return-value]  # the tables hold kinds only

    def _import(self, node: Node, key: str, place: MemberPlace) -> None:
        rule = self.table.imports[key]
        module = node_at(node, rule.module)
        text = self.tree.text(module).strip(_QUOTES) if module is not None else ""
        origins = nodes_at(node, rule.names) if rule.names else []
        names = [self.tree.text(origin).strip(_QUOTES) for origin in origins]
        if not names and text and rule.binds:
            names = [re.split(r"[/.:\\]+", text)[-1]]
        found = ImportInfo(
            text=one_line(self.tree.text(node), python=self.table.hash_comments, limit=200),
            module=text,
            names=tuple(names),
            line=node.start_point.row + 1,
        )
        (self.imports if place == "module" else self.inner_imports).append(found)


@cache
def _pattern(text: str) -> re.Pattern[bytes]:
    return re.compile(text.encode())
