"""From a node of a JavaScript or TypeScript tree to the definition that it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from analysis.parsing.comments import doc_line
from analysis.parsing.drafts import Draft
from analysis.parsing.javascript_nodes import FUNCTIONS, is_private, name_of
from analysis.parsing.signatures import MAX_SIGNATURE, MAX_VALUE, one_line

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.models import SymbolKind
    from analysis.parsing.trees import ParsedTree

Place = Literal["module", "class", "interface", "enum", "object", "inner"]
"""What the definitions that are met now are members of."""

# An object literal longer than this is not shown in the signature of what holds it.
_MAX_OBJECT = 60
# No signature needs more source than this.
_MAX_SOURCE = 3000


@dataclass(slots=True)
class Surroundings:
    """What stands around a definition."""

    place: Place
    statement: Node
    """The whole statement or member, with ``export`` and the like."""
    comment: Node | None = None
    decorators: list[Node] = field(default_factory=list)
    exported: bool = False
    owner: str = ""
    """``name`` in ``name.member = value``."""
    own_range: bool = True
    """False for a name in a pattern, which shares its statement with others."""
    keyword: str = ""
    """``const`` and the like where several declarations share it."""


def draft_of(
    tree: ParsedTree, node: Node, name: Node, kind: SymbolKind, around: Surroundings
) -> Draft:
    """Return the definition of a name.

    Args:
        tree: The file.
        node: The function, class, value or other thing that is defined.
        name: Where its name stands.
        kind: What it is.
        around: The statement it stands in.
    """
    outer = around.statement
    first = next((n for n in outer.children if n.type not in ("decorator", "comment")), outer)
    line = first.start_point.row + 1
    text = name_of(tree, name)
    whole = around.own_range
    return Draft(
        name=text,
        kind=kind,
        start=first.start_byte if whole else name.start_byte,
        end=outer.end_byte if whole else name.end_byte,
        line=line,
        line_end=outer.end_point.row + 1,
        signature=_signature(tree, first.start_byte, node, around),
        name_line=name.start_point.row + 1,
        name_column=tree.column(name.start_point),
        decorated_line=min([line, *(n.start_point.row + 1 for n in around.decorators)]),
        decorators=tuple(_decorator(tree, n) for n in around.decorators),
        docstring=_doc(tree, around.comment),
        exported=_is_exported(tree, text, around),
        top_level=around.place == "module" and not around.owner,
        owner=around.owner,
    )


def _is_exported(tree: ParsedTree, name: str, around: Surroundings) -> bool:
    if around.owner or around.place == "object":
        return not name.startswith(("#", "_"))
    if around.place in ("module", "inner"):
        return around.exported
    return not is_private(tree, around.statement, name)


def _signature(tree: ParsedTree, start: int, node: Node, around: Surroundings) -> str:
    """Return the source up to the body, or with the value where there is no body."""
    body = node.child_by_field_name("body")
    if body is not None:
        source = tree.slice(start, body.start_byte)
    elif node.type == "object" and node.end_byte - node.start_byte > _MAX_OBJECT:
        source = tree.slice(start, node.start_byte) + "{…}"
    else:
        source = tree.slice(start, min(around.statement.end_byte, start + _MAX_SOURCE))
    is_head = body is not None or node.type.endswith(("_signature", "_declaration"))
    limit = MAX_SIGNATURE if is_head else MAX_VALUE
    line = one_line(source, python=False, limit=limit).rstrip("; ")
    return f"{around.keyword} {line}" if around.keyword else line


def _decorator(tree: ParsedTree, node: Node) -> str:
    return one_line(tree.slice(node.start_byte + 1, node.end_byte), python=False)


def _doc(tree: ParsedTree, comment: Node | None) -> str | None:
    if comment is None:
        return None
    text = tree.text(comment)
    return doc_line(text) if text.startswith("/**") else None


def is_function(value: Node | None) -> bool:
    """Return whether a value is a function of any form."""
    return value is not None and value.type in FUNCTIONS
