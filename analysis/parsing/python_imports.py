"""Import statements of a Python file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.models import ImportInfo
from analysis.parsing.signatures import one_line

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree


def imports_of(tree: ParsedTree, node: Node) -> list[ImportInfo]:
    """Return what one statement imports: one entry a module."""
    text = one_line(tree.text(node), python=True, limit=1000)
    line = node.start_point.row + 1
    if node.type == "import_statement":
        return [
            ImportInfo(text, module, (bound,), line)
            for module, bound in (
                _plain(tree, part) for part in node.children_by_field_name("name")
            )
        ]
    if node.type == "future_import_statement":
        module = "__future__"
    else:
        module_node = node.child_by_field_name("module_name")
        module = _squeezed(tree.text(module_node)) if module_node is not None else ""
    names = tuple(_bound(tree, part) for part in node.children_by_field_name("name"))
    if not names and text.endswith("*"):
        names = ("*",)
    return [ImportInfo(text, module, names, line)]


def _plain(tree: ParsedTree, part: Node) -> tuple[str, str]:
    """Return the module and the bound name of one part of ``import a.b, c as d``."""
    if part.type != "aliased_import":
        module = _squeezed(tree.text(part))
        return module, module.partition(".")[0]
    name = part.child_by_field_name("name")
    return (_squeezed(tree.text(name)) if name is not None else ""), _bound(tree, part)


def _bound(tree: ParsedTree, part: Node) -> str:
    alias = part.child_by_field_name("alias")
    return tree.text(alias if alias is not None else part)


def _squeezed(dotted: str) -> str:
    return "".join(dotted.replace("\\\n", "").split())
