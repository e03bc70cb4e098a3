"""Facts of a TypeScript or JavaScript file, from tree-sitter's tree."""

from __future__ import annotations

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.rows import LostLines
from analysis.parsing.facts.script_modules import ScriptVisitor
from analysis.parsing.facts.tables import Facts
from analysis.parsing.trees import OutOfTime, parse_tree
from analysis.stopping import Deadline

# The outline's own limit was kept already; this one is for the tree that is made again.
_TIME_LIMIT_S = 5.0


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
    return builder.finish()
