"""What the token rules of the languages share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

# Fine enough that a string is the same in one piece and in several, wherever it was cut.
_PIECE = re.compile(r"\\.|\w+|[^\S\n]+|.")
CLOSERS = frozenset({")", "]", "}", ">"})


@dataclass(frozen=True, slots=True)
class TokenGrammar:
    """How the tokens of a language are taken from its tree."""

    comments: frozenset[str]
    """Types of nodes that are comments."""
    parts: Callable[[Node, ParsedTree], Sequence[Node | str | tuple[str, int]]]
    """Gives what a node is made of, without what is optional."""
    spelled: Callable[[str, str], str]
    """Gives the one spelling of a node without children from its type and text; "" to leave it."""
    contents: frozenset[str]
    """Types of nodes whose text ``parts`` takes apart even if they have no children."""


def text_pieces(text: str, line: int) -> Iterator[tuple[str, int]]:
    """Yield a string's contents as small tokens, so that a line of it can be cut out.

    Args:
        text: Contents, perhaps of several lines.
        line: The line on which they begin.
    """
    for number, content in enumerate(text.split("\n")):
        if number:
            yield "s\n", line + number
        for piece in _PIECE.findall(content):
            yield f"s{piece}", line + number


def without_last_comma(children: Sequence[Node]) -> list[Node]:
    """Return children without a comma right before the closing bracket."""
    code = [child for child in children if "comment" not in child.type]
    if len(code) < 3 or code[-1].type not in CLOSERS or code[-2].type != ",":
        return list(children)
    if code[-3].type == ",":
        return list(children)
    comma = code[-2].id
    return [child for child in children if child.id != comma]
