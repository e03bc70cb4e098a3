"""The walk over a JavaScript or TypeScript tree: what is read, and what is skipped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analysis.parsing.javascript_drafts import Place, Surroundings, draft_of
from analysis.parsing.javascript_repair import repaired
from analysis.parsing.trees import check_time

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.models import ImportInfo, SymbolKind
    from analysis.parsing.drafts import Draft
    from analysis.parsing.trees import ParsedTree

# Expressions and inner blocks without one of these words define, import and export nothing.
_KEYWORDS = re.compile(
    rb"\b(?:function|class|require|import|exports|interface|enum)\b|\btype\s+\w|=>|\)\s*[{:]|\b[gs]et\s"
)
_POLL_EVERY = 512


@dataclass(slots=True)
class _Frame:
    """A node whose children are being read."""

    children: Iterator[Node]
    place: Place
    comment: Node | None = None
    """The comment right before the next child."""
    decorators: list[Node] = field(default_factory=list)
    """The decorators right before the next child."""


class ScriptWalk:
    """Reads a tree node by node without recursion; subclasses say what a node means."""

    def __init__(self, tree: ParsedTree) -> None:
        self.tree = tree
        self.drafts: list[Draft] = []
        self.imports: list[ImportInfo] = []
        self.inner_imports: list[ImportInfo] = []
        self.docstring: str | None = None
        """Always None: what documents a file here is a comment."""
        """Always empty: what documents a definition here is a comment."""
        self.exported: set[str] = set()
        """Names that an export statement or ``module.exports`` makes public."""
        self.is_module = False
        """Whether the file imports or exports; a plain script's names are all public."""
        self._keywords = tree.positions(_KEYWORDS)
        self._stack: list[_Frame] = []

    def read(self) -> None:
        """Fill ``drafts`` and the imports."""
        self.enter(self.tree.root, "module")
        n_seen = 0
        while self._stack:
            frame = self._stack[-1]
            node = next(frame.children, None)
            n_seen += 1
            if n_seen % _POLL_EVERY == 0:
                check_time(self.tree.deadline)
            if node is None:
                self._stack.pop()
            elif node.type == "comment":
                frame.comment = node
            elif node.type == "decorator":
                frame.decorators.append(node)
            else:
                around = Surroundings(frame.place, node, frame.comment, frame.decorators)
                frame.comment, frame.decorators = None, []
                self.visit(node, around)
        if self.tree.root.has_error:
            self.drafts = repaired(self.tree, self.drafts)
        for draft in self.drafts:
            if draft.top_level and (not self.is_module or draft.name in self.exported):
                draft.exported = True

    def enter(self, node: Node | None, place: Place) -> None:
        """Read a node's children next; in expressions only if there is something to find."""
        if node is None:
            return
        if place != "inner" or self._keywords.any_in(node.start_byte, node.end_byte):
            self._stack.append(_Frame(iter(node.named_children), place))

    def visit(self, node: Node, around: Surroundings) -> None:
        """Take what a node defines, and enter what may define more."""
        raise NotImplementedError

    def add(self, node: Node, name: Node, kind: SymbolKind, around: Surroundings) -> None:
        """Add a definition."""
        self.drafts.append(draft_of(self.tree, node, name, kind, around))
