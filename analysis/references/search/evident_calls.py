"""Calls in languages without facts that can mean one definition only, by syntax and place alone.

What is stated here is stated as a call, so each rule asks for more than is usual: the name stands
for nothing else in the function around, and only one definition can be seen from there. Everything
else is left to guesses, which are called that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from posixpath import dirname
from typing import TYPE_CHECKING

from analysis.models import CodeEdge, SymbolChoice
from analysis.parsing.grammars import TABLE_LANGUAGES, table_of
from analysis.parsing.grammars.paths import node_at, nodes_at
from analysis.parsing.languages import language_of
from analysis.parsing.trees import MissingGrammar, OutOfTime, parse_tree
from analysis.references.search.guesses import choice_from
from analysis.stopping import Deadline

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.index.symbols import SymbolRow
    from analysis.models import SymbolInfo
    from analysis.parsing.grammars.table import CallRules
    from analysis.parsing.trees import ParsedTree
    from analysis.references.search.session import ResolutionSession

_TIME_LIMIT_S = 2.0
_FUNCTIONS = frozenset({"function", "method"})
# Types of nodes that name variables rather than members.
_VARIABLES = frozenset({"identifier"})


@dataclass(frozen=True, slots=True)
class _ParsedFile:
    """A file whose calls are looked at."""

    path: str
    language: str
    tree: ParsedTree
    rules: CallRules


class EvidentCalls:
    """Finds the calls of definitions that leave no doubt about what is called."""

    def __init__(self, code: ResolutionSession) -> None:
        self._code = code
        self._files: dict[str, _ParsedFile | None] = {}

    def edges_from(self, path: str, sources: Sequence[SymbolChoice]) -> Iterator[CodeEdge]:
        """Yield the calls in definitions of a file that can mean one definition only."""
        file = self._file(path)
        if file is None:
            return
        infos = {(r.info.line, r.info.qualified_name): r.info for r in self._code.symbols_in(path)}
        for source in sources:
            info = infos.get((source.line, source.qualified_name))
            if info is None or info.kind not in _FUNCTIONS:
                continue
            own, around = self._functions(file, info)
            if own is None or around is None:
                continue
            for call, name, receiver in _calls(file, own):
                target = self._target(file, around, call, name, receiver)
                if target is not None and choice_from(target) != source:
                    line = name.start_point.row + 1
                    yield CodeEdge(source, choice_from(target), line, "call", resolved=True)

    def _file(self, path: str) -> _ParsedFile | None:
        """Return a file's tree; nothing if the language has no rules, or the file is broken."""
        if path not in self._files:
            self._files[path] = None
            language = language_of(path)
            rules = table_of(language).calls if language in TABLE_LANGUAGES else None
            if rules is not None:
                try:
                    tree = parse_tree(language, self._code.text(path), Deadline(_TIME_LIMIT_S))
                except (MissingGrammar, OutOfTime):
                    return None
                if not tree.root.has_error:
                    self._files[path] = _ParsedFile(path, language, tree, rules)
        return self._files[path]

    def _functions(self, file: _ParsedFile, info: SymbolInfo) -> tuple[Node | None, Node | None]:
        """Return the definition itself, and the outermost function around its name."""
        lines = file.tree.line_starts()
        line = self._code.raw_line(file.path, info.name_line)
        offset = lines[info.name_line - 1] + len(line[: info.name_column].encode())
        node = file.tree.root.descendant_for_byte_range(offset, offset + 1)
        table = table_of(file.language)
        own = around = None
        while node is not None:
            if own is None and node.type in table.definitions:
                own = node
            if node.type in file.rules.functions:
                around = node
            node = node.parent
        return own, around

    def _target(
        self,
        file: _ParsedFile,
        around: Node,
        call: Node,
        name: Node,
        receiver: Node | None,
    ) -> SymbolRow | None:
        """Return the one definition that a call can mean."""
        text = file.tree.text(name)
        if receiver is None:
            if not self._is_only_called(file, around, text):
                return None
            if file.rules.plain_methods:
                return self._own_method(file, around, call, text)
            return self._function_seen(file, around, text)
        if self._is_own(file, around, receiver):
            return self._own_method(file, around, call, text)
        return None

    def _is_only_called(self, file: _ParsedFile, around: Node, text: str) -> bool:
        """Return whether a name stands in a function for nothing but what is called by it."""
        for node in _all_below(around):
            if node.child_count or node.type not in file.rules.names:
                continue
            if file.tree.text(node) == text and not self._is_called(file, node):
                own = node_at(around, file.rules.function_name)
                if own is None or own.id != node.id:
                    return False
        return True

    def _is_called(self, file: _ParsedFile, name: Node) -> bool:
        parent = name.parent
        while parent is not None and parent.end_byte == name.end_byte:
            parent = parent.parent
        rule = file.rules.calls.get(parent.type) if parent is not None else None
        if parent is None or rule is None:
            return False
        called = node_at(parent, rule.name)
        return called is not None and called.id == name.id

    def _is_own(self, file: _ParsedFile, around: Node, receiver: Node) -> bool:
        """Return whether a receiver is the object that the method around belongs to."""
        text = file.tree.text(receiver)
        if text in file.rules.own:
            return True
        named = node_at(around, file.rules.own_name) if file.rules.own_name else None
        if named is None or file.tree.text(named) != text or receiver.child_count:
            return False
        return all(
            node.id == named.id
            or (node.parent is not None and node.parent.type in file.rules.reading)
            for node in _all_below(around)
            if file.tree.text(node) == text and not node.child_count and node.type in _VARIABLES
        )

    def _own_method(
        self, file: _ParsedFile, around: Node, call: Node, text: str
    ) -> SymbolRow | None:
        """Return the one method of the class around, if nothing else can be called by its name."""
        if any(node.type in file.rules.bodies for node in _between(call, around)):
            return None
        owner = self._owner(file, around)
        if not owner:
            return None
        rows = [
            row
            for row in self._code.symbols_named(text)
            if row.info.qualified_name == f"{owner}.{text}" and self._is_near(file, row)
        ]
        is_method = len(rows) == 1 and rows[0].info.kind == "method"
        return rows[0] if is_method and self._has_no_bases(file, around, text) else None

    def _is_near(self, file: _ParsedFile, row: SymbolRow) -> bool:
        """Return whether a definition is in the file, or in the package if names are seen there."""
        if file.rules.sees != "folder":
            return row.path == file.path
        return (
            dirname(row.path) == dirname(file.path)
            and language_of(row.path) == file.language
            and self._package(row.path) == self._package(file.path)
        )

    def _has_no_bases(self, file: _ParsedFile, around: Node, text: str) -> bool:
        """Return whether a class has no methods but those that stand in it."""
        rules = file.rules
        if not rules.classes:
            return True
        table = table_of(file.language)
        holder = around.parent
        while holder is not None and holder.type not in table.definitions:
            holder = holder.parent
        if holder is None or holder.type not in rules.classes or text in rules.inherited:
            return False
        is_open = any(file.tree.text(child) == "partial" for child in holder.children)
        return not is_open and not (rules.bases and nodes_at(holder, rules.bases))

    def _owner(self, file: _ParsedFile, around: Node) -> str:
        """Return the qualified name of the class that a method belongs to."""
        name = node_at(around, file.rules.function_name)
        if name is None:
            return ""
        line = name.start_point.row + 1
        plain = file.tree.text(name)
        found = [
            row.info.qualified_name
            for row in self._code.symbols_in(file.path)
            if row.info.name_line == line and row.info.name == plain and row.info.kind == "method"
        ]
        return found[0].rpartition(".")[0] if len(found) == 1 else ""

    def _function_seen(self, file: _ParsedFile, around: Node, text: str) -> SymbolRow | None:
        """Return the one function of a name that can be seen from a function."""
        rules = file.rules
        if any(node.type in rules.scopes for node in _between(around, file.tree.root)):
            return None
        if any(text.encode() in (node.text or b"") for node in self._imports(file)):
            return None
        rows = [
            row
            for row in self._code.symbols_named(text)
            if row.info.qualified_name == text and language_of(row.path) == file.language
        ]
        if rules.sees != "code base":
            rows = [row for row in rows if self._is_near(file, row)]
        elif any(row.path == file.path and not row.info.exported for row in rows):
            rows = [row for row in rows if row.path == file.path]
        if len(rows) != 1 or rows[0].info.kind != "function":
            return None
        found = rows[0]
        if rules.sees == "code base" and not self._is_linked(file, found):
            return None
        return found

    def _is_linked(self, file: _ParsedFile, row: SymbolRow) -> bool:
        """Return whether a function of C is what a file calls by its name.

        A library or a macro can have a function of the same name, so only those of the file alone
        are believed; and not one under a condition, which is not there for all who call it.
        """
        is_own = row.path == file.path and not row.info.exported
        if not is_own or row.info.signature.startswith("#"):
            return False
        other = self._file(row.path)
        if other is None:
            return False
        at = row.info.name_line - 1
        node = other.tree.root.descendant_for_point_range((at, 0), (at, 1))
        while node is not None:
            if node.type.startswith("preproc_"):
                return False
            node = node.parent
        return True

    def _imports(self, file: _ParsedFile) -> Iterator[Node]:
        """Yield the imports of a file that can bring in names that are not seen here."""
        return (node for node in file.tree.root.children if node.type in file.rules.imports)

    def _package(self, path: str) -> str:
        """Return the package that a file of Go says it is of."""
        for line in self._code.text(path).split("\n"):
            if line.startswith("package "):
                return line.split()[1]
        return ""


def _calls(file: _ParsedFile, own: Node) -> Iterator[tuple[Node, Node, Node | None]]:
    """Yield each call in a definition, the name that is called, and its receiver."""
    for node in _all_below(own):
        rule = file.rules.calls.get(node.type)
        name = node_at(node, rule.name) if rule is not None else None
        if rule is None or name is None or name.type not in file.rules.names:
            continue
        receiver = node_at(node, rule.receiver) if rule.receiver else None
        is_plain = name.parent is not None and name.parent.id == node.id
        if receiver is not None or is_plain:
            yield node, name, receiver


def _all_below(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def _between(node: Node, around: Node) -> Iterator[Node]:
    """Yield what stands around a node inside of another one."""
    parent = node.parent
    while parent is not None and parent.id != around.id:
        yield parent
        parent = parent.parent
