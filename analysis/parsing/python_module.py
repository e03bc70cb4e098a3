"""A Python file as Python itself reads it."""

from __future__ import annotations

import ast
import threading
import warnings

_ONE_AT_A_TIME = threading.Lock()
"""CPython 3.11 raises SystemError where several threads make syntax trees at once: the depth of
their recursion is counted in one place for all of them."""


def parse_expression(text: str) -> ast.expr:
    """Return the syntax tree of an expression; raises as ``parse_module`` does."""
    with _ONE_AT_A_TIME:
        return ast.parse(text, mode="eval").body


def parse_module(text: str | bytes) -> ast.Module:
    """Return the syntax tree of a text.

    Raises:
        SyntaxError: It is not valid Python, or not for the Python that runs this.
        ValueError: It holds a NUL.
        RecursionError: It is nested too deep.
        MemoryError: The same.
    """
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def module_of(text: str) -> ast.Module | None:
    """Return the syntax tree of a text, or None if Python does not accept it."""
    try:
        return parse_module(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
