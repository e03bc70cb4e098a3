"""Facts of a TypeScript or JavaScript file, from tree-sitter's tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.rows import LostLines
from analysis.parsing.facts.script_modules import ScriptVisitor
from analysis.parsing.facts.tables import Facts
from analysis.parsing.trees import OutOfTime, parse_tree
from analysis.stopping import Deadline

if TYPE_CHECKING:
    from tree_sitter import Node

# The outline's own limit was kept already; this one is for the tree that is made again.
_TIME_LIMIT_S = 5.0
_HOLDING_STATEMENTS = ("program", "statement_block", "class_body", "switch_body")


def script_facts(language: str, text: str) -> Facts:
    """Return the facts of a file; of a broken one, those of the parts that parse."""
    builder = FactsBuilder()
    try:
        tree = parse_tree(language, text, Deadline(_TIME_LIMIT_S))
        visitor = ScriptVisitor(builder, tree)
        try:
            visitor.visit_children(tree.root, 0)
        finally:
            visitor.forget()
    except (RecursionError, OutOfTime):
        facts = FactsBuilder().finish()
        facts.lost.append(LostLines(1, 1 << 30))
        return facts
    facts = builder.finish()
    for start, end in _lost(tree.root) if tree.root.has_error else ():
        facts.lost.append(LostLines(start, end))
    return facts


def _lost(root: Node) -> Iterator[tuple[int, int]]:
    """Yield the lines of statements that could not be parsed as a whole.

    The parser goes on after an error, but what is around it can mean something else.
    """
    waiting = [(root, root)]
    while waiting:
        node, statement = waiting.pop()
        if node.is_error or node.is_missing:
            yield statement.start_point.row + 1, statement.end_point.row + 1
            continue
        for child in node.children:
            if child.has_error or child.is_missing:
                is_statement = node.type in _HOLDING_STATEMENTS
                waiting.append((child, child if is_statement else statement))
