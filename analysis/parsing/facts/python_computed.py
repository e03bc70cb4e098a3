"""Names that Python code puts together: ``"visit_" + x``, ``f"get_{x}_display"``, formats."""

from __future__ import annotations

import ast
import re

# What begins a name, and what ends one; a lone letter says nothing.
_BEGINNING = re.compile(r"[^\W\d]\w+_")
_ENDING = re.compile(r"\w*")
_PLACEHOLDER = re.compile(r"%s|%r|%\(\w+\)s|\{\w*\}")


def computed_name(node: ast.expr) -> tuple[str, str] | None:
    """Return how a name begins and ends that an expression puts together; None for any other."""
    parts = _parts(node)
    if parts is None or not _BEGINNING.fullmatch(parts[0]) or not _ENDING.fullmatch(parts[1]):
        return None
    return parts


def _parts(node: ast.expr) -> tuple[str, str] | None:
    if isinstance(node, ast.JoinedStr) and len(node.values) > 1:
        return _literal(node.values[0]), _literal(node.values[-1])
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _around_placeholders(node.func.value) if node.func.attr == "format" else None
    if not isinstance(node, ast.BinOp):
        return None
    if isinstance(node.op, ast.Mod):
        return _around_placeholders(node.left)
    if not isinstance(node.op, ast.Add):
        return None
    first = node.left
    while isinstance(first, ast.BinOp) and isinstance(first.op, ast.Add):
        first = first.left
    return _literal(first), _literal(node.right)


def _around_placeholders(node: ast.expr) -> tuple[str, str] | None:
    """Return what stands before the first and after the last placeholder of a format."""
    pieces = _PLACEHOLDER.split(_literal(node))
    return (pieces[0], pieces[-1]) if len(pieces) > 1 else None


def _literal(node: ast.expr) -> str:
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return str(node.value) if is_text and isinstance(node, ast.Constant) else ""
