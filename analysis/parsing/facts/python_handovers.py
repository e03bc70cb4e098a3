"""What Python code hands on by name: arguments, tables, decorators, events, settings."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import NONE, E, H
from analysis.parsing.facts.rows import Handover, position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.parsing.facts.builder import FactsBuilder

SENDING = frozenset({"emit", "trigger", "fire", "publish"})
"""Last names of calls whose first string is the name of an event that is sent."""
_SETTINGS = frozenset({"environ", "config", "settings", "conf"})
_READING_TEXT = """
get getattr pop setdefault getint getbool getboolean getfloat getlist getdict
"""
READING = frozenset(_READING_TEXT.split())
"""Last names of calls whose first string can be the name of a setting."""
_NAMES = frozenset({"name", "path", "rule"})
_NAMED = (ast.Name, ast.Attribute)


def dotted(node: ast.expr | None) -> str | None:
    """Return a dotted name as it is written, None for any other expression."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else None
    return None


def row_of(builder: FactsBuilder, node: ast.expr) -> int:
    """Return the row of a dotted name, -1 for any other expression."""
    if isinstance(node, ast.Name):
        return builder.expression(E.NAME, builder.name(node.id))
    if isinstance(node, ast.Attribute):
        before = row_of(builder, node.value)
        return NONE if before == NONE else builder.expression(
            E.ATTRIBUTE, before, builder.name(node.attr))  # fmt: skip
    return NONE


def text_of(node: ast.AST | None) -> str | None:
    """Return a string or a dotted name; None for any other expression."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    return dotted(node) if isinstance(node, ast.expr) else None


def view_of(node: ast.expr) -> int | None:
    """Return at which of its names a class stands in ``a.View.as_view()``, None for others."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        view = dotted(node.func.value) if node.func.attr == "as_view" else None
        return None if view is None else view.count(".")
    return None


def words_of(call: ast.Call) -> tuple[str | None, str | None]:
    """Return the first string among the arguments of a call, and the words of ``methods=``."""
    return _first_string(call), _methods(call)


def word_of(name: str, call: ast.Call) -> tuple[str | None, str | None]:
    """Return the name of a keyword argument, and the first string among the arguments."""
    return name, _first_string(call)


def named_string(
    builder: FactsBuilder, name: int, place: tuple[int, int, int], called: str, to: int
) -> None:
    """Note the first string of a call, if it names an event that is sent, or a setting.

    Args:
        builder: Gets the row.
        name: The string.
        place: Line, column and scope of it.
        called: The last name of what is called.
        to: The row of what is called.
    """
    line, column, scope = place
    at = position(line, column)
    if called in SENDING:
        row = Handover(name, at, H.SENT, to, NONE, NONE, scope, line)
        builder.hand_over_text(row)
    elif called == "getenv":
        builder.hand_over_text(Handover(name, at, H.SETTING, to, NONE, NONE, scope, line))


def setting(
    builder: FactsBuilder, node: ast.expr, key: ast.expr, to: int, scope: int, *, is_given: bool
) -> None:
    """Note ``config["KEY"]`` and its kin.

    Args:
        builder: Gets the row.
        node: What holds the settings.
        key: The key.
        to: The row of what holds them.
        scope: Where it stands.
        is_given: Whether the setting gets its value.
    """
    last = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    text = text_of(key) if isinstance(key, ast.Constant) else None
    if last not in _SETTINGS or text is None or not text.isidentifier() or not text.isupper():
        return
    place = position(key.lineno, key.col_offset)
    given = builder.name("1") if is_given else NONE
    name = builder.name(text)
    builder.hand_over_text(Handover(name, place, H.SETTING, to, given, NONE, scope, key.lineno))


def read_setting(builder: FactsBuilder, call: ast.Call, to: int, called: str, scope: int) -> None:
    """Note ``environ.get("KEY")`` and ``getattr(settings, "KEY")``."""
    if not call.args:
        return
    if called == "getattr" and len(call.args) > 1 and isinstance(call.args[0], _NAMED):
        holder = row_of(builder, call.args[0])
        setting(builder, call.args[0], call.args[1], holder, scope, is_given=False)
    elif isinstance(call.func, ast.Attribute):
        setting(builder, call.func.value, call.args[0], to, scope, is_given=False)


def decorators(
    builder: FactsBuilder,
    nodes: Sequence[ast.expr],
    rows: Sequence[int],
    definition: tuple[str, int, int],
) -> None:
    """Note the decorators of a definition.

    Args:
        builder: Gets the rows.
        nodes: The decorators.
        rows: Their rows.
        definition: Its name, the place of that, and the scope.
    """
    name, place, scope = definition
    for node, row in zip(nodes, rows, strict=True):
        to, label, detail = row, None, None
        if isinstance(node, ast.Call):
            to = builder.row_of(row)[1]
            label = _first_string(node)
            detail = _methods(node) or (dotted(node.args[0]) if node.args else None)
        builder.hand_over_text(
            Handover(
                builder.name(name), place, H.DECORATED, to, builder.text(label),
                builder.text(detail), scope, node.lineno,
            )
        )  # fmt: skip


def assigned(builder: FactsBuilder, target: ast.expr, value: ast.expr, *, in_class: bool) -> None:
    """Note ``table[key] = f``, ``x.y = f`` and, in a class, ``y = f``; ``f`` was visited last."""
    if not isinstance(value, _NAMED):
        return
    if isinstance(target, ast.Subscript):
        builder.hand_over(H.STORED, row_of(builder, target.value), text_of(target.slice))
    elif isinstance(target, ast.Attribute) or in_class:
        builder.hand_over(H.SET, NONE, dotted(target))


def _first_string(call: ast.Call) -> str | None:
    for node in call.args:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
    for word in call.keywords:
        if word.arg in _NAMES and isinstance(word.value, ast.Constant):
            return text_of(word.value)
    return None


def _methods(call: ast.Call) -> str | None:
    """Return the words of ``methods=["GET", "POST"]``."""
    for word in call.keywords:
        if word.arg == "methods" and isinstance(word.value, ast.List | ast.Tuple | ast.Set):
            words = [text_of(element) for element in word.value.elts]
            if words and all(text and text.isalpha() for text in words):
                return ", ".join(text.upper() for text in words if text)
    return None
