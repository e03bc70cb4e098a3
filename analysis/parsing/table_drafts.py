"""From a node of a tree to the definition that it is, as a language's table says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from analysis.parsing.comments import doc_line
from analysis.parsing.drafts import Draft
from analysis.parsing.grammars.paths import node_at
from analysis.parsing.signatures import MAX_SIGNATURE, MAX_VALUE, one_line

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.models import SymbolKind
    from analysis.parsing.grammars.table import DefinitionRule, LanguageTable
    from analysis.parsing.trees import ParsedTree

# No signature needs more source than this.
_MAX_SOURCE = 3000
_BRACKETS = re.compile(r"\A(?:@|#?!?\[+)\s*|\s*\]+\Z")
_SEPARATOR = re.compile(r"::|[.:\\]")
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*(?:<[^<>]*>[^<>]*)*>|\[[^\]]*\]")
_WORD = re.compile(r"\w+")
_BLANKS = b"\n \t\r"


@dataclass(slots=True)
class Statement:
    """The whole of what defines something, and what stands above it."""

    node: Node
    comments: Sequence[Node] = ()
    attributes: list[Node] = field(default_factory=list)
    documents: Sequence[Node] = ()
    is_shared: bool = False
    """Whether it defines several names, which so have no range of their own."""


def draft_of(
    tree: ParsedTree,
    table: LanguageTable,
    node: Node,
    name: Node,
    kind: SymbolKind,
    rule: DefinitionRule,
    statement: Statement,
) -> Draft:
    """Return the definition of a name.

    Args:
        tree: The file.
        table: The table of its language.
        node: What the rule is about.
        name: Where the name stands.
        kind: What it is.
        rule: How it is defined.
        statement: What it stands in.
    """
    outer = statement.node
    first, attributes = _first(outer, table)
    if node.id != outer.id:
        attributes += _first(node, table)[1]
    attributes = [*statement.attributes, *attributes]
    plain, owner, column = _name(tree, name, kind)
    owned = node_at(node, rule.owner) if rule.owner else None
    if owned is not None:
        owner = _type_name(tree.text(owned))
    shared = statement.is_shared
    line = (name if shared else first).start_point.row + 1
    above = [*attributes, *statement.documents]
    return Draft(
        name=plain,
        kind="method" if owner and kind == "function" and _is_method(tree, name, table) else kind,
        start=name.start_byte if shared else first.start_byte,
        end=name.end_byte if shared else outer.end_byte,
        line=line,
        line_end=max(line, end_row(tree, outer) + 1),
        signature=_signature(tree, table, first, node, kind, rule, outer),
        name_line=name.start_point.row + 1,
        name_column=tree.column(name.start_point) + column,
        decorated_line=min([line, *(n.start_point.row + 1 for n in above)]),
        decorators=tuple(
            one_line(_BRACKETS.sub("", tree.text(n)), python=table.hash_comments)
            for n in attributes
        ),
        docstring=says(tree, statement.documents or statement.comments, table),
        exported=_is_exported(tree, table, rule, first, name),
        owner=owner,
    )


def end_row(tree: ParsedTree, node: Node) -> int:
    """Return the last row of a node, 0-based; line ends that belong to it do not count."""
    row: int = node.end_point.row
    end, data = node.end_byte, tree.data
    if end and data[end - 1] not in _BLANKS:  # as most do
        return row
    start = node.start_byte
    while end > start and data[end - 1] in _BLANKS:
        row -= data[end - 1 : end] == b"\n"
        end -= 1
    return row


def says(tree: ParsedTree, comments: Sequence[Node], table: LanguageTable) -> str | None:
    """Return the first telling line of comments, or of strings that document."""
    text = "\n".join(tree.text(node).strip() for node in comments)
    if not text:
        return None
    if table.documents and '"' in text and not text.startswith(("#", "/")):
        text = text.partition('"')[2].strip('"')
    if table.doc_noise:
        text = _noise(table.doc_noise).sub("", text)
    return doc_line(text)


def _first(node: Node, table: LanguageTable) -> tuple[Node, list[Node]]:
    """Return the first keyword or type of a definition, and the attributes before it."""
    attributes: list[Node] = []
    for child in node.children:
        if child.type in table.modifiers:
            for inner in child.children:
                if inner.type in table.attributes:
                    attributes.append(inner)
                elif inner.type not in table.comments:
                    return inner, attributes
        elif child.type in table.attributes:
            attributes.append(child)
        elif child.type not in table.comments:
            return child, attributes
    return node, attributes


def _name(tree: ParsedTree, node: Node, kind: SymbolKind) -> tuple[str, str, int]:
    """Return a name without what qualifies it, its qualifier, and how far into the node it is."""
    text = tree.text(node)
    if text.isidentifier():  # as most are
        return text, "", 0
    if node.type == "operator_cast":
        return text.partition("(")[0].strip(), "", 0
    plain = _TYPE_ARGUMENTS.sub("", text) if not text.startswith("operator") else text
    if kind == "module" or "operator" in plain:
        head, _, tail = plain.rpartition("::") if kind != "module" else ("", "", plain)
    else:
        parts = _SEPARATOR.split(plain)
        head, tail = ".".join(parts[:-1]), parts[-1]
    if not tail.strip():
        return _unquoted(text), "", 0
    owner = ".".join(part for part in _SEPARATOR.split(head) if part)
    column = text.rfind(_unquoted(tail))
    tail = re.sub(r"::|\\", ".", tail) if kind == "module" else tail
    return _unquoted(tail), owner, max(column, 0)


def _unquoted(name: str) -> str:
    """Return a name without quotes or parentheses around it; one at its end is part of it."""
    if name.startswith("(") and name.endswith(")"):
        return name[1:-1].strip()
    return name[1:-1] if len(name) > 2 and name[0] in "\"'" and name[0] == name[-1] else name


def _type_name(text: str) -> str:
    """Return the name of a type without its arguments and what marks references."""
    words = _WORD.findall(_TYPE_ARGUMENTS.sub("", text))
    return words[-1] if words else ""


def _is_method(tree: ParsedTree, name: Node, table: LanguageTable) -> bool:
    return not table.method_mark or table.method_mark in tree.text(name)


def _signature(
    tree: ParsedTree,
    table: LanguageTable,
    first: Node,
    node: Node,
    kind: SymbolKind,
    rule: DefinitionRule,
    outer: Node,
) -> str:
    """Return the source up to the body, or with the value where there is no body."""
    body = node_at(node, rule.body) if rule.body else None
    start = first.start_byte
    end = body.start_byte if body is not None and body.start_byte > start else outer.end_byte
    source = tree.slice(start, min(end, start + _MAX_SOURCE))
    limit = MAX_VALUE if kind in ("variable", "property") else MAX_SIGNATURE
    line = one_line(source, python=table.hash_comments, limit=limit).rstrip("; ,{")
    return line.removesuffix("=").rstrip() if body is not None else line


def _is_exported(
    tree: ParsedTree, table: LanguageTable, rule: DefinitionRule, first: Node, name: Node
) -> bool:
    if not table.hidden or rule.always_exported:
        return True
    head = tree.slice(first.start_byte, max(first.start_byte, name.end_byte))
    return not _noise(table.hidden).search(head)


@cache
def _noise(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
