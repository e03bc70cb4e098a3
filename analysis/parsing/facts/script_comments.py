"""What the comments of a script name: types after a tag, and links."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, B, E, O, U
from analysis.parsing.facts.rows import position
from analysis.parsing.facts.script_base import ScriptTreeVisitor

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

# What documenting comments name: ``{Type}`` after a tag, ``{@link Type}``.
_DOCUMENTED = re.compile(r"\{(?:@link(?:code|plain)?\s+)?([^{}@]*)\}")
_DOTTED = re.compile(r"(?<![\w$.'\"/#@-])[A-Za-z_$][\w$]*(?:[.#~][A-Za-z_$][\w$]*)*(?![\w$'\"/])")
_IMPORTED = re.compile(
    r"""import\(\s*["'](?P<module>[^"']+)["']\s*\)\.(?P<name>[A-Za-z_$][\w$]*)"""
    r"""(?:[^{}\n]*\}\s*(?P<alias>[A-Za-z_$][\w$]*))?"""
)
_PART = re.compile(r"[A-Za-z_$][\w$]*")


class ScriptCommentVisitor(ScriptTreeVisitor):
    """Visits comments."""

    def __init__(self, builder: FactsBuilder, tree: ParsedTree) -> None:
        super().__init__(builder, tree)
        self.handlers["comment"] = self._comment

    def _comment(self, node: Node, scope: int) -> int:
        """Note what a documenting comment names in curly brackets: types, and links."""
        start = node.start_byte
        if not self.tree.data.startswith(b"/**", start):
            return NONE
        text = self.tree.slice(start, node.end_byte)
        if "import(" in text:
            for match in _IMPORTED.finditer(text):
                self._imported_type(node, text, match)
        for braces in _DOCUMENTED.finditer(text) if "{" in text else ():
            for match in _DOTTED.finditer(text, braces.start(1), braces.end(1)):
                self._documented(node, text, match, scope)
        return NONE

    def _imported_type(self, node: Node, text: str, match: re.Match[str]) -> None:
        """Note ``import("x").Type``, and the name that a ``@typedef`` gives to it."""
        module = self.builder.name(match["module"])
        row = self.builder.from_import(module, 0, self.builder.name(match["name"]))
        place = self._place(node, text, match.start("name"))
        name = self.builder.name(match["name"])
        self.builder.occurs(name, *place, O.FROM, 0, row, U.DOCUMENTED)
        is_typedef = "@typedef" in text[: match.start()].rpartition("\n")[2]
        if match["alias"] and is_typedef:
            alias = self.builder.name(match["alias"])
            place = self._place(node, text, match.start("alias"))
            self.builder.occurs(alias, *place, O.FROM_AS, 0, row, U.DOCUMENTED)
            self.builder.bind(0, alias, B.FROM, position(*place), row, effective=1)

    def _place(self, node: Node, text: str, at: int) -> tuple[int, int]:
        """Return line and column of an offset in a comment."""
        before = text.rfind("\n", 0, at)
        first = self.tree.column(node.start_point) if before < 0 else -before - 1
        return node.start_point.row + 1 + text.count("\n", 0, at), at + first

    def _documented(self, node: Node, text: str, match: re.Match[str], scope: int) -> None:
        """Note a dotted name in a comment; ``A#b`` is a member of A's objects."""
        row = NONE
        for part in _PART.finditer(text, match.start(), match.end()):
            name = self.builder.name(part[0])
            place = self._place(node, text, part.start())
            kind = O.NAME if row == NONE else O.ATTRIBUTE
            self.builder.occurs(name, *place, kind, scope, row, U.DOCUMENTED)
            is_first = row == NONE
            row = self.builder.expression(
                E.NAME if is_first else E.ATTRIBUTE,
                name if is_first else row,
                NONE if is_first else name,
            )
