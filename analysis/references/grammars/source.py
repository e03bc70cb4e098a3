"""A file as its syntax tree, asked about single names: where they stand, what defines them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from posixpath import splitext
from typing import TYPE_CHECKING, Protocol

from analysis.parsing.embedded import code_in
from analysis.parsing.grammars import TABLE_LANGUAGES, shown, table_of
from analysis.parsing.grammars.paths import key_of, node_at, nodes_at
from analysis.parsing.languages import language_of
from analysis.parsing.trees import MissingGrammar, OutOfTime, parse_tree
from analysis.stopping import Deadline

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.index.symbols import SymbolRow
    from analysis.parsing.grammars.table import DefinitionRule, LanguageTable
    from analysis.parsing.grammars.use_rules import UseRules
    from analysis.parsing.trees import ParsedTree

_PART = re.compile(r"(?:[\w()]+\s+)*(?:impl|extension)\b")
_PACKAGE_SIGNS = re.compile(r"\\|::|\s+package\s+")
_TAGS = frozenset({"class", "enum", "interface", "type", "module"})
# Files of more than this are tables or generated; their names are "may" alone.
_MAX_CHARS = 1_000_000
_PARTS = re.compile(r"\.|::|\\")
_QUALIFIER = re.compile(r".*[.:\\](?=\w)")
_FILE_LIMIT_S = 2.0
# No name stands deeper than this in the head of a definition.
_MAX_HEAD = 6
# Trees take some ten times their source.
_MAX_KEPT_CHARS = 12_000_000


class DefinitionSource(Protocol):
    """What is asked of a code base."""

    def paths(self) -> Sequence[str]:
        """Return all files of the code base."""
        ...

    def text(self, path: str) -> str:
        """Return a file's text, empty if it cannot be read."""
        ...

    def symbols_named(self, name: str) -> list[SymbolRow]:
        """Return the definitions with a plain name."""
        ...

    def symbols_in(self, path: str) -> Sequence[SymbolRow]:
        """Return the definitions of a file."""
        ...


class SourceFile:
    """A parsed file of a language with rules for uses."""

    def __init__(
        self,
        path: str,
        tree: ParsedTree,
        table: LanguageTable,
        rules: UseRules,
        rows: Sequence[SymbolRow],
    ) -> None:
        self.path = path
        self.tree = tree
        self.table = table
        self.rules = rules
        self._rows = {(row.info.name_line, row.info.name_column): row for row in rows}
        self._places: dict[str, tuple[Node, ...]] = {}
        self._parts: list[int] | None = None
        self._shown: bytes | None = None

    def occurrences(self, name: str) -> tuple[Node, ...]:
        """Return the identifiers that spell a name, in order; not those in comments and texts."""
        known = self._places.get(name)
        if known is None:
            known = self._places[name] = tuple(self._spelled(name))
        return known

    def _spelled(self, name: str) -> Iterator[Node]:
        for node, _ in self._matches(name):
            is_name = node.type in self.rules.names and not node.child_count
            # Names can go on behind letters: `all'`, `save!`.
            if is_name and _PARTS.split(self.text(node))[-1] == name:
                yield node

    def _matches(self, name: str) -> Iterator[tuple[Node, int]]:
        """Yield the innermost node at each place that spells a name, and where that is."""
        word = name.encode()
        pattern = re.compile(rb"(?<![\w\x80-\xff])" + re.escape(word) + rb"(?![\w\x80-\xff])")
        for match in pattern.finditer(self.tree.data):
            node = self.tree.root.descendant_for_byte_range(match.start(), match.end())
            if node is not None:
                yield node, match.start()

    def unread(self, name: str) -> Iterator[tuple[int, int]]:
        """Yield line and column of places that spell a name where the grammar reads no names."""
        if self.rules.opaque or self.table.unreadable:
            for node, start in self._matches(name):
                if node.type in self.rules.opaque or self._is_left_out(start):
                    starts = self.tree.line_starts()
                    line = bisect_right(starts, start)
                    yield line, len(self.tree.slice(starts[line - 1], start))

    def _is_left_out(self, start: int) -> bool:
        """Return whether the grammar was not shown a place."""
        if not self.table.unreadable:
            return False
        if self._shown is None:
            self._shown = shown(self.table, self.tree.data)
        return self._shown[start] != self.tree.data[start]

    def text(self, node: Node) -> str:
        """Return the source of a node."""
        return self.tree.text(node)

    def place(self, node: Node) -> tuple[int, int]:
        """Return line and column of a node."""
        point = node.start_point
        return point.row + 1, self.tree.column(point)

    def row_at(self, node: Node) -> SymbolRow | None:
        """Return the definition whose name a node is."""
        line, column = self.place(node)
        found = self._rows.get((line, column))
        if found is None and node.type in self.rules.names and not node.child_count:
            last = _QUALIFIER.match(self.text(node))  # as the alias of a module is one name
            found = self._rows.get((line, column + last.end())) if last else None
        return found

    def node_of(self, row: SymbolRow) -> Node | None:
        """Return the name of a definition of this file."""
        found = self.occurrences(row.info.name)
        at = (row.info.name_line, row.info.name_column)
        return next((node for node in found if self.place(node) == at), None)

    def named_at(self, line: int, column: int) -> Node | None:
        """Return the identifier at a place; with column 0 the first of the line."""
        starts = self.tree.line_starts()
        if not 1 <= line <= len(starts):
            return None
        end = starts[line] if line < len(starts) else len(self.tree.data)
        shown = self.tree.slice(starts[line - 1], end)
        for match in re.finditer(r"\w+", shown):
            if match.start() <= column <= match.end():
                first = starts[line - 1] + len(shown[: match.start()].encode())
                node = self.tree.root.descendant_for_byte_range(first, first + len(match[0]))
                if node is not None and node.type in self.rules.names:
                    return node
        return None

    def is_conditional(self, node: Node) -> bool:
        """Return whether a condition of the preprocessor stands around, not that of a header."""
        above = node.parent
        while above is not None:
            if above.type.startswith("preproc_") and not self._is_guard(above):
                return True
            above = above.parent
        return False

    def _is_guard(self, node: Node) -> bool:
        """Return whether a condition lets a header be read once, or tells C from C++."""
        name = node.child_by_field_name("name")
        text = self.text(name) if name is not None else ""
        defined = next(
            (child for child in node.named_children if child.type == "preproc_def"), None
        )
        own = defined.child_by_field_name("name") if defined is not None else None
        is_once = own is not None and self.text(own) == text
        return (
            text == "__cplusplus" or is_once or node.type in ("preproc_def", "preproc_function_def")
        )

    def key_of(self, node: Node) -> str:
        """See ``paths.key_of``."""
        return key_of(node, self.table, self.tree)

    def rule_at(self, node: Node) -> DefinitionRule | None:
        """Return the rule by which a node defines something."""
        definitions = self.table.definitions
        return definitions.get(self.key_of(node)) or definitions.get(node.type)

    def is_further_head(self, name: Node) -> bool:
        """Return whether a name begins a further part of a definition that has several."""
        above = name.parent
        for _ in range(_MAX_HEAD if self.table.merged else 0):
            if above is None:
                break
            if self.key_of(above) in self.table.merged:
                rule = self.rule_at(above)
                names = nodes_at(above, rule.name, self.table.through) if rule else []
                if any(node.id == name.id for node in names):
                    return True
            above = above.parent
        return False

    def is_head(self, name: Node) -> bool:
        """Return whether a name is where something is defined, which calls nothing."""
        return self.row_at(name) is not None or self.is_further_head(name)

    def _merged_row(self, name: Node) -> SymbolRow | None:
        """Return the definition of several parts that a further part of it belongs to."""
        line, text = name.start_point.row + 1, self.text(name)
        rows = (row for row in self._rows.values() if row.info.name == text)
        return next((row for row in rows if row.info.line <= line <= row.info.line_end), None)

    def part_of(self, node: Node) -> int:
        """Return where the part of the file begins that a node is in; 0 for what is before all."""
        if not self.rules.apart:
            return 0
        if self._parts is None:
            found = re.finditer(self.rules.apart.encode(), self.tree.data)
            self._parts = [match.start() + 1 for match in found]
        at = bisect_right(self._parts, node.start_byte)
        return self._parts[at - 1] if at else 0

    def is_below(self, node: Node, keys: frozenset[str]) -> bool:
        """Return whether a node with one of some keys stands around another one."""
        above = node.parent if keys else None
        while above is not None:
            if self.key_of(above) in keys:
                return True
            above = above.parent
        return False

    def around(self, node: Node) -> Iterator[SymbolRow]:
        """Yield the definitions around a node, the innermost first."""
        above = node.parent
        while above is not None:
            rule = self.rule_at(above)
            if rule is not None:
                name = node_at(above, rule.name, self.table.through)
                own = last_name(name) if name is not None else None
                row = self.row_at(own) if own is not None else None
                if row is None and own is not None and self.key_of(above) in self.table.merged:
                    row = self._merged_row(own)
                if own is not None and row is not None and own.id != node.id:
                    yield row
            above = above.parent


class SourceFiles:
    """The parsed files of a code base, kept while it is as it is."""

    def __init__(self, code: DefinitionSource, stop: Callable[[], None]) -> None:
        self._code = code
        self._stop = stop
        self._kept: dict[str, SourceFile | None] = {}
        self._chars = 0
        self._packages: dict[str, str] = {}
        self._constraints: dict[str, str] = {}

    def use(self, code: DefinitionSource, stop: Callable[[], None]) -> None:
        """Read from another view of the same state, until ``stop`` raises."""
        self._code, self._stop = code, stop

    def get(self, path: str) -> SourceFile | None:
        """Return a file; nothing if its language has no rules or it cannot be parsed."""
        if path not in self._kept:
            self._stop()
            text = self._code.text(path) if rules_of(path) is not None else ""
            if self._chars + len(text) > _MAX_KEPT_CHARS:
                self._kept.clear()
                self._chars = 0
            self._chars += len(text)
            self._kept[path] = self._parsed(path, text)
        return self._kept[path]

    def _parsed(self, path: str, text: str) -> SourceFile | None:
        language, code = code_in(path, language_of(path), text)
        if not code or len(code) > _MAX_CHARS or language not in TABLE_LANGUAGES:
            return None
        table = table_of(language)
        if table.uses is None:
            return None
        try:
            tree = parse_tree(language, code, Deadline(_FILE_LIMIT_S))
        except (MissingGrammar, OutOfTime):
            return None
        return SourceFile(path, tree, table, table.uses, self._code.symbols_in(path))

    def package(self, path: str) -> str:
        """Return the package that a file says it is of, with dots; empty if it says none."""
        if path not in self._packages:
            rules = rules_of(path)
            found = (
                re.search(rules.package, self._code.text(path), re.MULTILINE)
                if rules is not None and rules.package
                else None
            )
            self._packages[path] = _PACKAGE_SIGNS.sub(".", found[1]) if found else ""
        return self._packages[path]

    def constraint(self, path: str) -> str:
        """Return when a file is part of a program, as it says itself; empty for always."""
        if path not in self._constraints:
            rules = rules_of(path)
            found = (
                re.search(rules.constraint, self._code.text(path), re.MULTILINE)
                if rules is not None and rules.constraint
                else None
            )
            self._constraints[path] = found[1] if found else ""
        return self._constraints[path]


def rules_of(path: str) -> UseRules | None:
    """Return the rules for uses of a file's language."""
    language = language_of(path)
    return table_of(language).uses if language in TABLE_LANGUAGES else None


def is_one_entity(row: SymbolRow, other: SymbolRow) -> bool:
    """Return whether two definitions of C or C++ with one name declare the same thing."""
    if (row.info.kind in _TAGS) is not (other.info.kind in _TAGS):
        return False
    if row.path == other.path or is_header(row.path) or is_header(other.path):
        return True
    return all(
        r.info.kind in ("function", "method", "variable")
        and r.info.exported
        and not r.info.signature.startswith("#")
        for r in (row, other)
    )


def is_header(path: str) -> bool:
    """Return whether a file is there to be included by others."""
    return splitext(path)[1].lower().startswith(".h")


def family_of(path: str) -> str:
    """Return the language of a file, one for those that see each other's definitions."""
    language = language_of(path)
    return {"cpp": "c"}.get(language, language)


def is_part(row: SymbolRow) -> bool:
    """Return whether a definition adds to a type that is defined elsewhere, as an ``impl`` does."""
    return row.info.kind == "module" and _PART.match(row.info.signature) is not None


def is_constructor(row: SymbolRow) -> bool:
    """Return whether a definition is a method with the name of its class."""
    around = row.info.qualified_name.split(".")
    return row.info.kind == "method" and len(around) > 1 and around[-2] == around[-1]


def last_name(node: Node) -> Node:
    """Return the name that a qualified one ends in."""
    while node.child_count and (inner := node.child_by_field_name("name")) is not None:
        node = inner
    return node


def is_within(node: Node, around: Node) -> bool:
    """Return whether a node stands in another one."""
    return around.start_byte <= node.start_byte and node.end_byte <= around.end_byte
