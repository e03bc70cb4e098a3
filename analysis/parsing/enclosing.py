"""Which branches, loops and functions a place in the code stands in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

# A letter for each kind of block, by the statement that it belongs to.
_PYTHON = {
    "if_statement": "i",
    "elif_clause": "e",
    "else_clause": "l",
    "for_statement": "f",
    "while_statement": "w",
    "try_statement": "t",
    "except_clause": "x",
    "except_group_clause": "x",
    "finally_clause": "y",
    "with_statement": "h",
    "case_clause": "c",
    "function_definition": "D",
    "class_definition": "C",
}
_SCRIPT = {
    "else_clause": "l",
    "catch_clause": "x",
    "finally_clause": "y",
    "switch_case": "c",
    "switch_default": "c",
    "object": "o",
    "jsx_element": "j",
    "class_body": "C",
}
# Here only one part of the statement is the block.
_SCRIPT_PARTS = {
    ("if_statement", "consequence"): "i",
    ("for_statement", "body"): "f",
    ("for_in_statement", "body"): "f",
    ("while_statement", "body"): "w",
    ("do_statement", "body"): "w",
    ("try_statement", "body"): "t",
    ("with_statement", "body"): "h",
    ("arrow_function", "body"): "D",
    ("function_expression", "body"): "D",
    ("function_declaration", "body"): "D",
    ("generator_function", "body"): "D",
    ("generator_function_declaration", "body"): "D",
    ("method_definition", "body"): "D",
}
_DEFINITIONS = "DC"


# In files that are not parsed the first word of a line tells what the lines below it are.
_BRANCH_WORDS = {
    word: letter
    for letter, words in {
        "i": "if unless",
        "e": "elif elsif elseif",
        "l": "else",
        "f": "for foreach",
        "w": "while until loop do repeat",
        "t": "try begin",
        "x": "catch except rescue",
        "y": "finally ensure",
        "c": "case default when",
        "s": "switch match select",
        "h": "with using lock synchronized",
    }.items()
    for word in words.split()
}
_OTHER = "D"
_CLOSING_ONLY = re.compile(r"[)\]};,]+\Z")
_INDENT = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class EnclosingBlock:
    """A block around a place."""

    kind: str
    """A letter: the same for all ``if``, all ``else``, all loops with ``for``, and so on."""
    line: int
    """Where the statement begins that the block belongs to, 1-based."""
    head: str
    """That statement's source up to the block, without white space."""

    @property
    def defines(self) -> bool:
        """Whether it is the body of a function or class, not a branch."""
        return self.kind in _DEFINITIONS


def enclosing_blocks(
    tree: ParsedTree, language: str, line: int, column: int
) -> tuple[EnclosingBlock, ...]:
    """Return the blocks around a place in Python or a script, the outermost first.

    Args:
        tree: The file's tree.
        language: The language it was parsed as.
        line: 1-based.
        column: In bytes, of the token that is asked about.
    """
    at = (line - 1, column)
    node = tree.root.descendant_for_point_range(at, at)
    found: list[EnclosingBlock] = []
    kind_of = _python_kind if language == "python" else _script_kind
    while node is not None:
        parent = node.parent
        if parent is not None:
            kind = kind_of(node, parent)
            if kind:
                head = "".join(tree.slice(parent.start_byte, node.start_byte).split())
                found.append(EnclosingBlock(kind, parent.start_point.row + 1, head))
        node = parent
    return tuple(reversed(found))


def _python_kind(node: Node, parent: Node) -> str:
    return _PYTHON.get(parent.type, "") if node.type == "block" else ""


def _script_kind(node: Node, parent: Node) -> str:
    kind = parent.type
    if kind in ("switch_case", "switch_default"):
        value = parent.child_by_field_name("value")
        is_head = not node.is_named or (value is not None and value.id == node.id)
        return "" if is_head else "c"
    if not node.is_named:
        return ""
    if kind in _SCRIPT:
        return _SCRIPT[kind]
    for (statement, field), letter in _SCRIPT_PARTS.items():
        if kind == statement:
            part = parent.child_by_field_name(field)
            if part is not None and part.id == node.id:
                return letter
    return ""


def blocks_by_indentation(lines: Sequence[str], line: int) -> list[EnclosingBlock]:
    """Return the lines above that a line is indented below, outermost first."""
    width = _width(lines[line - 1])
    found: list[EnclosingBlock] = []
    for number in range(line - 1, 0, -1):
        if width == 0:
            break
        text = lines[number - 1]
        bare = text.strip()
        if bare and not _CLOSING_ONLY.match(bare) and _width(text) < width:
            width = _width(text)
            word = re.match(r"[}\s]*(\w+)", bare)
            kind = _BRANCH_WORDS.get(word[1].lower() if word else "", _OTHER)
            found.append(EnclosingBlock(kind, number, "".join(bare.split())))
    return found[::-1]


def _width(line: str) -> int:
    match = _INDENT.match(line)
    return len(match[0].expandtabs(8)) if match else 0
